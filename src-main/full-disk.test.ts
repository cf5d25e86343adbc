import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
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

async function chatWithModel(opened: TestApp): Promise<string> {
  const connection = await opened.call('connections.save', {
    name: 'Local',
    kind: 'openai-compatible',
    baseUrl: `${server.url}/v1`,
    apiKey: 'sk-test-000000000000',
  })
  const [model] = await opened.call('models.refresh', { connectionId: connection.id })
  await opened.call('settings.update', {
    patch: { general: { defaultModelId: model?.id ?? null, titleFromModel: false } },
  })
  return (await opened.call('sessions.create', {})).id
}

/** An answer whose first piece has come when the disk is full. */
async function fillInMidAnswer(opened: TestApp, small: SmallDisk, sessionId: string, text: string) {
  server.answer({ text, pieceLength: 2000, holdAfter: 1 })
  const started = await opened.call('turns.send', { sessionId, text: 'When?' })
  await opened.event('turn.delta', (delta) => delta.turnId === started.turnId)
  await expect.poll(() => storedAnswer(small.path)?.text).not.toBe('')
  small.fill()
  return started
}

const stateOf = async (opened: TestApp, sessionId: string) => {
  const { messages } = await opened.call('sessions.get', { sessionId })
  return messages.map(({ role, state, text }) => ({ role, state, text }))
}

/** The rows as another program sees them. */
function storedAnswer(folder: string): { state: string; text: string } | undefined {
  const database = new BetterSqlite3(join(folder, 'strata.sqlite'), { readonly: true })
  try {
    return database
      .prepare<[], { state: string; text: string }>("SELECT state, text FROM message WHERE role = 'assistant'")
      .get()
  } finally {
    database.close()
  }
}

test('an answer that meets a full disk goes on, is shown whole, and is stored when there is room', async (context) => {
  const small = needDisk(context)
  app = await runningApp(small.path)
  const sessionId = await chatWithModel(app)
  const text = `The ferry is late. ${LONG.repeat(5)}`
  const { turnId } = await fillInMidAnswer(app, small, sessionId, text)
  server.release()
  await app.event('turn.done', (done) => done.turnId === turnId)
  expect(app.events.filter(({ name }) => name === 'turn.failed')).toEqual([])
  const { trouble, waiting } = await app.call('storage.state', {})
  expect(trouble).toMatchObject({ code: 'storage.full' })
  expect(waiting).toBeGreaterThan(0)
  expect((await stateOf(app, sessionId))[1]).toEqual({ role: 'assistant', state: 'complete', text })
  expect(storedAnswer(small.path)).toMatchObject({ state: 'streaming' })
  // a send that cannot be stored leaves nothing of it behind
  expect(await codeOf(app, 'turns.send', { sessionId, text: LONG })).toBe('storage.full')
  expect(await stateOf(app, sessionId)).toHaveLength(2)

  small.free()
  await app.event('storage.changed', (state) => state.trouble === null)
  expect(storedAnswer(small.path)).toEqual({ state: 'complete', text })
  expect((await app.call('storage.state', {})).waiting).toBe(0)
  const [, answer] = (await app.call('sessions.get', { sessionId })).messages
  const record = await app.call('turns.record', { messageId: answer?.id ?? '' })
  expect(record.finishReason).toBe('stop')
})

test('an answer that is running when the app is closed on a full disk is an interrupted one at the next start', async (context) => {
  const small = needDisk(context)
  const first = await runningApp(small.path)
  const sessionId = await chatWithModel(first)
  await fillInMidAnswer(first, small, sessionId, `The ferry is late. ${LONG.repeat(5)}`)
  await first.app.close()
  app = await runningApp(small.path)
  const [, answer] = await stateOf(app, sessionId)
  expect(answer?.state).toBe('interrupted')
  expect(answer?.text).toMatch(/^The ferry is late\./)
  expect((await app.call('storage.state', {})).trouble).toMatchObject({ code: 'storage.full' })
  small.free()
  await app.event('storage.changed', (state) => state.trouble === null)
  expect(storedAnswer(small.path)).toMatchObject({ state: 'interrupted' })
})

test('work in the background meets a full disk, waits for room and is done then', async (context) => {
  const small = needDisk(context)
  app = await runningApp(small.path)
  const sessionId = await chatWithModel(app)
  await app.call('settings.update', {
    patch: { general: { titleFromModel: true }, recentConversations: { minUserTurns: 1 } },
  })
  await app.call('memory.save', { text: 'The ferry leaves at ten.' })
  const { turnId } = await fillInMidAnswer(app, small, sessionId, `At ten. ${LONG}`)
  server.answer({ text: 'Ferry times' })
  server.release()
  await app.event('turn.done', (done) => done.turnId === turnId)
  expect(await app.call('jobs.list', {})).toEqual([])
  small.free()
  await app.event('storage.changed', (state) => state.trouble === null)
  await app.event('job.progress', ({ state }) => state === 'done')
  const kinds = (await app.call('jobs.list', {})).map(({ kind }) => kind)
  expect(kinds).toContain('title')
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
