import { expect, test } from 'vitest'
import { createOpenings } from './openings'

test('what was read stays until the session is opened after another one', () => {
  const openings = createOpenings()
  let now = 0
  const read = (sessionId: string) => openings.frozen(sessionId, 'clock', () => ++now)
  openings.opened('a')
  expect([read('a'), read('a'), read('b')]).toEqual([1, 1, 2])
  openings.opened('a')
  expect(read('a')).toBe(1)
  openings.opened('b')
  openings.opened('a')
  expect([read('a'), read('a')]).toEqual([3, 3])
})

test('a chat that does not exist yet is read anew each time', () => {
  const openings = createOpenings()
  let now = 0
  expect([openings.frozen('', 'clock', () => ++now), openings.frozen('', 'clock', () => ++now)]).toEqual([1, 2])
})

test('two things of one session do not share a value', () => {
  const openings = createOpenings()
  expect([openings.frozen('a', 'x', () => 1), openings.frozen('a', 'y', () => 2)]).toEqual([1, 2])
})
