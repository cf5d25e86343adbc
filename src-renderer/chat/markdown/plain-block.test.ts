import { expect, it } from 'vitest'
import { textPieces } from './plain-block'

it.each([
  ['one line without spaces', 'x'.repeat(70_001)],
  ['words', 'tide 潮水 '.repeat(9000)],
  ['lines', 'a line of its own\n'.repeat(5000)],
  ['characters of two units', `x${'🦀'.repeat(30_000)}`],
])('cuts %s into pieces that make the text again', (_what, text) => {
  const pieces = textPieces(text)
  expect(pieces.join('')).toBe(text)
  expect(pieces.length).toBeGreaterThan(2)
  for (const piece of pieces) expect(piece).not.toMatch(/[\uD800-\uDBFF]$/)
})

it('cuts at lines and words', () => {
  const pieces = textPieces('tide and ferry\n'.repeat(4000))
  for (const piece of pieces) expect(piece.endsWith('\n') || piece.endsWith(' ')).toBe(true)
  expect(textPieces('')).toEqual([])
})
