import { expect, it } from 'vitest'
import { createStorageHealth } from '../storage/health'
import { fixedClock } from '../testing/fixed-clock'
import { idSequence } from '../testing/id-sequence'
import { memoryDatabase } from '../testing/memory-database'
import { temporaryFolder } from '../testing/temporary-folder'
import type { MessagePart } from './contract'
import { sessionMigrations } from './migrations'
import { createSessionStore } from './session-store'

function open(database = memoryDatabase(sessionMigrations)) {
  let well = () => undefined as unknown
  const told: string[] = []
  const storage = createStorageHealth({
    probe: () => database.pragma('user_version = 0'),
    nowIso: () => 'now',
    onChange: ({ trouble }) => trouble ?? well(),
    onLost: (what, error) => told.push(`${what}: ${error}`),
  })
  const store = createSessionStore({
    database,
    dataDir: temporaryFolder(),
    ids: idSequence(),
    now: fixedClock().now,
    emit: (name) => told.push(name),
    storage,
  })
  return {
    database,
    store,
    storage,
    told,
    refuse: (on: boolean) => void database.pragma(`query_only = ${on ? 'ON' : 'OFF'}`),
    /** Resolves when writing works again. */
    recovered: () =>
      new Promise<void>((resolve) => {
        well = () => resolve()
      }),
  }
}

const text = (words: string): MessagePart[] => [{ type: 'text', text: words }]

function answerOf(opened: ReturnType<typeof open>, parts: MessagePart[] = []) {
  const { id: sessionId } = opened.store.createSession({})
  const question = opened.store.insertMessage({ sessionId, parentId: null, role: 'user', text: 'When?' })
  const answer = opened.store.insertMessage({
    sessionId,
    parentId: question.id,
    role: 'assistant',
    text: '',
    parts,
    state: 'streaming',
  })
  return { sessionId, id: answer.id }
}

it('pieces of a long answer are one text to every reader, and one row when it ends', async () => {
  const opened = open()
  const { store, database } = opened
  const { sessionId, id } = answerOf(opened)
  const thought: MessagePart = { type: 'reasoning', text: 'Hm. ' }
  store.keepMessage(id, { parts: [thought, ...text('The ferry ')] })
  store.keepMessage(id, { parts: [] }, { part: 1, text: 'comes ' })
  store.keepMessage(id, { parts: [] }, { part: 1, text: 'at 十点.' })
  expect(database.prepare('SELECT text FROM message WHERE id = ?').get(id)).toEqual({ text: 'The ferry ' })
  const whole = 'The ferry comes at 十点.'
  expect(store.requireMessage(id)).toMatchObject({ text: whole, parts: [thought, ...text(whole)], state: 'streaming' })
  expect(store.branchOf(sessionId).at(-1)?.text).toBe(whole)
  expect([...store.messageBatches(sessionId)].flat().at(-1)?.text).toBe(whole)
  expect(store.branchOf((await store.fork(sessionId)).id).at(-1)).toMatchObject({ text: whole, state: 'stopped' })
  store.keepMessage(id, { parts: [thought, ...text(`${whole} Done.`)], state: 'complete' })
  expect(store.requireMessage(id)).toMatchObject({ text: `${whole} Done.`, state: 'complete' })
  expect(database.prepare('SELECT count(*) AS n FROM answer_piece').get()).toEqual({ n: 0 })
})

it('an answer the process died in keeps its pieces, says so and is found by its words', () => {
  const first = open()
  const { id } = answerOf(first)
  first.store.keepMessage(id, { parts: text('The ferry ') })
  first.store.keepMessage(id, { parts: [] }, { part: 0, text: 'comes tomorrow.' })
  const { store } = open(first.database)
  expect(store.markInterrupted()).toEqual([id])
  expect(store.requireMessage(id)).toMatchObject({ text: 'The ferry comes tomorrow.', state: 'interrupted' })
  expect(store.search({ query: 'tomorrow' }).hits.length).toBeGreaterThan(0)
})

it('what the disk refuses of an answer is shown, and written when there is room', async () => {
  const opened = open()
  const { store, database, refuse, storage } = opened
  const { sessionId, id } = answerOf(opened)
  store.keepMessage(id, { parts: text('The ferry ') })
  refuse(true)
  const parts = text('The ferry comes ')
  expect(store.keepMessage(id, { parts }, { part: 0, text: 'comes ' })).toBe(false)
  if (parts[0]?.type === 'text') parts[0].text += 'at ten.'
  expect(store.requireMessage(id)).toMatchObject({ text: 'The ferry comes at ten.', state: 'streaming' })
  store.keepMessage(id, { parts, state: 'complete', finishReason: 'stop' })
  expect(store.branchOf(sessionId).at(-1)).toMatchObject({ state: 'complete', finishReason: 'stop' })
  expect(database.prepare('SELECT text, state FROM message WHERE id = ?').get(id)).toEqual({
    text: 'The ferry ',
    state: 'streaming',
  })
  expect(() => store.updateMessage(id, { state: 'streaming' })).toThrow()
  const recovered = opened.recovered()
  refuse(false)
  await recovered
  expect(database.prepare('SELECT text, state FROM message WHERE id = ?').get(id)).toEqual({
    text: 'The ferry comes at ten.',
    state: 'complete',
  })
  expect(storage.state()).toEqual({ trouble: null, waiting: 0 })
})

it('a start on a full disk shows interrupted answers as such, and one continued meanwhile goes on', async () => {
  const first = open()
  const one = answerOf(first, text('One'))
  const two = answerOf(first, text('Two'))
  const opened = open(first.database)
  const { store, refuse } = opened
  refuse(true)
  store.markInterrupted()
  expect([one, two].map(({ id }) => store.requireMessage(id).state)).toEqual(['interrupted', 'interrupted'])
  refuse(false)
  // before the next look for room
  store.updateMessage(two.id, { state: 'streaming' })
  await opened.recovered()
  expect([one, two].map(({ id }) => store.requireMessage(id).state)).toEqual(['interrupted', 'streaming'])
})

it('a question and its answer’s place are stored together or not at all', () => {
  const { store, database } = open()
  const { id: sessionId } = store.createSession({})
  const row = { sessionId, role: 'user' as const, text: 'When?' }
  expect(() =>
    store.insertMessages([
      { ...row, id: 'q', parentId: null },
      { ...row, id: 'a', role: 'assistant', parentId: 'nowhere' },
    ]),
  ).toThrow()
  expect(database.prepare('SELECT count(*) AS n FROM message').get()).toEqual({ n: 0 })
  expect(store.branchOf(sessionId)).toEqual([])
  expect(store.requireSession(sessionId)).toMatchObject({ messageCount: 0, title: '' })
})
