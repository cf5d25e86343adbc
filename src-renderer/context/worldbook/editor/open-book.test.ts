// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { BOOK_SETTINGS_DEFAULTS, type Book } from '../../../../src-main/context/worldbook/book-contract'
import { ENTRY_DEFAULTS, type Entry, type EntryInput } from '../../../../src-main/context/worldbook/entry-contract'
import '../../../i18n/i18n'
import { useUnsaved } from '../../../app/unsaved'
import { fakeStrata } from '../../../testing/fake-strata'
import { useBooks } from '../book-store'
import { flushEdits, forgetEdits, useBookEdits, wireEdits } from './book-edits'
import {
  addEntry,
  changeHead,
  editEntries,
  editEntry,
  followList,
  openBook,
  orderEntries,
  putBack,
  removeEntries,
  stepVersion,
  useOpenBook,
} from './open-book'

const AT = '2026-11-30T12:00:00+00:00'
const entry = (id: string, fields: Partial<Entry> = {}): Entry => ({ ...ENTRY_DEFAULTS, id, ...fields })
const aBook = (fields: Partial<Book> = {}): Book => ({
  id: 'b1',
  name: 'Fogharbour',
  description: '',
  settings: BOOK_SETTINGS_DEFAULTS,
  entries: [entry('0', { comment: 'Tides' }), entry('1', { comment: 'Kestrel' })],
  extra: {},
  origin: null,
  version: 3,
  createdAt: AT,
  updatedAt: AT,
  ...fields,
})

interface SaveInput {
  entries?: EntryInput[]
  remove?: string[]
  order?: string[]
  head?: Partial<Book>
}

/** A room of a few lines: keeps the book and counts its versions. */
function room(...more: Book[]) {
  let kept = aBook()
  const others = new Map(more.map((each) => [each.id, each]))
  let refuse = ''
  const strata = fakeStrata({
    'worldbook.get': ({ worldbookId }: { worldbookId: string }) => others.get(worldbookId) ?? kept,
    'worldbook.list': () => [{ id: kept.id, name: kept.name, version: kept.version }],
    'worldbook.entry-tokens': () => ({ '0': 7 }),
    'worldbook.lint': () => [],
    'worldbook.undo': ({ version }: { version: number }) => {
      kept = { ...kept, version: kept.version + 1, name: `as of ${version}` }
      return kept
    },
    'worldbook.save-entries': ({ entries = [], remove = [], order = [], head = {} }: SaveInput) => {
      if (refuse && remove.length === 0) throw new Error(refuse)
      const saved = entries.map((patch) => {
        const id = patch.id ?? '9'
        return { ...(kept.entries.find((each) => each.id === id) ?? entry(id)), ...patch, id } as Entry
      })
      const others = kept.entries.filter(({ id }) => !remove.includes(id))
      const merged = others.map((each) => saved.find(({ id }) => id === each.id) ?? each)
      const fresh = saved.filter(({ id }) => !kept.entries.some((each) => each.id === id))
      const all = [...merged, ...fresh]
      const first = order.flatMap((id) => all.find((each) => each.id === id) ?? [])
      const rest = all.filter(({ id }) => !order.includes(id))
      kept = { ...kept, ...head, version: kept.version + 1, entries: [...first, ...rest] }
      return { worldbookId: kept.id, version: kept.version, saved, removed: remove }
    },
  })
  return {
    ...strata,
    kept: () => kept,
    change: (next: Partial<Book>) => {
      kept = { ...kept, ...next }
    },
    refuse: (words: string) => {
      refuse = words
    },
  }
}

const shown = () => useOpenBook.getState().book
const titles = () => shown()?.entries.map(({ comment }) => comment)

beforeEach(async () => {
  for (const id of ['b1', 'b2']) forgetEdits(id)
  await openBook(null)
  useBooks.setState({ books: [], loaded: false, error: '', building: new Set() })
})

describe('an edit', () => {
  it('shows at once and is stored as one patch after the last key', async () => {
    const strata = room()
    await openBook('b1')
    editEntry('0', { content: 'a' })
    editEntry('0', { content: 'ab' })
    editEntry('0', { order: 5 })
    expect(shown()?.entries[0]).toMatchObject({ content: 'ab', order: 5 })
    expect(useBookEdits.getState().unsaved.has('b1')).toBe(true)
    await flushEdits()
    expect(strata.inputsOf('worldbook.save-entries')).toEqual([
      { worldbookId: 'b1', entries: [{ id: '0', content: 'ab', order: 5 }] },
    ])
    expect(shown()?.version).toBe(4)
    expect(useBookEdits.getState().unsaved.has('b1')).toBe(false)
  })

  it('of many rows goes out in one call', async () => {
    const strata = room()
    await openBook('b1')
    editEntries(['0', '1'], { enabled: false })
    await flushEdits()
    expect(strata.inputsOf('worldbook.save-entries')).toHaveLength(1)
    expect(strata.kept().entries.map(({ enabled }) => enabled)).toEqual([false, false])
  })

  it('that is refused stays on screen and goes along with the next try', async () => {
    const strata = room()
    await openBook('b1')
    strata.refuse('The disk is full.')
    editEntry('0', { content: 'kept' })
    await flushEdits()
    expect(shown()?.entries[0]?.content).toBe('kept')
    expect(strata.kept().entries[0]?.content).toBe('')
    strata.refuse('')
    editEntry('1', { content: 'too' })
    await flushEdits()
    expect(strata.kept().entries.map(({ content }) => content)).toEqual(['kept', 'too'])
  })

  it('that is refused stays with its book while another one is open, and is stored there later', async () => {
    const strata = room(aBook({ id: 'b2', name: 'Other', entries: [entry('0', { content: 'theirs' })] }))
    useBooks.setState({ books: [{ id: 'b1', name: 'Fogharbour', version: 3 } as never], loaded: true })
    await openBook('b1')
    strata.refuse('The disk is full.')
    editEntry('0', { content: 'of the first book' })
    await openBook('b2')
    expect(shown()?.entries[0]?.content).toBe('theirs')
    expect(useUnsaved.getState().unsaved).toMatchObject([{ name: 'Fogharbour', why: 'The disk is full.' }])
    // its form is left only now, by the focus going to the other book
    editEntry('1', { comment: 'typed into the first' }, 'b1')
    strata.refuse('')
    editEntry('0', { content: 'of the second book' })
    await flushEdits()
    const saves = strata.inputsOf('worldbook.save-entries') as (SaveInput & { worldbookId: string })[]
    expect(saves.filter(({ worldbookId }) => worldbookId === 'b2')).toEqual([
      { worldbookId: 'b2', entries: [{ id: '0', content: 'of the second book' }] },
    ])
    expect(saves.findLast(({ worldbookId }) => worldbookId === 'b1')?.entries).toEqual([
      { id: '0', content: 'of the first book' },
      { id: '1', comment: 'typed into the first' },
    ])
    expect(useUnsaved.getState().unsaved).toEqual([])
  })

  it('that was refused is seen again when its book is opened again, and can be given up', async () => {
    const strata = room(aBook({ id: 'b2', entries: [] }))
    await openBook('b1')
    strata.refuse('No.')
    editEntry('0', { content: 'still mine' })
    await openBook('b2')
    await openBook('b1')
    expect(shown()?.entries[0]?.content).toBe('still mine')
    expect(await stepVersion(-1)).toBe(false)
    useUnsaved.getState().unsaved[0]?.discard()
    await vi.waitFor(() => expect(shown()?.entries[0]?.content).toBe(''))
    expect(useUnsaved.getState().unsaved).toEqual([])
  })

  it('is stored before another book is opened', async () => {
    const strata = room()
    await openBook('b1')
    editEntry('1', { content: 'last words' })
    await openBook(null)
    expect(strata.kept().entries[1]?.content).toBe('last words')
  })
})

it('adds at the end and removes', async () => {
  room()
  await openBook('b1')
  expect(await addEntry({ comment: 'New' })).toBe('9')
  expect(titles()).toEqual(['Tides', 'Kestrel', 'New'])
  expect(await removeEntries(['0'])).toMatchObject({ worldbookId: 'b1', removed: [{ entry: { comment: 'Tides' } }] })
  expect(titles()).toEqual(['Kestrel', 'New'])
})

it('goes back and forth through the versions, and an edit ends the going back', async () => {
  const strata = room()
  await openBook('b1')
  expect(await stepVersion(1)).toBe(false)
  await stepVersion(-1)
  await stepVersion(-1)
  await stepVersion(1)
  expect(strata.inputsOf('worldbook.undo').map((input) => (input as { version: number }).version)).toEqual([2, 1, 2])
  expect(await stepVersion(1)).toBe(true)
  expect(await stepVersion(1)).toBe(false)
  editEntry('0', { content: 'x' })
  expect(useOpenBook.getState().shownVersion).toBeNull()
})

it('follows a change from elsewhere, but not over edits of its own', async () => {
  const strata = room()
  await openBook('b1')
  const line = (version: number) => useBooks.setState({ books: [{ id: 'b1', version } as never], loaded: true })
  strata.change({ name: 'Renamed elsewhere', version: 8 })
  editEntry('0', { content: 'mine' })
  line(8)
  followList()
  expect(shown()?.name).toBe('Fogharbour')
  await flushEdits()
  strata.change({ version: 12 })
  line(12)
  followList()
  await vi.waitFor(() => expect(shown()?.version).toBe(12))
  expect(shown()).toMatchObject({ name: 'Renamed elsewhere' })
})

describe('what another window saved in between', () => {
  const others: [string, () => Promise<unknown>][] = [
    ['an order', () => orderEntries(['1', '0'])],
    ['a removal', () => removeEntries(['1'])],
    ['a new name', () => changeHead({ name: 'Mine' }, 'b1')],
    ['a new entry', () => addEntry({ comment: 'New' })],
  ]
  it.each(others)('is read after %s', async (_name, act) => {
    const strata = room()
    await openBook('b1')
    const { entries } = strata.kept()
    strata.change({
      version: 4,
      entries: entries.map((each) => (each.id === '0' ? { ...each, content: 'theirs' } : each)),
    })
    await act()
    await vi.waitFor(() => expect(shown()?.entries.find(({ id }) => id === '0')?.content).toBe('theirs'))
    expect(shown()?.version).toBe(5)
  })

  it('does not take back what came after it was read', async () => {
    const strata = room()
    await openBook('b1')
    const early = strata.kept()
    let answer: (book: Book) => void = () => undefined
    fakeStrata({
      'worldbook.get': () => new Promise<Book>((resolve) => (answer = resolve)),
      'worldbook.save-entries': () => ({
        worldbookId: 'b1',
        version: 5,
        saved: [entry('0', { content: 'mine' })],
        removed: [],
      }),
    })
    useBooks.setState({ books: [{ id: 'b1', version: 4 } as never], loaded: true })
    followList()
    editEntry('0', { content: 'mine' })
    await flushEdits()
    answer({ ...early, version: 4 })
    await Promise.resolve()
    await new Promise((resolve) => setTimeout(resolve))
    expect(shown()?.entries[0]?.content).toBe('mine')
  })
})

describe('entries that were removed', () => {
  it('come back into their book and their place, without taking back what was done since', async () => {
    const strata = room(aBook({ id: 'b2', name: 'Other', version: 7 }))
    await openBook('b1')
    const done = await removeEntries(['0'])
    editEntry('1', { content: 'typed since' })
    await openBook('b2')
    await putBack('b1', done?.removed ?? [])
    expect(strata.kept().entries.map(({ id, content }) => [id, content])).toEqual([
      ['0', ''],
      ['1', 'typed since'],
    ])
    expect(strata.inputsOf('worldbook.undo')).toEqual([])
    expect(shown()?.id).toBe('b2')
  })

  it('are not brought back by words that were waiting for them', async () => {
    const strata = room()
    await openBook('b1')
    strata.refuse('The disk is full.')
    editEntry('0', { content: 'refused' })
    await flushEdits()
    await removeEntries(['0'])
    strata.refuse('')
    await flushEdits()
    expect(strata.kept().entries.map(({ id }) => id)).toEqual(['1'])
    expect(useUnsaved.getState().unsaved).toEqual([])
  })
})

it('sends what is newer than a save on its way when the window goes', async () => {
  const strata = room()
  wireEdits()
  await openBook('b1')
  const { promise, resolve } = Promise.withResolvers<unknown>()
  strata.answer('worldbook.save-entries', () => promise)
  editEntry('0', { content: 'one' })
  void flushEdits()
  editEntry('0', { content: 'one two' })
  window.dispatchEvent(new Event('pagehide'))
  expect(strata.inputsOf('worldbook.save-entries')).toEqual([
    { worldbookId: 'b1', entries: [{ id: '0', content: 'one' }] },
    { worldbookId: 'b1', entries: [{ id: '0', content: 'one two' }] },
  ])
  resolve({ worldbookId: 'b1', version: 4, saved: [], removed: [] })
  await flushEdits()
})
