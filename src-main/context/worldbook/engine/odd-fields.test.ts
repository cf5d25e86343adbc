import { expect, it } from 'vitest'
import { entryFrom } from '../drafts'
import type { Entry } from '../entry-contract'
import { json } from '../formats/card-fixture'
import { readWorldbookFile } from '../formats/read-worldbook-file'
import { book, look } from '../testing/small-books'

const read = (fields: object): Entry[] =>
  readWorldbookFile('book.json', json({ entries: { 0: { uid: 0, comment: 'e', constant: true, ...fields } } })).books[0]
    ?.entries ?? []
const codes = (entries: Entry[]) => look(book(entries), 'hm').warnings.map(({ entryId, code }) => [entryId, code])

it('an evaluation says which places of a file are none', () => {
  expect(codes(read({ position: 8 }))).toEqual([['0', 'unknown_position']])
  expect(codes(read({ position: 4, depth: 'deep' }))).toEqual([['0', 'unknown_depth']])
  expect(codes(read({ position: '4', depth: '2' }))).toEqual([])
  expect(codes(read({ position: null }))).toEqual([])
})

it('until somebody chooses a place', () => {
  const [entry] = read({ position: 8, order: '50' })
  if (!entry) throw new Error('no entry was read')
  expect(codes([entryFrom({ comment: 'other' }, '0', entry)])).toEqual([['0', 'unknown_position']])
  const chosen = entryFrom({ position: 'before' }, '0', entry)
  expect(codes([chosen])).toEqual([])
  expect(chosen.origin?.fields).toEqual({ order: '50' })
})
