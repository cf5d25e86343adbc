import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { fixedClock } from '../testing/fixed-clock'
import { idSequence } from '../testing/id-sequence'
import { memoryDatabase } from '../testing/memory-database'
import { temporaryFolder } from '../testing/temporary-folder'
import { ARRIVAL_STEP, beginArrival } from './arrival'
import { sessionMigrations } from './migrations'
import { createSessionStore } from './session-store'

const LONG = ARRIVAL_STEP * 3 + 7
const AT = '2026-11-30T12:00:00.000Z'

function openStore(database = memoryDatabase(sessionMigrations), prefix = 'n') {
  const events: string[][] = []
  const store = createSessionStore({
    database,
    dataDir: temporaryFolder(),
    ids: idSequence(prefix),
    now: fixedClock().now,
    emit: (name, payload) => {
      if (name === 'sessions.changed') events.push((payload as { ids: string[] }).ids)
    },
  })
  const count = (table: string) =>
    database.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0
  return { store, database, events, count }
}

const chain = (sessionId: string, length: number) =>
  Array.from({ length }, (_, index) => ({
    id: `${sessionId}-${index}`,
    sessionId,
    parentId: index === 0 ? null : `${sessionId}-${index - 1}`,
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    text: `tide ${index}`,
    createdAt: AT,
    selected: true,
  }))

const whole = (id: string, length = LONG) => ({
  session: { id, title: `Chat ${id}`, createdAt: AT },
  messages: chain(id, length),
})

it('a long import is seen when it is whole, and others have their turn meanwhile', async () => {
  const { store, events, count } = openStore()
  const arriving = store.importSession(whole('long'))
  while (count('message') === 0) await nextTurn()
  expect(count('message')).toBe(ARRIVAL_STEP)
  expect(store.getSession('long')).toBeUndefined()
  expect(store.listSessions({}).sessions).toEqual([])
  expect(store.search({ query: 'Chat' }).total).toBe(0)
  expect(() => store.branchPage('long', {})).toThrow('does not exist')
  const other = store.createSession({ title: 'Meanwhile' })
  store.insertMessage({ sessionId: other.id, parentId: null, role: 'user', text: 'written in between' })
  await expect(store.importSession(whole('long'))).rejects.toMatchObject({ code: 'conflict' })
  expect((await arriving).messageCount).toBe(LONG)
  expect(store.branchOf('long')).toHaveLength(LONG)
  expect(events.filter((ids) => ids.includes('long'))).toHaveLength(1)
  await store.cleaned()
  expect(store.search({ query: 'tide' }).total).toBe(LONG)
})

it('a chat in the bin arrives in the bin', async () => {
  const { store } = openStore()
  const { session, messages } = whole('old')
  await store.importSession({ session: { ...session, removedAt: AT }, messages })
  expect(store.listSessions({ view: 'bin' }).sessions.map(({ id }) => id)).toEqual(['old'])
  await store.cleaned()
  expect(store.search({ query: 'tide' }).total).toBe(0)
})

it('a long fork is a copy of every row, files included', async () => {
  const { store, database } = openStore()
  await store.importSession(whole('long'))
  const file = await store.addAttachment({ name: 'a.txt', bytes: Buffer.from('quiet') })
  const blob = await store.saveBlob('long', Buffer.from('whole result'))
  const tool = { callId: 'c', toolId: 't', name: 't', arguments: {}, state: 'completed' as const }
  const last = store.insertMessage({
    sessionId: 'long',
    parentId: `long-${LONG - 1}`,
    role: 'assistant',
    text: 'end',
    parts: [
      { type: 'tool', ...tool, fullResultSha256: blob },
      { type: 'text', text: 'end' },
    ],
    attachments: [file.id],
    state: 'streaming',
  })
  const fork = await store.fork('long')
  const copy = store.branchOf(fork.id)
  expect(copy.map(({ text }) => text)).toEqual(store.branchOf('long').map(({ text }) => text))
  expect(copy.at(-1)).toMatchObject({ state: 'stopped', parts: last.parts, attachments: [{ id: file.id }] })
  expect(new Set(copy.map(({ id }) => id)).size).toBe(LONG + 1)
  expect(database.prepare('SELECT count(*) AS n FROM message_blob WHERE sha256 = ?').get(blob)).toEqual({ n: 2 })
})

it('a fork whose chat changes under it fails and leaves nothing', async () => {
  const { store, count } = openStore()
  await store.importSession(whole('long'))
  const forking = store.fork('long')
  store.removeMessage(`long-${LONG - 1}`)
  await expect(forking).rejects.toMatchObject({ code: 'conflict' })
  await store.cleaned()
  expect([count('session'), count('message')]).toEqual([1, LONG - 1])
})

it('an import that breaks off leaves nothing', async () => {
  const { store, count } = openStore()
  const { session, messages } = whole('twice')
  const broken = messages.map((message, index) => (index === LONG - 1 ? { ...message, id: 'twice-0' } : message))
  await expect(store.importSession({ session, messages: broken })).rejects.toThrow('UNIQUE')
  await store.cleaned()
  expect([count('session'), count('message')]).toEqual([0, 0])
  expect((await store.importSession({ session, messages })).messageCount).toBe(LONG)
})

it('a store that closes in the middle of an import says so', async () => {
  const { store } = openStore()
  const arriving = store.importSession(whole('late'))
  const closed = store.close()
  await expect(arriving).rejects.toMatchObject({ code: 'busy' })
  await closed
})

it('what a crash left of an import is removed at the next start', async () => {
  const { database, store } = openStore()
  await store.importSession(whole('kept'))
  beginArrival(database, { id: 'half', createdAt: AT })
  database.exec("UPDATE message SET session_id = 'half' WHERE session_id = 'kept' AND seq > 150")
  const next = openStore(database, 'x')
  expect(next.store.listSessions({}).sessions.map(({ id }) => id)).toEqual(['kept'])
  next.store.markInterrupted()
  await next.store.cleaned()
  expect([next.count('session'), next.count('message')]).toEqual([1, 150])
})
