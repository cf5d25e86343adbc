import { afterEach, beforeEach, expect, test } from 'vitest'
import { runningApp, type TestApp } from '../testing/running-app'
import { startTemplateServer, type TemplateServer } from '../testing/template-servers'

const GREETINGS = ['“You are late,” says Wen.', ' ', 'Wen only nods.']

let app: TestApp
let server: TemplateServer
beforeEach(async () => {
  app = await runningApp()
  // refuses, in this server's own words, a first message that is not the user's
  server = await startTemplateServer('mistral')
  const { id } = await app.call('connections.save', {
    name: 'Local',
    kind: 'openai-compatible',
    baseUrl: server.baseUrl,
  })
  await app.call('models.save', { id: `${id}/small`, contextWindow: 32_000 })
  await app.call('settings.update', { patch: { general: { defaultModelId: `${id}/small` } } })
})
afterEach(async () => {
  await app.close()
  await server.close()
})

const shown = async (sessionId: string) => (await app.call('sessions.get', { sessionId })).messages

test('a chat can begin with the assistant; other greetings are versions of that message', async () => {
  const session = await app.call('sessions.create', { title: 'Wen', greetings: GREETINGS })
  const [opening, ...rest] = await shown(session.id)
  expect(rest).toEqual([])
  expect(opening).toMatchObject({ role: 'assistant', text: GREETINGS[0], parentId: null, state: 'complete' })
  expect(opening?.siblings).toHaveLength(2)
  expect(session).toMatchObject({ title: 'Wen', messageCount: 2, snippet: GREETINGS[0] })
  const other = opening?.siblings[1] ?? ''
  await app.call('messages.select', { messageId: other })
  expect((await shown(session.id)).map(({ text }) => text)).toEqual([GREETINGS[2]])
  const edited = await app.call('messages.edit', { messageId: other, text: 'Wen nods twice.' })
  expect(edited).toMatchObject({ role: 'assistant', siblings: [opening?.id, other, edited.id] })
  expect(await app.app.call('turns.regenerate', { sessionId: session.id, messageId: other })).toMatchObject({
    ok: false,
    error: { code: 'bad_input' },
  })
  expect(await shown(session.id)).toHaveLength(1)
})

test('a server that wants the user first takes it all the same, and reads the greeting that is shown', async () => {
  const { id } = await app.call('sessions.create', { title: 'Wen', topicPrompt: 'The harbour.', greetings: GREETINGS })
  const sent = await app.call('turns.send', { sessionId: id, text: 'Sorry.' })
  await app.event('turn.done', (payload) => payload.turnId === sent.turnId)
  const [, , answer] = await shown(id)
  expect(answer).toMatchObject({ role: 'assistant', state: 'complete' })
  const body = server.requests.at(-1)?.raw ?? ''
  expect(body).toContain('You are late')
  expect(body).not.toContain('only nods')
})
