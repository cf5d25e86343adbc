import { transcript } from './support/chat-steps'
import { expect, test } from './support/launch-app'
import { answersEnd, goTo, openChat, readyToChat, say } from './support/window-steps'

const SAID = 'My sister Rosa moved to Porto, and I am allergic to nuts.'
const FOUND = {
  memories: [
    { text: 'Sister Rosa lives in Porto.', quote: 'My sister Rosa moved to Porto', kind: 'fact', entities: ['Rosa'] },
    { text: 'Is allergic to nuts.', quote: 'I am allergic to nuts', kind: 'fact' },
  ],
}

test('what was found in a message is remembered only after a person said so', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  await app.call('settings.update', { patch: { memory: { extraction: 'ask' } } })
  await app.call('sessions.create', { title: 'Family' })
  await openChat(app.page, 'Family')
  modelServer.answer({ text: 'Good to know.' }, { text: JSON.stringify(FOUND) })
  await say(app.page, SAID)
  await answersEnd(app)

  const message = transcript(app.page).getByRole('article').filter({ hasText: SAID })
  await expect(message.getByText('2 things to remember?')).toBeVisible()
  expect((await app.call('memory.list', {})).total).toBe(0)
  await message.getByRole('button', { name: 'Look' }).click()
  const dialog = app.page.getByRole('dialog', { name: 'Things to remember' })
  const rosa = dialog.getByRole('listitem').filter({ hasText: 'My sister Rosa moved to Porto' })
  await rosa.getByRole('textbox').fill('Sister Rosa lives in Porto since autumn.')
  await rosa.getByRole('button', { name: 'Remember', exact: true }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
  await dialog.getByRole('button', { name: 'All proposals' }).click()

  const main = app.page.getByRole('main')
  await expect(main.getByText('1 proposal')).toBeVisible()
  await expect(main.getByText('“I am allergic to nuts”')).toBeVisible()
  await expect(main.getByRole('button', { name: 'Family' })).toBeVisible()
  await main.getByRole('button', { name: 'Decline' }).click()
  await expect(main.getByText('Nothing to decide')).toBeVisible()
  const { memories } = await app.call('memory.list', {})
  expect(memories.map(({ text, source }) => [text, source.quote])).toEqual([
    ['Sister Rosa lives in Porto since autumn.', 'My sister Rosa moved to Porto'],
  ])
  await goTo(app.page, 'Chats')
  await expect(message).toBeVisible()
  await expect(message.getByText(/to remember\?/)).toBeHidden()
})
