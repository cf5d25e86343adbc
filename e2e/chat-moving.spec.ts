import { chatRow, messageMenu, rowMenu, transcript, watchSaves } from './support/chat-steps'
import { expect, test } from './support/launch-app'
import { base64, exportOf, storeChat } from './support/stored-chat'
import { answersEnd, goTo, openChat, readyToChat, say } from './support/window-steps'

const BRANCHED = [
  { role: 'user' as const, text: 'When is the ferry due? 渡船几点？' },
  { role: 'assistant' as const, text: 'At ten.', hidden: true },
  { role: 'assistant' as const, text: 'At **eleven**.', below: 0 },
]

test('a chat leaves as JSON and comes back whole, with a report first', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  await storeChat(app, { id: 'out', title: 'Going out', messages: BRANCHED })
  await app.call('sessions.update', { sessionId: 'out', patch: { topicPrompt: 'A harbour.', pinned: true } })
  const before = await app.call('sessions.get', { sessionId: 'out' })
  const saves = await watchSaves(app.page)
  await rowMenu(app.page, chatRow(app.page, 'Going out'), 'Export as JSON')
  await expect.poll(async () => (await saves()).length).toBe(1)
  const [file = ''] = await saves()
  expect(JSON.parse(file)).toMatchObject({ format: 'strata', version: 1 })
  await app.call('sessions.purge', { sessionIds: ['out'] })

  await app.page.getByRole('button', { name: 'Chat list' }).click()
  await app.page.getByRole('menuitem', { name: 'Import chats' }).click()
  await app.page.getByRole('button', { name: 'Strata', exact: true }).click()
  const picked = { name: 'out.strata.json', mimeType: 'application/json', buffer: Buffer.from(file) }
  await app.page.locator('[role="dialog"] input[type="file"]').setInputFiles(picked)
  const dialog = app.page.getByRole('dialog')
  await expect(dialog.getByText(/1 chat/)).toBeVisible()
  await expect(dialog.getByText(/3 messages/)).toBeVisible()
  expect((await app.call('sessions.list', {})).sessions).toEqual([])
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(dialog).toBeHidden()
  expect(await app.call('sessions.get', { sessionId: 'out' })).toEqual(before)
  await goTo(app.page, 'Chats')
  await openChat(app.page, 'Going out')
  await expect(transcript(app.page).locator('.ver')).toContainText('2/2')
})

test('a chat leaves as Markdown, and an answer with the record of what was sent', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  modelServer.answer({ text: 'At **eleven**.' })
  await say(app.page, 'When is the ferry due?')
  await expect(transcript(app.page).getByText('eleven')).toBeVisible()
  await answersEnd(app)
  const saves = await watchSaves(app.page)
  await messageMenu(app.page, app.page.locator('.msg').last(), 'Save the record of this answer')
  await expect.poll(async () => (await saves()).length).toBe(1)
  const bundle = JSON.parse((await saves())[0] ?? '')
  expect(bundle).toMatchObject({ format: 'strata-record', message: { text: 'At **eleven**.' } })
  expect(JSON.stringify(bundle.records)).toContain('When is the ferry due?')
  await rowMenu(app.page, app.page.locator('button.ses[data-session]').first(), 'Export as Markdown')
  await expect.poll(async () => (await saves())[1]).toContain('At **eleven**.')
})

test('a broken import says what is wrong and changes nothing', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  const read = (text: string, dryRun = true) =>
    app.call('transfer.import', { fileName: 'x.strata.json', dataBase64: base64(text), dryRun })
  await expect(read('{"format":"strata","version":1,"items":[')).rejects.toThrow(/import.unreadable/)
  await expect(read('{"hello":1}')).rejects.toThrow(/import.unreadable/)
  await expect(read('{"format":"strata","version":99,"items":[\n]}')).rejects.toThrow(/newer version/)
  const circle = JSON.parse(exportOf('odd', 'Odd', BRANCHED))
  circle.items[1].parentId = 'odd-2'
  circle.items[1].createdAt = '1970-01-01T00:00:00Z'
  circle.items[2].createdAt = '2100-01-01T00:00:00Z'
  circle.items.push(circle.items[3])
  const report = await read(JSON.stringify(circle))
  expect(report.sessions.imported).toBe(1)
  expect(report.warnings.length).toBeGreaterThan(0)
  expect((await app.call('sessions.list', {})).sessions).toEqual([])
  await read(JSON.stringify(circle), false)
  await openChat(app.page, 'Odd')
  await expect(transcript(app.page).locator('.msg').first()).toBeVisible()
})
