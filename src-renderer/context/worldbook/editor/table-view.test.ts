// @vitest-environment happy-dom
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { ENTRY_DEFAULTS, type Entry } from '../../../../src-main/context/worldbook/entry-contract'
import { movedOrder, pickMore, pickOnly, pickRange, resetView, shownEntries, useTableView } from './table-view'

const entry = (id: string, fields: Partial<Entry> = {}): Entry => ({ ...ENTRY_DEFAULTS, id, ...fields })
const ids = (entries: readonly { id: string }[]) => entries.map(({ id }) => id)
const all = { query: '', sort: 'book', tokens: {} } as const

describe('rows to show', () => {
  const entries = [
    entry('0', { comment: 'Tides', keys: ['潮汐'], content: 'The water turns.', order: 10 }),
    entry('1', { comment: '', keys: ['Kestrel'], order: 90 }),
    entry('2', { comment: 'Item 10', order: 10 }),
    entry('3', { comment: 'item 9', order: 50 }),
  ]

  it('need every word, anywhere in title, keys or text', () => {
    expect(ids(shownEntries(entries, { ...all, query: 'WATER tides' }))).toEqual(['0'])
    expect(ids(shownEntries(entries, { ...all, query: '潮' }))).toEqual(['0'])
    expect(ids(shownEntries(entries, { ...all, query: 'water kestrel' }))).toEqual([])
  })

  it('sort with ties in the order of the book; numbers in names count as numbers', () => {
    expect(ids(shownEntries(entries, { ...all, sort: 'order' }))).toEqual(['1', '3', '0', '2'])
    expect(ids(shownEntries(entries, { ...all, sort: 'name' }))).toEqual(['3', '2', '1', '0'])
    expect(ids(shownEntries(entries, { ...all, sort: 'tokens', tokens: { '2': 5, '3': 9 } }))).toEqual([
      '3',
      '2',
      '0',
      '1',
    ])
  })

  it('keep the list itself while nothing is asked', () => {
    expect(shownEntries(entries, all)).toBe(entries)
    expect(ids(shownEntries(entries, { ...all, only: new Set(['3']) }))).toEqual(['3'])
  })
})

describe('picking rows', () => {
  const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id }))
  beforeEach(() => resetView())

  it('extends from where it began, in either direction', () => {
    pickOnly('c')
    pickRange('d', rows)
    expect([...useTableView.getState().selected]).toEqual(['c', 'd'])
    pickRange('a', rows)
    expect([...useTableView.getState().selected]).toEqual(['a', 'b', 'c'])
    expect(useTableView.getState().currentId).toBe('a')
  })

  it('adds and drops single rows', () => {
    pickOnly('a')
    pickMore('c')
    expect([...useTableView.getState().selected]).toEqual(['a', 'c'])
    pickMore('a')
    expect([...useTableView.getState().selected]).toEqual(['c'])
  })
})

describe('moving rows', () => {
  const rows = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }))
  it('puts them before the row they were dropped on, together and in their order', () => {
    expect(movedOrder(rows, new Set(['d', 'b']), 'a')).toEqual(['b', 'd', 'a', 'c', 'e'])
    expect(movedOrder(rows, new Set(['a']), null)).toEqual(['b', 'c', 'd', 'e', 'a'])
    expect(movedOrder(rows, new Set(['b', 'c']), 'c')).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('loses and doubles nothing, and leaves the others in their order', () => {
    const list = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1 })
    fc.assert(
      fc.property(list, fc.array(fc.nat()), fc.nat(), (names, picks, before) => {
        const moved = new Set(picks.map((pick) => names[pick % names.length] ?? ''))
        const target = before % (names.length + 1)
        const next = movedOrder(
          names.map((id) => ({ id })),
          moved,
          names[target] ?? null,
        )
        expect(next.toSorted()).toEqual(names.toSorted())
        const still = (order: readonly string[]) => order.filter((name) => !moved.has(name))
        expect(still(next)).toEqual(still(names))
      }),
    )
  })
})
