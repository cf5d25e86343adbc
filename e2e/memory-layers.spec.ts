import { expect, test } from './support/launch-app'
import { answersEnd, goTo, lastRequest, openChat, readyToChat, say } from './support/window-steps'

const SUMMARY =
  'Six questions about a ferry that grounds on a sand bar in the third act. The wish is a scene that keeps to the tide table. Settled: she touches ground at five past eleven, with two hours of ebb to run.'
const PROFILE = {
  overview: 'Writes a novel set in a harbour town.',
  facts: [{ category: 'work', statement: 'Writes fiction about ships.', confidence: 0.8 }],
}

test('six turns leave a summary that the next chat is sent', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  await app.call('settings.update', { patch: { userProfile: { enabled: false } } })
  modelServer.otherwise = { text: SUMMARY }
  const { id: sessionId } = await app.call('sessions.create', { title: 'Third act' })
  for (let turn = 1; turn <= 6; turn += 1) {
    await app.call('turns.send', { sessionId, text: `Question ${turn} about the ferry` })
    await answersEnd(app)
    if (turn === 5) expect(await app.call('recent-conversations.list', {})).toEqual([])
  }
  await expect.poll(async () => (await app.call('recent-conversations.list', {})).length).toBe(1)

  await goTo(app.page, 'Memory')
  await app.page.getByRole('button', { name: /^Recent conversations/ }).click()
  await expect(app.page.getByRole('article', { name: 'Third act' })).toContainText('Six questions about a ferry')

  await app.call('sessions.create', { title: 'Next day' })
  await openChat(app.page, 'Next day')
  await say(app.page, 'Where were we?')
  await expect.poll(() => lastRequest(modelServer)).toContain('Where were we?')
  expect(lastRequest(modelServer)).toContain('<recent_conversation_memory>')
  expect(lastRequest(modelServer)).toContain('Six questions about a ferry')
})

test('the profile is updated once, and the change is taken back', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  const { id: sessionId } = await app.call('sessions.create', { title: 'Harbour' })
  modelServer.otherwise = { text: SUMMARY }
  for (let turn = 1; turn <= 5; turn += 1) {
    await app.call('turns.send', { sessionId, text: `Question ${turn}` })
    await answersEnd(app)
  }
  // the sixth answer, the summary, and then the profile
  modelServer.answer({ text: 'Yes.' }, { text: SUMMARY }, { text: JSON.stringify(PROFILE) })
  await app.call('turns.send', { sessionId, text: 'Question 6' })
  await expect.poll(async () => (await app.call('user-profile.get', {})).overview).toBe(PROFILE.overview)

  await goTo(app.page, 'Memory')
  await app.page.getByRole('button', { name: /^User profile/ }).click()
  const main = app.page.getByRole('main')
  await expect(main.getByRole('textbox', { name: 'Overview' })).toHaveValue(PROFILE.overview)
  await expect(main.getByText('Writes fiction about ships.').first()).toBeVisible()

  // another summary on the same day asks for no second update
  const asked = modelServer.requests.length
  await app.call('recent-conversations.generate', { sessionId })
  await expect.poll(() => modelServer.requests.length).toBe(asked + 1)
  expect((await app.call('user-profile.get', {})).changes).toHaveLength(1)

  await main.getByRole('button', { name: 'Revert' }).click()
  await expect(main.getByRole('textbox', { name: 'Overview' })).toHaveValue('')
  expect(await app.call('user-profile.get', {})).toMatchObject({ overview: '', facts: [] })
})
