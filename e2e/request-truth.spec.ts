import { newestMessage } from './support/connect-model'
import { expect, test } from './support/launch-app'
import { answersEnd, readyToChat, say } from './support/window-steps'

test('the popover opens and explains by keyboard alone, and gives the focus back', async ({ app, modelServer }) => {
  const { page } = app
  await readyToChat(app, modelServer)
  await app.call('sessions.create', { title: 'Bar', topicPrompt: 'Only speak of tides.' })
  await page.reload()
  await page.getByText('Bar', { exact: true }).first().click()
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('How deep is it?')
  const bar = page.getByRole('button', { name: /^Context: about/ })
  await bar.focus()
  await page.keyboard.press('Enter')
  const popover = page.getByRole('dialog', { name: 'Context usage' })
  await expect(popover).toBeVisible()
  await expect(popover.getByText('Topic prompt')).toBeVisible()
  await expect(popover.getByText('nothing stored yet').first()).toBeVisible()
  const before = await popover.textContent()
  const topic = popover.getByRole('switch', { name: 'Include Topic prompt in this look' })
  await topic.focus()
  await page.keyboard.press('Space')
  await expect(topic).toHaveAttribute('aria-checked', 'false')
  await expect.poll(() => popover.textContent()).not.toBe(before)
  await page.keyboard.press('Escape')
  await expect(popover).toBeHidden()
  await expect(bar).toBeFocused()
  // A what-if stores nothing: the topic prompt still leaves.
  await say(page, 'How deep is it?')
  await expect.poll(() => modelServer.requests.length).toBe(1)
  expect(JSON.stringify(modelServer.requests[0]?.body)).toContain('Only speak of tides.')
})

test('what the preview shows is what leaves, and the record shows it later', async ({ app, modelServer }) => {
  const { page } = app
  await readyToChat(app, modelServer)
  await app.call('settings.update', { patch: { context: { sendTime: false, landmarks: { enabled: false } } } })
  const session = await app.call('sessions.create', { title: 'Truth', topicPrompt: 'Only speak of tides.' })
  await page.reload()
  await page.getByText('Truth', { exact: true }).first().click()
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('How deep is it?')
  await page.getByRole('button', { name: 'Preview request' }).click()
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await expect(inspector).toContainText('How deep is it?')
  const preview = await app.call('turns.preview', { sessionId: session.id, draft: 'How deep is it?' })
  await page.getByRole('textbox', { name: 'Message', exact: true }).press('Enter')
  await expect(page.getByRole('log')).toContainText('Understood.')
  await answersEnd(app)
  expect(JSON.stringify(modelServer.requests[0]?.body)).toBe(preview.wire.body)
  const record = await app.call('turns.record', { messageId: (await newestMessage(app, session.id)).id })
  expect(record.sha256).toBe(preview.sha256)
  expect(record.wire.body).toBe(preview.wire.body)
  await page.getByRole('button', { name: 'See what was sent' }).last().click()
  await expect(inspector).toContainText('Only speak of tides.')
  await inspector.getByText('Raw body').click()
  await expect(inspector).toContainText('"role"')
})

test('an answer is stopped by key, keeps its words, and goes on in place', async ({ app, modelServer }) => {
  const { page } = app
  await readyToChat(app, modelServer)
  await page.reload()
  modelServer.answer({ text: 'The tide comes in twice a day and leaves twice.', holdAfter: 5 }, { text: ' Always.' })
  await say(page, 'Tell me')
  await expect(page.getByRole('log')).toContainText('The tide')
  await page.keyboard.press('Escape')
  await answersEnd(app)
  modelServer.release()
  const [session] = (await app.call('sessions.list', {})).sessions
  const stopped = await newestMessage(app, session?.id ?? '')
  expect(stopped.state).toBe('stopped')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('log')).toContainText(`${stopped.text} Always.`)
  expect((await newestMessage(app, session?.id ?? '')).id).toBe(stopped.id)
})

test('a Continue that is refused leaves the answer as it was, says why, and can be tried again', async ({
  app,
  modelServer,
}) => {
  const { page } = app
  await readyToChat(app, modelServer)
  await page.reload()
  const refusal = { error: { status: 400, message: 'The moon is full.' } }
  modelServer.answer({ text: 'The tide comes in', finish: 'length' }, refusal, {
    text: 'The tide comes in twice a day.',
  })
  await say(page, 'Tell me')
  await expect(page.getByRole('log')).toContainText('The answer reached the output limit')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('log')).toContainText('Could not go on; the answer is as it was.')
  await expect(page.getByRole('log')).toContainText('The moon is full.')
  await expect(page.getByRole('log')).toContainText('The tide comes in')
  const [session] = (await app.call('sessions.list', {})).sessions
  expect(await newestMessage(app, session?.id ?? '')).toMatchObject({ text: 'The tide comes in', state: 'complete' })
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('log')).toContainText('The tide comes in twice a day.')
  await expect(page.getByRole('log')).not.toContainText('Could not go on')
})

test('after kill -9 in mid-answer the window shows the question, the partial answer and the way on', async ({
  app,
  modelServer,
}) => {
  await readyToChat(app, modelServer)
  await app.page.reload()
  modelServer.answer({ text: 'The tide comes in twice a day and leaves twice.', holdAfter: 5 })
  await say(app.page, 'Tell me of tides')
  await expect(app.page.getByRole('log')).toContainText('The tide')
  const [session] = (await app.call('sessions.list', {})).sessions
  await expect.poll(async () => (await newestMessage(app, session?.id ?? '')).text).toContain('The tide')
  await app.kill()
  await app.restart()
  await app.page.getByText('Tell me of tides').first().click()
  await expect(app.page.getByRole('log')).toContainText('The tide')
  modelServer.answer({ text: 'Twice a day.' })
  await app.page
    .getByRole('button', { name: /Try again|Regenerate/ })
    .first()
    .click()
  await expect(app.page.getByRole('log')).toContainText('Twice a day.')
})
