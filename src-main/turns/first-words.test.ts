import { expect, test } from 'vitest'
import { firstWords } from './first-words'

test.each([
  ['  When is low water?\nAnd high?', undefined, 'When is low water?'],
  [
    'The harbour master keeps a list of all the ships that ever came in',
    undefined,
    'The harbour master keeps a list of all the…',
  ],
  ['\n \n', 'tides.pdf', 'tides.pdf'],
  ['', undefined, ''],
  ['港'.repeat(200_000), undefined, `${'港'.repeat(48)}…`],
])('%#: %.20s', (text, attachment, title) => {
  expect(firstWords(text, attachment)).toBe(title)
})

test('never cuts a character in half', () => {
  expect(firstWords('👩‍👩‍👧'.repeat(40_000), undefined).isWellFormed()).toBe(true)
})
