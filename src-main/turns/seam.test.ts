import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lastWords } from '../context/assemble/go-on'
import { createSeam } from './seam'

function joined(before: string, chunks: readonly string[], asked = true): string {
  const seam = createSeam(before, asked)
  return before + chunks.map((chunk) => seam.push(chunk)).join('') + seam.end()
}

describe('the seam of a continued answer', () => {
  it.each([
    ['The first half', [' and', ' the rest.'], 'The first half and the rest.'],
    ['The first half ', [' and the rest.'], 'The first half and the rest.'],
    ['The first half ', ['and the rest.'], 'The first half and the rest.'],
    ['The first half', ['The first half and the rest.'], 'The first half and the rest.'],
    ['I think that the understan', ['that the', ' understanding', ' is'], 'I think that the understanding is'],
    ['One.\n', [' Two.'], 'One.\nTwo.'],
    ['One.\n', ['\n', '\nTwo.'], 'One.\n\nTwo.'],
    ['A list:\n- one\n- two', ['- two\n- three'], 'A list:\n- one\n- two\n- three'],
    [
      'Paragraph.\n\nThe second one stops he',
      ['The second one stops here.'],
      'Paragraph.\n\nThe second one stops here.',
    ],
    [
      '昨天我们谈到了晚饭的安排，',
      ['昨天我们谈到了晚饭的安排，', '今天继续。'],
      '昨天我们谈到了晚饭的安排，今天继续。',
    ],
    ['ha ha ha', [' ha!'], 'ha ha ha ha!'],
    ['The first half', ['The first'], 'The first halfThe first'],
    ['The first half', [' '], 'The first half'],
  ])('%j and %j', (before, chunks, whole) => {
    expect(joined(before, chunks)).toBe(whole)
    expect(joined(before, [...chunks.join('')])).toBe(whole)
  })

  it('is not looked for where nothing was to be repeated', () => {
    expect(joined('Half', ['Half a pound'], false)).toBe('HalfHalf a pound')
    expect(joined('Half ', [' a pound'], false)).toBe('Half a pound')
  })

  it('loses nothing but repeated space and repeated words, however the text is cut', () => {
    const words = fc
      .array(fc.constantFrom('wind', 'sea', '海', ' ', '\n', '.'), { maxLength: 12 })
      .map((all) => all.join(''))
    fc.assert(
      fc.property(words, words, fc.boolean(), (before, text, asked) => {
        const whole = joined(before, [text], asked)
        expect(joined(before, [...text], asked)).toBe(whole)
        const bare = (one: string) => one.replaceAll(/\s/g, '')
        const added = bare(whole).slice(bare(before).length)
        expect(bare(text).endsWith(added)).toBe(true)
        if (!asked) expect(added).toBe(bare(text))
      }),
    )
  })
})

it('the last words are few, and never blank for a text that is not', () => {
  expect(lastWords('One two three four five')).toBe('three four five')
  expect(lastWords('para\n\n- a\n- b')).toBe('- b')
  expect(lastWords('昨天'.repeat(60))).toHaveLength(12)
  expect(lastWords(' \n ')).toBe('')
})
