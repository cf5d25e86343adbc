import { readFileSync } from 'node:fs'
import { expect, test } from './support/launch-app'
import { goTo, readyToChat } from './support/window-steps'

const TRAIN = 'Takes the 07:40 train on weekdays.'

test('a file is shown before it is imported, and what was exported comes back unchanged', async ({
  app,
  modelServer,
}) => {
  await readyToChat(app, modelServer)
  const { id } = await app.call('memory.save', { text: TRAIN })
  await goTo(app.page, 'Memory')
  const main = app.page.getByRole('main')
  const choose = async (name: string, text: string) => {
    const chooser = app.page.waitForEvent('filechooser')
    await app.page.getByRole('button', { name: 'Import memories' }).first().click()
    await (await chooser).setFiles({ name, mimeType: 'application/x-ndjson', buffer: Buffer.from(text) })
    return app.page.getByRole('dialog', { name: 'Import memories' })
  }
  const lines = [{ id, text: TRAIN }, { text: 'Rosa lives in Porto.' }].map((line) => JSON.stringify(line))
  const preview = await choose('friends.jsonl', `${lines.join('\n')}\nno memory at all\n`)
  await expect(preview).toContainText('Rosa lives in Porto.')
  await expect(preview).toContainText('skipped')
  expect((await app.call('memory.list', {})).total).toBe(1)
  await preview.getByRole('button', { name: 'Import 1 memory' }).click()
  await expect(main.getByText('Rosa lives in Porto.')).toBeVisible()

  const { dataBase64 } = await app.call('memory.export', { format: 'jsonl' })
  const again = await choose('again.jsonl', Buffer.from(dataBase64, 'base64').toString())
  await expect(again).toContainText('2 unchanged')
  await expect(again.getByRole('button', { name: /^Import/ })).toBeDisabled()
})

test('a change is taken back from the history, and a suggestion is settled', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  const { id } = await app.call('memory.save', { text: TRAIN })
  await app.call('memory.save', { id, text: 'Takes the 08:10 train on weekdays.' })
  await app.call('memory.save', { text: 'On weekdays takes the 08:10 train.' })
  await goTo(app.page, 'Memory')
  await app.page.getByRole('button', { name: '1 suggestion' }).click()
  const suggestions = app.page.getByRole('dialog', { name: 'Suggestions' })
  await suggestions.getByRole('button', { name: 'Keep both' }).click()
  await expect(suggestions).toContainText('Nothing to decide')
  await suggestions.getByRole('button', { name: 'Close' }).click()

  await app.page.getByRole('button', { name: 'Takes the 08:10 train on weekdays.' }).click()
  await app.page.getByRole('button', { name: /^History/ }).click()
  const history = app.page.getByRole('dialog', { name: 'History' })
  await history.getByRole('button', { name: 'Undo this' }).click()
  await expect.poll(async () => (await app.call('memory.get', { id })).text).toBe(TRAIN)
  await expect(history.getByText('Undone')).toBeVisible()
})

test('the index is built anew while the old one serves, and the self-test finds every memory', async ({
  app,
  modelServer,
}) => {
  await readyToChat(app, modelServer)
  for (const text of [TRAIN, 'The Kestrel draws 1.8 m.', '沈舟不会游泳，也从不承认。'])
    await app.call('memory.save', { text })
  await expect.poll(async () => (await app.call('memory.status', {})).indexed, { timeout: 30_000 }).toBe(3)
  await goTo(app.page, 'Memory')
  await app.page.getByRole('button', { name: /^Search and index/ }).click()
  await app.page.getByRole('button', { name: 'Re-index' }).click()
  await expect(app.page.getByText('The new index serves.')).toBeVisible({ timeout: 30_000 })
  await app.page.getByRole('button', { name: 'Run the self-test' }).click()
  await expect(app.page.getByText(/of 3 memories found among the first three/)).toContainText('100 %')

  await app.page.getByRole('button', { name: /^Background work/ }).click()
  await expect(app.page.getByRole('list', { name: 'Background work' })).toContainText('done')
})

test('memories are saved as a file from the menu', async ({ app, modelServer, host }) => {
  test.skip(host === 'desktop', 'the desktop asks where to save')
  await readyToChat(app, modelServer)
  await app.call('memory.save', { text: TRAIN })
  await goTo(app.page, 'Memory')
  const download = app.page.waitForEvent('download')
  await app.page.getByRole('main').getByRole('button', { name: 'More actions' }).click()
  await app.page.getByRole('menuitem', { name: 'Export all as Markdown' }).click()
  expect(readFileSync(await (await download).path(), 'utf8')).toContain(`- ${TRAIN}`)
})
