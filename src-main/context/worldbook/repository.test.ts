import { describe, expect, it } from 'vitest'
import type { WriteDatabase } from '../../storage/database'
import { idSequence } from '../../testing/id-sequence'
import { memoryDatabase } from '../../testing/memory-database'
import { changeBook, listVersions, MOST_WHOLE_VERSIONS } from './book-changes'
import type { Book } from './book-contract'
import { listHeads, readBook, readEntries } from './book-rows'
import type { Breathe } from './breathing'
import { changeLargeBook, replaceLargeBook, restoreVersion } from './large-changes'
import { worldbookMigrations } from './migrations'
import { textOf } from './packed-book'
import { deleteGone, giveUpUnfinished, hideBook, insertTextsInSlices } from './repository'
import { insertBook } from './testing/insert-book'
import { book, entry } from './testing/small-books'
import { copyTimers, forgetTimers, readBranchTimers, writeTimers } from './timer-rows'

const NOW = '2026-11-30T12:00:00+08:00'
const LATER = '2026-11-30T13:00:00+08:00'
const setIds = idSequence('set')
const inSlices = (database: WriteDatabase, breathe: Breathe = () => undefined) => ({ database, ids: setIds, breathe })

function stored(entries = [entry('a'), entry('b'), entry('c')]) {
  const database = memoryDatabase(worldbookMigrations)
  insertBook(
    database,
    { ...book(entries, { scanDepth: 3 }), extra: { x: [1] }, origin: { format: 'f', fields: { y: 2 } } },
    { id: 'b1', nowIso: NOW },
  )
  const ids = () => readEntries(database, 'b1').map(({ id }) => id)
  return { database, ids }
}

describe('books', () => {
  it('come back as they went in, in file order', () => {
    const { database } = stored([entry('z', { extra: { custom: true } }), entry('a', { keys: ['x'], depth: 7 })])
    const read = readBook(database, 'b1')
    expect(read?.entries).toEqual([entry('z', { extra: { custom: true } }), entry('a', { keys: ['x'], depth: 7 })])
    expect(read).toMatchObject({
      settings: { scanDepth: 3 },
      extra: { x: [1] },
      origin: { format: 'f', fields: { y: 2 } },
      version: 1,
    })
  })

  it('are gone with their entries and versions', async () => {
    const { database } = stored()
    changeBook(database, 'b1', { remove: ['a'] }, LATER)
    expect(hideBook(database, 'none')).toBe(false)
    expect(hideBook(database, 'b1')).toBe(true)
    expect([listHeads(database), readBook(database, 'b1')]).toEqual([[], undefined])
    await deleteGone(database, () => undefined)
    for (const table of ['worldbook', 'worldbook_entry', 'worldbook_version']) {
      expect(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 0 })
    }
  })
})

describe('books written in slices', () => {
  const texts = Array.from({ length: 450 }, (_none, at) => textOf(entry(String(at))))
  const head = { ...book([]), name: 'Long' }

  it('are seen when whole, and leave nothing when cut off', async () => {
    const { database } = stored()
    const seen: number[] = []
    const breathe = async () => void seen.push(listHeads(database).length)
    await insertTextsInSlices(database, { head, texts }, { id: 'b2', nowIso: NOW, breathe })
    expect(seen).toEqual([1, 1])
    expect(readBook(database, 'b2')).toMatchObject({ version: 1, name: 'Long' })
    expect(readEntries(database, 'b2').map(({ id }) => id)).toEqual(texts.map(({ id }) => id))

    const twice = [...texts, { id: '3', body: '{}' }]
    const again = insertTextsInSlices(database, { head, texts: twice }, { id: 'b3', nowIso: NOW, breathe })
    await expect(again).rejects.toThrow()
    expect(database.prepare("SELECT count(*) AS n FROM worldbook_entry WHERE worldbook_id = 'b3'").get()).toEqual({
      n: 0,
    })
  })

  it('that were never ended are removed', async () => {
    const { database } = stored()
    const stopped = insertTextsInSlices(
      database,
      { head, texts },
      { id: 'b2', nowIso: NOW, breathe: () => new Promise(() => {}) },
    )
    expect(readBook(database, 'b2')).toBeUndefined()
    giveUpUnfinished(database)
    await deleteGone(database, () => undefined)
    expect(database.prepare('SELECT count(*) AS n FROM worldbook').get()).toEqual({ n: 1 })
    void stopped
  })
})

describe('edits', () => {
  it('put new entries last, also when early ones are gone', async () => {
    const { database, ids } = stored(['a', 'b', 'c', 'd', 'e'].map((id) => entry(id)))
    changeBook(database, 'b1', { remove: ['a', 'b', 'c'] }, LATER)
    changeBook(database, 'b1', { put: [entry('f')] }, LATER)
    expect(ids()).toEqual(['d', 'e', 'f'])
    await restoreVersion(inSlices(database), 'b1', 1, LATER)
    expect(ids()).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('make one version each, and none when nothing changes', () => {
    const { database } = stored()
    expect(changeBook(database, 'b1', { put: [entry('a')], order: ['a', 'b', 'c'] }, LATER)?.version).toBe(1)
    expect(changeBook(database, 'b1', { put: [entry('a', { content: 'new' })] }, LATER)).toMatchObject({
      version: 2,
      updatedAt: LATER,
    })
    expect(changeBook(database, 'b1', { order: ['c', 'a', 'b'] }, LATER)?.version).toBe(3)
    expect(listVersions(database, 'b1').map(({ version, savedAt }) => [version, savedAt])).toEqual([
      [2, LATER],
      [1, NOW],
    ])
  })

  it('add at the end, remove, put in order', () => {
    const { database, ids } = stored()
    changeBook(database, 'b1', { put: [entry('d')], remove: ['b'] }, LATER)
    expect(ids()).toEqual(['a', 'c', 'd'])
    changeBook(database, 'b1', { order: ['d', 'c', 'a'] }, LATER)
    expect(ids()).toEqual(['d', 'c', 'a'])
  })

  it('of an unknown book are undefined and leave nothing', () => {
    const { database } = stored()
    expect(changeBook(database, 'nope', { put: [entry('x')] }, LATER)).toBeUndefined()
    expect(readEntries(database, 'nope')).toEqual([])
  })

  it('can all be taken back, whatever they were', async () => {
    const { database } = stored()
    const states: Book[] = []
    const keep = () => {
      const now = readBook(database, 'b1')
      if (now) states.push(now)
    }
    keep()
    changeBook(database, 'b1', { put: [entry('b', { content: 'new' }), entry('n')] }, LATER)
    keep()
    changeBook(database, 'b1', { remove: ['a', 'n'], order: ['c', 'b'] }, LATER)
    keep()
    const [first] = states
    if (first)
      await replaceLargeBook(
        inSlices(database),
        'b1',
        { head: { ...first, name: 'Renamed' }, texts: [entry('q'), entry('a', { order: 5 })].map(textOf) },
        LATER,
      )
    keep()
    for (const state of states.toReversed()) {
      await restoreVersion(inSlices(database), 'b1', state.version, LATER)
      const { version: _v, updatedAt: _u, ...back } = readBook(database, 'b1') ?? {}
      const { version: _version, updatedAt: _updated, ...wanted } = state
      if (state.version < 4) expect(back).toEqual(wanted)
    }
    expect(listHeads(database)[0]?.version).toBeGreaterThan(4)
    expect(await restoreVersion(inSlices(database), 'b1', 999, LATER)).toBeUndefined()
  })
})

describe('edits of many entries', () => {
  const many = Array.from({ length: 1200 }, (_none, at) => entry(String(at)))
  const bodies = (content: string) => new Map(many.map((one) => [one.id, textOf({ ...one, content }).body] as const))
  const contents = (database: WriteDatabase) => new Set(readEntries(database, 'b1').map(({ content }) => content))
  const rows = (database: WriteDatabase, where: string) => database.prepare(`SELECT count(*) AS n FROM ${where}`).get()

  it('are seen all at once, and small edits, other large ones and the way back go on from there', async () => {
    const { database } = stored(many)
    const before = readBook(database, 'b1')
    const seen = new Set<string>()
    const breathe: Breathe = async () => {
      for (const content of contents(database)) seen.add(content)
      expect(listHeads(database)).toMatchObject([{ id: 'b1', version: 1 }])
    }
    const put = bodies('new')
    expect(await changeLargeBook(inSlices(database, breathe), 'b1', { put, remove: new Set() }, LATER)).toMatchObject({
      version: 2,
    })
    expect(seen.has('new')).toBe(false)
    expect(contents(database)).toEqual(new Set(['new']))
    expect(readEntries(database, 'b1').map(({ id }) => id)).toEqual(many.map(({ id }) => id))

    changeBook(database, 'b1', { put: [entry('5', { content: 'five' }), entry('n')], remove: ['0'] }, LATER)
    const small = readBook(database, 'b1')
    const order = many.map(({ id }) => id).toReversed()
    const upside = { put: bodies('third'), remove: 'others' as const, order }
    expect((await changeLargeBook(inSlices(database), 'b1', upside, LATER))?.version).toBe(4)
    expect(readEntries(database, 'b1').map(({ id }) => id)).toEqual(order)

    expect(listVersions(database, 'b1').map(({ version, entries }) => [version, entries])).toEqual([
      [3, 1200],
      [2, 1200],
      [1, 1200],
    ])
    for (const [version, state] of [
      [3, small],
      [1, before],
      [3, small],
    ] as const) {
      await restoreVersion(inSlices(database), 'b1', version, LATER)
      expect(readBook(database, 'b1')?.entries).toEqual(state?.entries)
    }
    expect(hideBook(database, 'b1')).toBe(true)
    await deleteGone(database, () => undefined)
    expect([rows(database, 'worldbook'), rows(database, 'worldbook_entry')]).toEqual([{ n: 0 }, { n: 0 }])
  })

  it('keep a bounded number of whole versions, and leave nothing of older ones', async () => {
    const { database } = stored(many)
    for (let at = 1; at <= MOST_WHOLE_VERSIONS + 3; at += 1) {
      changeBook(database, 'b1', { put: [entry('0', { content: `small ${at}` })] }, LATER)
      await changeLargeBook(inSlices(database), 'b1', { put: bodies(`large ${at}`), remove: new Set() }, LATER)
    }
    const kept = listVersions(database, 'b1').map(({ version }) => version)
    expect(kept).toHaveLength(2 * MOST_WHOLE_VERSIONS)
    expect(rows(database, 'worldbook_entry')).toEqual({ n: many.length * (MOST_WHOLE_VERSIONS + 1) })
    await restoreVersion(inSlices(database), 'b1', kept.at(-1) ?? 0, LATER)
    expect(contents(database)).toEqual(new Set(['large 3']))
  })

  it('that change few things change those alone, and nothing makes no version', async () => {
    const { database } = stored(many)
    const put = new Map(many.map((one) => [one.id, textOf(one).body] as const))
    const same = { put, remove: 'others' as const, order: [...put.keys()] }
    expect((await changeLargeBook(inSlices(database), 'b1', same, LATER))?.version).toBe(1)
    put.set('7', textOf(entry('7', { content: 'seven' })).body)
    expect((await changeLargeBook(inSlices(database), 'b1', same, LATER))?.version).toBe(2)
    expect(rows(database, 'worldbook')).toEqual({ n: 1 })
    expect(database.prepare('SELECT length(undo) < 5000 AS small FROM worldbook_version').get()).toEqual({ small: 1 })
  })

  it('that break off leave the book as it was, and nothing behind', async () => {
    const { database } = stored(many)
    let looks = 0
    const breathe: Breathe = () => {
      looks += 1
      if (looks > 9) throw new Error('switched off')
      return undefined
    }
    const change = { put: bodies('new'), remove: new Set<string>() }
    await expect(changeLargeBook(inSlices(database, breathe), 'b1', change, LATER)).rejects.toThrow('switched off')
    expect(contents(database).has('new')).toBe(false)
    expect([rows(database, 'worldbook'), rows(database, 'worldbook_entry')]).toEqual([{ n: 1 }, { n: 1200 }])
  })
})

describe('timers', () => {
  const effect = (start: number) => ({
    worldbookId: 'b1',
    entryId: 'e',
    meaning: 'm',
    kind: 'sticky' as const,
    start,
    end: start + 3,
  })
  const timers = (start: number) => ({ version: 1 as const, effects: [effect(start)] })
  const none = { version: 1 as const, effects: [] }

  it('belong to the answer: a sibling answer does not see them, a later turn does', () => {
    const database = memoryDatabase(worldbookMigrations)
    writeTimers(database, { sessionId: 's', messageId: 'a1', before: none, after: timers(1) })
    writeTimers(database, { sessionId: 's', messageId: 'a2', before: timers(1), after: timers(3) })
    expect(readBranchTimers(database, 's', ['u1', 'a1', 'u2', 'a2', 'u3'])).toEqual(timers(3))
    expect(readBranchTimers(database, 's', ['u1', 'a1', 'u2'])).toEqual(timers(1))
    expect(readBranchTimers(database, 's', ['u1', 'a1-sibling', 'u2'])).toEqual(none)
    expect(readBranchTimers(database, 'other', ['u1', 'a1'])).toEqual(none)
  })

  it('remember that an effect ended, and keep nothing where there was none', () => {
    const database = memoryDatabase(worldbookMigrations)
    writeTimers(database, { sessionId: 's', messageId: 'a0', before: none, after: none })
    expect(database.prepare('SELECT count(*) AS n FROM worldbook_timers').get()).toEqual({ n: 0 })
    writeTimers(database, { sessionId: 's', messageId: 'a1', before: none, after: timers(1) })
    writeTimers(database, { sessionId: 's', messageId: 'a2', before: timers(1), after: none })
    expect(readBranchTimers(database, 's', ['a1', 'a2'])).toEqual(none)
  })

  it('go with a fork and with the session', () => {
    const database = memoryDatabase(worldbookMigrations)
    writeTimers(database, { sessionId: 's', messageId: 'a1', before: none, after: timers(1) })
    writeTimers(database, { sessionId: 's', messageId: 'a2', before: none, after: timers(3) })
    expect(
      copyTimers(database, database, { fromSessionId: 's', toSessionId: 't', forkMap: new Map([['a1', 'n1']]) }),
    ).toBe(1)
    expect(readBranchTimers(database, 't', ['n1'])).toEqual(timers(1))
    expect(forgetTimers(database, ['s'])).toBe(2)
    expect(readBranchTimers(database, 't', ['n1'])).toEqual(timers(1))
  })
})
