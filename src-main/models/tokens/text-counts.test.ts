import { expect, it } from 'vitest'
import { createTextCounts } from './text-counts'

it('knows what it was told, and forgets the oldest short texts first', () => {
  const counts = createTextCounts()
  const long = 'x'.repeat(5000)
  counts.set('short', 1)
  counts.set(long, 2)
  expect([counts.get('short'), counts.get(long), counts.get('other')]).toEqual([1, 2, undefined])
  // the same text, as another string
  expect(counts.get(Array.from(long).join(''))).toBe(2)
  for (let n = 0; n < 9; n++) counts.set(`${n}${'y'.repeat(999_999)}`, 10 + n)
  expect(counts.get('short')).toBeUndefined()
  expect(counts.get(long)).toBe(2)
  expect(counts.get(`8${'y'.repeat(999_999)}`)).toBe(18)
})

it('a text larger than all it keeps is known by hash', () => {
  const counts = createTextCounts()
  const huge = 'z'.repeat(9_000_000)
  counts.set(huge, 7)
  expect(counts.get(huge)).toBe(7)
  counts.set('after', 1)
  expect(counts.get('after')).toBe(1)
})
