import { expect, it } from 'vitest'
import type { WriteDatabase } from '../storage/database'
import { memoryDatabase } from '../testing/memory-database'
import { removeHidden } from './leaving'
import { sessionMigrations } from './migrations'
import { createSessionStore, type SessionStore } from './session-store'

function open(database: WriteDatabase = memoryDatabase(sessionMigrations)) {
  let last = 0
  const ids = () => {
    last += 1
    return `n${last}-${Math.trunc(performance.now())}`
  }
  const store = createSessionStore({ database, dataDir: '/nowhere', ids, now: Date.now, emit: () => {} })
  return { database, store }
}

async function longChat(store: SessionStore, id: string, size: number): Promise<void> {
  const createdAt = new Date(0).toISOString()
  const messages = Array.from({ length: size }, (_, index) => ({
    id: `${id}-${index}`,
    sessionId: id,
    parentId: index === 0 ? null : `${id}-${index - 1}`,
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    text: `tide ${index}`,
    createdAt,
    selected: true,
  }))
  await store.importSession({ session: { id, title: id, createdAt }, messages })
}

const left = (database: WriteDatabase) =>
  database.prepare<[], { n: number }>('SELECT count(*) AS n FROM message').get()?.n ?? 0

it('a long chat is out of sight at once and goes in pieces, each told to the rooms', async () => {
  const { database, store } = open()
  await longChat(store, 'long', 1050)
  await longChat(store, 'kept', 20)
  await store.cleaned()
  const told: { sessionIds: string[]; messageIds: string[] }[] = []
  store.onDeparture((gone) => told.push(gone))
  expect(store.purge(['long'])).toEqual(['long'])
  expect(store.getSession('long')).toBeUndefined()
  expect(store.listSessions({}).sessions.map(({ id }) => id)).toEqual(['kept'])
  expect(store.restore(['long'])).toEqual([])
  expect(left(database)).toBe(1070)
  await store.cleaned()
  expect(left(database)).toBe(20)
  expect(told[0]).toEqual({ sessionIds: ['long'], messageIds: [] })
  expect(told.flatMap(({ messageIds }) => messageIds).sort()).toHaveLength(1050)
  expect(Math.max(...told.map(({ messageIds }) => messageIds.length))).toBeLessThanOrEqual(100)
  expect(database.prepare("SELECT 1 FROM session WHERE id = 'long'").get()).toBeUndefined()
  expect(store.search({ query: 'tide' }).total).toBe(20)
  await store.close()
})

it('a long branch leaves the chat as it was above it', async () => {
  const { database, store } = open()
  await longChat(store, 'long', 900)
  expect(store.removeMessage('long-300')).toBe(600)
  expect(
    store
      .branchOf('long')
      .map(({ id }) => id)
      .at(-1),
  ).toBe('long-299')
  store.insertMessage({ sessionId: 'long', parentId: 'long-299', role: 'user', text: 'and on' })
  await store.cleaned()
  expect(left(database)).toBe(301)
  expect(store.requireSession('long').messageCount).toBe(301)
  expect(database.prepare('SELECT count(*) AS n FROM session').get()).toEqual({ n: 1 })
  await store.close()
})

it('what an end in the middle left is removed at the next start, with everything below it', async () => {
  const { database, store } = open()
  await longChat(store, 'long', 700)
  await store.cleaned()
  store.removeMessage('long-100')
  await store.close()
  expect(left(database)).toBe(700)
  const again = open(database).store
  expect(again.branchOf('long')).toHaveLength(100)
  again.markInterrupted()
  await again.cleaned()
  expect(left(database)).toBe(100)
  await again.close()
})

it('a message written below one that goes goes too', async () => {
  const { database, store } = open()
  await longChat(store, 'long', 300)
  await store.cleaned()
  store.removeMessage('long-10')
  const hidden = database.prepare<[], { id: string }>('SELECT id FROM session WHERE arriving = 1').get()?.id ?? ''
  const steps = removeHidden(database, hidden, () => undefined)
  steps.next()
  database.exec(`INSERT INTO message (id, session_id, parent_id, selected, role, text, parts, state, created_at, has_attachments)
    VALUES ('late', 'long', 'long-50', 1, 'user', 'late', '', 'complete', '2026', 0)`)
  while (!steps.next().done);
  expect(left(database)).toBe(10)
  await store.close()
})
