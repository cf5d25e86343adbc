import { chatRow, messageField, messageMenu, transcript } from './support/chat-steps'
import { expect, test } from './support/launch-app'
import { storeChat } from './support/stored-chat'
import { answersEnd, openChat, readyToChat } from './support/window-steps'

const BRANCHED = [
  { role: 'user' as const, text: 'When is the ferry due?' },
  { role: 'assistant' as const, text: 'At ten, by the old table.', hidden: true },
  { role: 'user' as const, text: 'Which table?', below: 1 },
  { role: 'assistant' as const, text: 'The one of last year.', below: 2 },
  { role: 'assistant' as const, text: 'At eleven.', below: 0 },
]

test('versions say how much hangs below them, and are switched, compared and forked', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  await storeChat(app, { id: 'branched', title: 'Branched', messages: BRANCHED })
  await openChat(app.page, 'Branched')
  const log = transcript(app.page)
  const answer = log.locator('.msg').filter({ hasText: 'At eleven.' })
  await expect(answer.locator('.ver')).toContainText('2/2')
  await answer.getByRole('button', { name: 'Previous version' }).click()
  const old = log.locator('.msg').filter({ hasText: 'At ten' })
  await expect(old.locator('.ver')).toContainText(/1\/2 · 2 msgs · /)
  await expect(log.getByText('The one of last year.')).toBeVisible()

  await messageMenu(app.page, old, 'Compare versions')
  const dialog = app.page.getByRole('dialog', { name: 'Compare versions' })
  await expect(dialog.getByText('At ten, by the old table.')).toBeVisible()
  await expect(dialog.getByText('At eleven.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Use this one' }).and(app.page.locator(':enabled')).click()
  await expect(log.getByText('At eleven.')).toBeVisible()
  await expect(log.getByText('The one of last year.')).toHaveCount(0)

  await log.locator('.msg').first().getByRole('button', { name: 'Fork from here' }).click()
  await expect.poll(async () => (await app.call('sessions.list', {})).sessions.length).toBe(2)
  await expect(log.locator('.msg')).toHaveCount(1)
  await expect(chatRow(app.page, 'Branched')).toHaveCount(2)
})

test('an edited question is a branch; nothing is overwritten', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  const id = await storeChat(app, { id: 'edits', title: 'Edits', messages: BRANCHED.slice(0, 1) })
  await openChat(app.page, 'Edits')
  await messageField(app.page).press('ArrowUp')
  const editor = app.page.getByRole('textbox', { name: 'Text of the message' })
  await editor.fill('When is the last ferry due?')
  modelServer.answer({ text: 'At midnight.' })
  await app.page.getByRole('button', { name: 'Save and send' }).click()
  await expect(transcript(app.page).getByText('At midnight.')).toBeVisible()
  await answersEnd(app)
  const { messages } = await app.call('sessions.get', { sessionId: id })
  expect(messages.map((message) => message.text)).toEqual(['When is the last ferry due?', 'At midnight.'])
  expect(messages[0]?.siblings).toHaveLength(2)
})

test('an answer that ended elsewhere is unread until its chat is opened', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  for (const id of ['here', 'there'])
    await storeChat(app, { id, title: `Chat ${id}`, messages: [{ role: 'user', text: 'Hello' }] })
  await openChat(app.page, 'Chat here')
  modelServer.answer({ text: 'Answered in the background.' })
  await app.call('turns.send', { sessionId: 'there', text: 'And?' })
  await answersEnd(app)
  const row = chatRow(app.page, 'Chat there')
  await expect(row.getByRole('img', { name: 'unread answer' })).toBeVisible()
  await row.click()
  await expect(transcript(app.page).getByText('Answered in the background.')).toBeVisible()
  await expect.poll(async () => (await app.call('sessions.get', { sessionId: 'there' })).session.unread).toBeUndefined()
  await openChat(app.page, 'Chat here')
  await expect(row.getByRole('img', { name: 'unread answer' })).toHaveCount(0)
})
