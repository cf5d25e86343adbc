import { expect, test } from 'vitest'
import { AppError } from '../../ipc/app-error'
import type { WriteDatabase } from '../../storage/database'
import { idSequence } from '../../testing/id-sequence'
import { memoryDatabase } from '../../testing/memory-database'
import type { WriteContext } from './change-row'
import { memoryMigrations } from './migrations'
import { findMemory, listHistory, listMemories } from './repository'
import { removeMemories, saveMemory, setArchived, supersede, undoChange } from './write'

function open() {
  const database = memoryDatabase(memoryMigrations)
  const newId = idSequence('m')
  let minute = 0
  const context = (): WriteContext => {
    minute += 1
    return { newId, nowIso: `2026-11-30T12:${String(minute).padStart(2, '0')}:00.000+01:00` }
  }
  return { database, context }
}
const codeOf = (run: () => unknown): string | undefined => {
  try {
    run()
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
  return undefined
}
const tablesWith = (database: WriteDatabase, id: string) =>
  ['memory', 'memory_history', 'memory_vec', 'memory_use', 'memory_suggestion'].filter((table) =>
    database
      .prepare<[string], object>(`SELECT 1 FROM ${table} WHERE ${table === 'memory' ? 'id' : 'memory_id'} = ?`)
      .get(id),
  )

test('a save writes row, history and outbox together', () => {
  const { database, context } = open()
  const { row } = saveMemory(database, { text: '  The user likes tea ' }, context())
  expect(row).toMatchObject({ text: 'The user likes tea', revision: 1, kind: 'fact', source_kind: 'manual' })
  expect(listHistory(database, row.id)).toMatchObject([{ action: 'created', revision: 1 }])
  expect(database.prepare('SELECT memory_id, revision, operation FROM memory_outbox').all()).toEqual([
    { memory_id: row.id, revision: 1, operation: 'upsert' },
  ])
})

test.each([
  ['the user likes  tea.', true],
  ['Ｔhe user likes tea', true],
  ['The user likes tea。', true],
  ['The user likes Tea', false],
  ['The user likes no tea', false],
  ['The user liked tea', false],
  ["The user's wife likes tea", false],
])('%j beside "The user likes tea": one memory is %s', (text, merged) => {
  const { database, context } = open()
  saveMemory(database, { text: 'The user likes tea', entities: ['tea'] }, context())
  saveMemory(database, { text, entities: ['drink'], importance: 0.9 }, context())
  const { rows } = listMemories(database, { status: 'all', limit: 10, nowIso: '2026-11-30T13:00:00.000Z' })
  expect(rows.length).toBe(merged ? 1 : 2)
  if (merged) {
    expect(rows[0]).toMatchObject({ text: 'The user likes tea', importance: 0.9, entities: '["tea","drink"]' })
    expect(listHistory(database, rows[0]?.id ?? '')[0]?.action).toBe('merged')
  }
})

test('"US" and "us", 2³ and 23 are not one', () => {
  const { database, context } = open()
  for (const text of ['He moved to the US', 'He moved to the us', 'The size is 2³', 'The size is 23'])
    saveMemory(database, { text }, context())
  expect(listMemories(database, { status: 'all', limit: 10, nowIso: '2026-11-30T13:00:00Z' }).total).toBe(4)
})

test('an equal text does not merge into an archived or past one', () => {
  const { database, context } = open()
  const { row } = saveMemory(database, { text: 'Plays chess' }, context())
  setArchived(database, [row.id], true, context())
  expect(saveMemory(database, { text: 'Plays chess' }, context()).row.id).not.toBe(row.id)
})

test('two windows: the second edit of the same revision is a conflict and changes nothing', () => {
  const { database, context } = open()
  const { row } = saveMemory(database, { text: 'one' }, context())
  saveMemory(database, { id: row.id, text: 'two', revision: 1 }, context())
  expect(codeOf(() => saveMemory(database, { id: row.id, text: 'three', revision: 1 }, context()))).toBe('conflict')
  expect(findMemory(database, row.id)?.text).toBe('two')
  expect(listHistory(database, row.id).length).toBe(2)
})

test('a replacement closes the old one and links it; undo opens it again, undo of the undo closes it', () => {
  const { database, context } = open()
  const old = saveMemory(database, { text: 'Lives in Berlin' }, context()).row
  const now = saveMemory(database, { text: 'Lives in Vienna', replaces: old.id }, context()).row
  const closed = findMemory(database, old.id)
  expect(closed).toMatchObject({ superseded_by: now.id, text: 'Lives in Berlin' })
  expect(closed?.valid_until).not.toBeNull()
  undoChange(database, old.id, undefined, context())
  expect(findMemory(database, old.id)).toMatchObject({ superseded_by: null, valid_until: null })
  undoChange(database, old.id, undefined, context())
  expect(findMemory(database, old.id)?.superseded_by).toBe(now.id)
  expect(codeOf(() => supersede(database, now.id, old.id, context()))).toBe('bad_input')
})

test('undo to an early entry puts back what stood before it', () => {
  const { database, context } = open()
  const { row } = saveMemory(database, { text: 'first' }, context())
  saveMemory(database, { id: row.id, text: 'second', importance: 1 }, context())
  saveMemory(database, { id: row.id, text: 'third' }, context())
  const second = listHistory(database, row.id).find((entry) => entry.after.text === 'second')
  undoChange(database, row.id, second?.seq, context())
  expect(findMemory(database, row.id)).toMatchObject({ text: 'first', importance: 0.5, revision: 4 })
  const created = listHistory(database, row.id).at(-1)
  expect(codeOf(() => undoChange(database, row.id, created?.seq, context()))).toBe('bad_input')
})

test('an edit of anything but the words does not ask for a new vector', () => {
  const { database, context } = open()
  const { row } = saveMemory(database, { text: 'same words' }, context())
  database.prepare('DELETE FROM memory_outbox').run()
  expect(saveMemory(database, { id: row.id, text: 'same words', importance: 1 }, context()).row).toMatchObject({
    revision: 2,
    text_revision: 1,
  })
  expect(database.prepare('SELECT * FROM memory_outbox').all()).toEqual([])
})

test('delete removes row, history, vectors, uses and suggestions, and tells the index', () => {
  const { database, context } = open()
  const { row } = saveMemory(
    database,
    { text: 'secret words', source: { kind: 'conversation', quote: 'secret quote' } },
    context(),
  )
  const other = saveMemory(database, { text: 'secret word' }, context()).row
  database
    .prepare("INSERT INTO memory_space VALUES (1, 'p', '', 'm', 'r', 1, x'00', NULL, NULL, '', 'l', 'serving', 'now')")
    .run()
  database.prepare("INSERT INTO memory_vec VALUES (1, ?, 0, 1, 'sentence', x'00', 'gloss')").run(row.id)
  database.prepare("INSERT INTO memory_use VALUES (?, 'msg', 's', 'injected', 'now', 1, 1)").run(row.id)
  database.prepare("INSERT INTO memory_suggestion VALUES ('g', 'replaces', ?, ?, 1, 'now', NULL)").run(row.id, other.id)
  expect(tablesWith(database, row.id).length).toBe(5)
  expect(removeMemories(database, [row.id, 'unknown'])).toEqual([row.id])
  expect(tablesWith(database, row.id)).toEqual([])
  expect(database.prepare("SELECT memory_id FROM memory_outbox WHERE operation = 'delete'").all()).toEqual([
    { memory_id: row.id },
  ])
})

test('what a deleted memory had replaced stays past', () => {
  const { database, context } = open()
  const old = saveMemory(database, { text: 'Lives in Berlin' }, context()).row
  const now = saveMemory(database, { text: 'Lives in Vienna', replaces: old.id }, context()).row
  removeMemories(database, [now.id])
  expect(findMemory(database, old.id)).toMatchObject({ superseded_by: null })
  expect(
    listMemories(database, { status: 'past', limit: 10, nowIso: '2026-12-01T00:00:00.000Z' }).rows.map((row) => row.id),
  ).toEqual([old.id])
})

test('times of any offset are compared as moments', () => {
  const { database, context } = open()
  saveMemory(database, { text: 'ends at noon in Tokyo', validUntil: '2026-11-30T12:00:00+09:00' }, context())
  const at = (nowIso: string) => listMemories(database, { status: 'active', limit: 10, nowIso }).total
  expect(at('2026-11-30T02:59:00.000Z')).toBe(1)
  expect(at('2026-11-30T03:01:00.000Z')).toBe(0)
})

test('a memory cannot end before it begins, in whichever order the two are given', () => {
  const { database, context } = open()
  const [early, late] = ['2026-01-01T00:00:00+00:00', '2026-02-01T00:00:00+00:00']
  const save = (input: Parameters<typeof saveMemory>[1]) => saveMemory(database, input, context()).row
  expect(codeOf(() => save({ text: 'a', validFrom: late, validUntil: early }))).toBe('bad_input')
  const { id } = save({ text: 'a', validFrom: late })
  expect(codeOf(() => save({ id, text: 'a', validUntil: early }))).toBe('bad_input')
  expect(save({ id, text: 'a', validFrom: null, validUntil: early }).valid_until).toBe(early)
})

test('search in the list takes % and _ as they are', () => {
  const { database, context } = open()
  saveMemory(database, { text: 'earned 50% more' }, context())
  saveMemory(database, { text: 'earned 50 euros' }, context())
  expect(listMemories(database, { status: 'all', query: '50%', limit: 10, nowIso: '2026-12-01T00:00:00Z' }).total).toBe(
    1,
  )
})
