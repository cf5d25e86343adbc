import { writeFileSync } from 'node:fs'
import { chatRow, transcript } from './support/chat-steps'
import { dropFiles } from './support/drop-files'
import { chatGptChat, claudeFile, onePixel, strataFile, tavernFile, zipOf } from './support/import-files'
import { expect, type StrataApp, test } from './support/launch-app'
import { goTo, openChat, readyToChat } from './support/window-steps'

type Content = string | Uint8Array

/** Chooses a file in the import dialog, as a person does who pressed the name of an app. */
async function choose({ page }: StrataApp, source: string, name: string, content: Content) {
  await goTo(page, 'Chats')
  await page.getByRole('button', { name: 'Chat list' }).click()
  await page.getByRole('menuitem', { name: 'Import chats' }).click()
  await page.getByRole('button', { name: source, exact: true }).click()
  const dialog = page.getByRole('dialog')
  // on the disk, as a person's is: 40 MB do not travel through the test's own pipe
  const path = test.info().outputPath(name)
  writeFileSync(path, content)
  await dialog.locator('input[type="file"]').setInputFiles(path)
  return dialog
}

async function importFile(app: StrataApp, source: string, name: string, content: Content, found: (string | RegExp)[]) {
  const dialog = await choose(app, source, name, content)
  for (const words of found) await expect(dialog.getByText(words).first()).toBeVisible({ timeout: 60_000 })
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(dialog).toBeHidden({ timeout: 60_000 })
  await goTo(app.page, 'Chats')
}

test('the ZIP of ChatGPT comes with its pictures', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  const chats = [
    chatGptChat(
      'pier',
      ['Look at this pier.', 'A fine pier.'],
      [
        { address: 'file-service://file-AbCdEf123456', attached: { id: 'file-AbCdEf123456', name: 'pier.png' } },
        { address: 'sediment://file_00000000beef' },
        { address: 'sediment://file_00000000gone' },
      ],
    ),
  ]
  const zip = zipOf({
    'conversations.json': JSON.stringify(chats),
    'file-AbCdEf123456-pier.png': onePixel('one'),
    'user-1/file_00000000beef-2.png': onePixel('two'),
    'user.json': '{}',
  })
  await importFile(app, 'ChatGPT', 'export.zip', zip, [
    '1 chat',
    '2 messages',
    '2 pictures and files',
    /1 picture or file is named/,
  ])
  await openChat(app.page, 'Chat pier')
  const [message] = (await app.call('sessions.get', { sessionId: (await firstChat(app)).id })).messages
  expect(message?.attachments.map(({ name, mediaType }) => [name, mediaType])).toEqual([
    ['pier.png', 'image/png'],
    ['2.png', 'image/png'],
  ])
  await expect(transcript(app.page).getByRole('img', { name: 'pier.png' })).toBeVisible()
})

const firstChat = async (app: StrataApp) => {
  const [session] = (await app.call('sessions.list', {})).sessions
  if (!session) throw new Error('There is no chat.')
  return session
}

test('an export of Claude of half a megabyte, and a chat of SillyTavern with a torn line', async ({
  app,
  modelServer,
}) => {
  await readyToChat(app, modelServer)
  const claude = claudeFile({ chats: 10, messages: 40, length: 550 })
  expect(claude.length).toBeGreaterThan(500_000)
  await importFile(app, 'Claude', 'conversations.json', claude, ['10 chats', '400 messages'])
  await openChat(app.page, 'Talk 9')
  await expect(transcript(app.page).locator('.msg').last()).toContainText('399:')

  const tavern = `${tavernFile({ messages: 2000, length: 200 })}\n{"name":"Ada","mes":"cut of`
  expect(tavern.length).toBeGreaterThan(500_000)
  await importFile(app, 'SillyTavern', 'Ada.jsonl', tavern, ['1 chat', '2000 messages', /Line 2002 is damaged/])
  await openChat(app.page, 'Ada')
  await expect(transcript(app.page).locator('.msg').last()).toContainText('1999:')
})

test('40 MB, while the window goes on', async ({ app, modelServer }) => {
  test.slow()
  await readyToChat(app, modelServer)
  const file = strataFile({ chats: 20, messages: 1000, length: 1500 })
  expect(Buffer.byteLength(file)).toBeGreaterThan(40_000_000)
  const dialog = await choose(app, 'Strata', 'all.strata.json', file)
  await expect(dialog.getByText('20000 messages')).toBeVisible({ timeout: 120_000 })
  expect((await app.call('sessions.list', {})).sessions).toEqual([])
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(dialog).toBeHidden({ timeout: 120_000 })
  await goTo(app.page, 'Chats')
  await expect(chatRow(app.page, 'Ours 19')).toBeVisible()
  await openChat(app.page, 'Ours 0')
  await expect(transcript(app.page).locator('.msg').last()).toContainText('999:')
})

test('what cannot be read says so and leaves nothing', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  const zip = zipOf({ 'conversations.json': JSON.stringify([chatGptChat('a', ['Hi.', 'Ho.'])]) })
  const refused: [string, Content, RegExp][] = [
    ['export.zip', zip.subarray(0, zip.length - 30), /damaged or was cut off/],
    ['empty.json', '', /it is empty/],
    ['odd.json', '{"hello":1}', /no export of Strata, ChatGPT or Claude/],
    ['photo.zip', onePixel(), /not JSON/],
  ]
  for (const [name, content, words] of refused) {
    const dialog = await choose(app, 'ChatGPT', name, content)
    await expect(dialog.getByRole('alert')).toContainText(words)
    await expect(dialog.getByRole('button', { name: 'Import', exact: true })).toBeDisabled()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  }
  expect((await app.call('sessions.list', {})).sessions).toEqual([])
})

test('a card in a ZIP of its own kind, CHARX, is read in the built app', async ({ app }) => {
  const entries = [
    { keys: ['fog'], content: 'The fog hides the pier.', enabled: true, insertion_order: 1, extensions: {} },
  ]
  const card = {
    spec: 'chara_card_v3',
    spec_version: '3.0',
    data: { name: 'Ada', character_book: { name: 'Fog', entries } },
  }
  const charx = Buffer.from(zipOf({ 'card.json': JSON.stringify(card), 'assets/icon/main.png': onePixel() }))
  await app.page.getByRole('button', { name: 'Worldbooks', exact: true }).click()
  await dropFiles(app.page, '.drop-zone', [{ name: 'ada.charx', content: { base64: charx.toString('base64') } }])
  const report = app.page.getByRole('dialog', { name: 'Import' })
  await report.getByRole('button', { name: 'Import 1 book' }).click()
  await expect(report.getByText('1 book imported')).toBeVisible()
  expect((await app.call('worldbook.list', {})).map(({ entries }) => entries)).toEqual([1])
})
