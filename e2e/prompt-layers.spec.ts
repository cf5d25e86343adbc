import { expect, test } from './support/launch-app'
import { answersEnd, goTo, lastRequest, readyToChat, say } from './support/window-steps'

test('a topic prompt set before the first message is in the very first request, and clearing it takes it out', async ({
  app,
  modelServer,
}) => {
  const { page } = app
  await readyToChat(app, modelServer)
  await page.reload()
  await page.getByRole('button', { name: 'Session settings' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Session settings' })
  await drawer.getByRole('textbox', { name: 'Topic prompt' }).fill('Only speak of tides.')
  await drawer.getByRole('button', { name: 'Close' }).click()
  await say(page, 'Hello')
  await expect(page.getByRole('log')).toContainText('Understood.')
  expect(JSON.stringify(modelServer.requests[0]?.body)).toContain(
    '<topic_prompt>\\nOnly speak of tides.\\n</topic_prompt>',
  )

  await page.getByRole('button', { name: 'Session settings' }).first().click()
  await drawer.getByRole('textbox', { name: 'Topic prompt' }).fill('')
  await drawer.getByRole('button', { name: 'Close' }).click()
  await answersEnd(app)
  await say(page, 'And now?')
  await expect.poll(() => modelServer.requests.length).toBe(2)
  expect(lastRequest(modelServer)).not.toContain('topic_prompt')
})

test('global and topic prompt add up, and an edit of the global one reaches the next turn', async ({
  app,
  modelServer,
}) => {
  const { page } = app
  await readyToChat(app, modelServer)
  const { id } = await app.call('system-prompts.save', { name: 'Editor', text: 'You edit fiction.' })
  await app.call('system-prompts.set-default', { id })
  await app.call('sessions.create', { title: 'Act three', topicPrompt: 'One night, from 20:00.' })
  await page.reload()
  await page.getByText('Act three').first().click()
  await say(page, 'Begin')
  await expect(page.getByRole('log')).toContainText('Understood.')
  await answersEnd(app)
  expect(lastRequest(modelServer)).toContain(
    '<system_prompt>\\nYou edit fiction.\\n</system_prompt>\\n\\n<topic_prompt>\\nOne night, from 20:00.\\n</topic_prompt>',
  )

  await goTo(page, 'Prompts')
  await page.getByText('Editor').first().click()
  const text = page.getByRole('textbox', { name: /text|prompt/i }).last()
  await text.fill('You edit verse.')
  await expect.poll(async () => (await app.call('system-prompts.list', {}))[0]?.text).toBe('You edit verse.')
  await goTo(page, 'Chats')
  await say(page, 'Go on')
  await expect.poll(() => modelServer.requests.length).toBe(2)
  expect(lastRequest(modelServer)).toContain('You edit verse.')
})

test('what is typed in the moment before a reload is there after it', async ({ app, modelServer, host }) => {
  test.skip(host !== 'web', 'calls a browser would cut off; the desktop hands them to another process at once')
  const { page } = app
  await readyToChat(app, modelServer)
  await app.call('sessions.create', { title: 'Act three' })
  await page.reload()
  await page.getByText('Act three').first().click()
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Where were we?')
  await page.getByRole('button', { name: 'Session settings' }).first().click()
  const topic = page.getByRole('dialog', { name: 'Session settings' }).getByRole('textbox', { name: 'Topic prompt' })
  await topic.fill('One night, from 20:00.')
  await page.reload()
  await page.getByText('Act three').first().click()
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toHaveValue('Where were we?')
  expect((await app.call('sessions.list', {})).sessions[0]?.topicPrompt).toBe('One night, from 20:00.')
})
