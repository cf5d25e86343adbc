import { expect, it } from 'vitest'
import { splitKeys } from '../formats/coerce'
import { book, entry, firedIds, look } from '../testing/small-books'
import { readDecorators } from './decorators'

/** Work that grew with the square of this would not end within the test's time. */
const LONG = 1_000_000

it('a text of a million line breaks is read in one pass', () => {
  const breaks = '\n'.repeat(LONG)
  expect(splitKeys(breaks)).toEqual([])
  expect(splitKeys(`a${breaks}/b,c/i${breaks}d`)).toEqual(['a', '/b,c/i', 'd'])
  expect(readDecorators(`@@depth 1\n${breaks}a${breaks}b${breaks}`).content).toBe(`a${breaks}b`)
})

it('a line of a million blanks is read in one pass', () => {
  const blanks = ' '.repeat(LONG)
  expect(readDecorators(`@@depth a${blanks}b\ntext`).content).toBe('text')
  expect(readDecorators(`@@depth ${blanks}3${blanks}\ntext`).decorations?.depth).toBe(3)
})

it('a line of underscores is a line, not a word', () => {
  const rule = '_'.repeat(100_000)
  expect(firedIds(look(book([entry('e', { keys: ['_'] })]), `a${rule}b`))).toEqual(['e'])
  expect(firedIds(look(book([entry('e', { keys: ['cat'] })]), `${rule}cat${rule}`))).toEqual(['e'])
})
