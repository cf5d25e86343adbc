import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../e2e/support/model-server'
import { lockFolder } from './host/folder-lock'
import { openLog } from './host/open-log'
import { runningApp, type TestApp } from './testing/running-app'
import { type SmallDisk, smallDisk } from './testing/small-disk'

const LONG = 'x'.repeat(60_000)
const NOBODY = { pid: 1, host: 'web' as const, since: '2026-11-30T12:00:00Z' }
const base64 = (text: string) => Buffer.from(text).toString('base64')

let disk: SmallDisk | undefined
let app: TestApp | undefined
let server: ModelServer

beforeEach(async () => {
  disk = smallDisk(12)
  server = await startModelServer()
})
afterEach(async () => {
  await app?.app.close()
  app = undefined
  await server.close()
  disk?.remove()
})

/** Tests need a disk of their own; where none can be mounted they are left out, and the report says so. */
function needDisk(context: { skip: (note: string) => never }): SmallDisk {
  return disk ?? context.skip('This account may not mount a disk.')
}

const codeOf = async (opened: TestApp, name: string, input: unknown): Promise<string> => {
  const reply = await opened.app.call(name, input)
  return reply.ok ? 'ok' : reply.error.code
}

const chatOf = (id: string, messages: number) =>
  `{"format":"strata","version":1,"exportedAt":"","items":[\n${[
    { type: 'session', id, createdAt: '2026-01-01T00:00:00Z' },
    ...Array.from({ length: messages }, (_, index) => ({
      type: 'message',
      id: `${id}-${index}`,
      role: 'user',
      text: 'w'.repeat(2000),
      createdAt: '2026-01-01T00:00:00Z',
    })),
  ]
    .map((item) => JSON.stringify(item))
    .join(',\n')}\n]}\n`

test('a full disk is named, nothing is half-written, and space makes it well again', async (context) => {
  const small = needDisk(context)
  app = await runningApp(small.path)
  const { id } = await app.call('sessions.create', { title: 'Kept' })
  await app.call('messages.append', { sessionId: id, text: 'here before' })
  small.fill()
  const writes: [string, unknown][] = [
    ['messages.append', { sessionId: id, text: LONG }],
    ['drafts.save', { sessionId: id, text: LONG, attachments: [], queue: [] }],
    ['attachments.add', { name: 'a.txt', mediaType: 'text/plain', dataBase64: base64(LONG) }],
    ['system-prompts.save', { name: 'Editor', text: LONG }],
    ['sessions.update', { sessionId: id, patch: { topicPrompt: LONG } }],
    ['transfer.import', { fileName: 'a.json', dataBase64: base64(chatOf('new', 400)) }],
    ['backups.create', {}],
  ]
  for (const [name, input] of writes) expect(await codeOf(app, name, input), name).toBe('storage.full')
  const { messages, session } = await app.call('sessions.get', { sessionId: id })
  expect(messages.map(({ text }) => text)).toEqual(['here before'])
  expect(session.topicPrompt).toBe('')
  expect((await app.call('sessions.list', {})).sessions.map(({ title }) => title)).toEqual(['Kept'])
  small.free()
  for (const [name, input] of writes) expect(await codeOf(app, name, input), name).toBe('ok')
  expect(
    readdirSync(join(small.path, 'attachments'), { recursive: true }).some((name) => `${name}`.includes('.part')),
  ).toBe(false)
})

test('an answer that meets a full disk ends with that reason and keeps what was stored', async (context) => {
  const small = needDisk(context)
  app = await runningApp(small.path)
  const connection = await app.call('connections.save', {
    name: 'Local',
    kind: 'openai-compatible',
    baseUrl: `${server.url}/v1`,
    apiKey: 'sk-test-000000000000',
  })
  const [model] = await app.call('models.refresh', { connectionId: connection.id })
  await app.call('settings.update', {
    patch: { general: { defaultModelId: model?.id ?? null, titleFromModel: false } },
  })
  const { id } = await app.call('sessions.create', {})
  server.answer({ text: `The ferry is late. ${LONG}`, pieceLength: 2000, holdAfter: 1 })
  const { turnId, replyMessageId } = await app.call('turns.send', { sessionId: id, text: 'When?' })
  await app.event('turn.delta', (delta) => delta.turnId === turnId)
  small.fill()
  server.release()
  const failed = await app.event('turn.failed', (payload) => payload.turnId === turnId)
  expect(failed).toMatchObject({ code: 'storage.full', retryable: true })
  small.free()
  const again = await app.call('turns.regenerate', { sessionId: id, messageId: replyMessageId })
  await app.event('turn.done', (payload) => payload.turnId === again.turnId)
  const { messages } = await app.call('sessions.get', { sessionId: id })
  expect(messages[0]?.text).toBe('When?')
})

test('a folder that can only be read is named before anything starts', async (context) => {
  const small = needDisk(context)
  const first = await runningApp(small.path)
  await first.app.close()
  small.makeReadOnly()
  expect(() => lockFolder(small.path, NOBODY)).toThrow('cannot be written. Check the rights')
  await expect(runningApp(small.path)).rejects.toMatchObject({ code: 'storage.locked' })
})

test('a log that cannot be written ends nothing', async (context) => {
  const small = needDisk(context)
  const log = openLog(small.path)
  small.fill()
  for (let line = 0; line < 200; line += 1) log.info({ line, filler: 'y'.repeat(200) }, 'a line')
  small.free()
  log.info('written again')
  expect(readdirSync(join(small.path, 'logs'))).toEqual(['strata.log'])
})
