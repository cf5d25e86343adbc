import { connectModel, newestMessage } from './support/connect-model'
import { expect, test } from './support/launch-app'

const ANSWER = 'The ferry grounds at low water, an hour past noon.'

test('a question is answered, and what left is what the record shows', async ({ app, modelServer }) => {
  await connectModel(app, modelServer)
  const { id: sessionId } = await app.call('sessions.create', { topicPrompt: 'The story is about a ferry.' })
  modelServer.answer({ text: ANSWER, usage: { input: 321, output: 12 } })
  const { replyMessageId } = await app.call('turns.send', { sessionId, text: 'When does it ground?' })
  await expect.poll(async () => (await newestMessage(app, sessionId)).state).toBe('complete')
  expect((await newestMessage(app, sessionId)).text).toBe(ANSWER)

  const record = await app.call('turns.record', { messageId: replyMessageId })
  expect(JSON.parse(record.wire.body)).toEqual(modelServer.requests[0]?.body)
  expect(record.wire.body).toContain('The story is about a ferry.')
  expect(record.reported?.inputTokens).toBe(321)
  expect(modelServer.requests[0]?.headers.authorization).toBe('Bearer sk-scripted-000000000001')
})

test('an orderly end in mid-answer keeps what had arrived', async ({ app, modelServer }) => {
  await connectModel(app, modelServer)
  const { id: sessionId } = await app.call('sessions.create', {})
  modelServer.answer({ text: ANSWER, holdAfter: 5 })
  await app.call('turns.send', { sessionId, text: 'When?' })
  await expect.poll(async () => (await app.call('turns.running', {}))[0]?.text).toBe(ANSWER.slice(0, 20))
  expect(await app.restart()).toBe(0)
  const message = await newestMessage(app, sessionId)
  expect(message.text).toBe(ANSWER.slice(0, 20))
  expect(['stopped', 'interrupted']).toContain(message.state)
  expect(modelServer.requests[0]?.aborted).toBe(true)
})

test('kill -9 in mid-answer loses neither the question nor the key', async ({ app, modelServer }) => {
  await connectModel(app, modelServer)
  const { id: sessionId } = await app.call('sessions.create', {})
  modelServer.answer({ text: ANSWER, holdAfter: 5 })
  await app.call('turns.send', { sessionId, text: 'When?' })
  await expect.poll(async () => (await newestMessage(app, sessionId)).text).toBe(ANSWER.slice(0, 20))
  await app.kill()
  await app.restart()

  const broken = await newestMessage(app, sessionId)
  expect(broken).toMatchObject({ role: 'assistant', state: 'interrupted' })
  expect(ANSWER.startsWith(broken.text)).toBe(true)
  const { messages } = await app.call('sessions.get', { sessionId })
  expect(messages[0]).toMatchObject({ role: 'user', text: 'When?' })

  modelServer.answer({ text: 'Asked again.' })
  await app.call('turns.regenerate', { sessionId, messageId: broken.id })
  await expect.poll(async () => (await newestMessage(app, sessionId)).text).toBe('Asked again.')
  expect(modelServer.requests.at(-1)?.headers.authorization).toBe('Bearer sk-scripted-000000000001')
})

test('a server that breaks off, answers with a web page or stops in mid-line is told apart in words', async ({
  app,
  modelServer,
}) => {
  await connectModel(app, modelServer)
  const { id: sessionId } = await app.call('sessions.create', {})
  const ask = async () => {
    await app.call('turns.send', { sessionId, text: 'When?' })
    await expect.poll(async () => (await newestMessage(app, sessionId)).state).toBe('failed')
    return newestMessage(app, sessionId)
  }
  modelServer.answer({ text: ANSWER, cutAfter: 3 })
  expect(await ask()).toMatchObject({ text: ANSWER.slice(0, 12), error: { code: 'model.stream_broken' } })

  modelServer.answer({ error: { status: 400, html: '<html><body><h1>Bad gateway page</h1></body></html>' } })
  const page = await ask()
  expect(page.error?.code).toBe('model.rejected')
  expect(page.error?.message).not.toContain('<h1>')

  modelServer.answer({ text: ANSWER.slice(0, 8), halfLine: true })
  expect(await ask()).toMatchObject({ text: ANSWER.slice(0, 8) })
})
