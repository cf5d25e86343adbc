import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markSpans, snippetAround } from './marked-text'

describe('markSpans', () => {
  it('cuts at the borders and joins what overlaps or touches', () => {
    expect(
      markSpans('the tide turns', [
        [4, 8],
        [6, 9],
        [9, 14],
      ]),
    ).toEqual([
      { text: 'the ', marked: false, start: 0 },
      { text: 'tide turns', marked: true, start: 4 },
    ])
  })

  it('leaves out spans that lie outside or hold nothing', () => {
    expect(
      markSpans('fog', [
        [5, 9],
        [2, 2],
        [-3, 1],
      ]),
    ).toEqual([
      { text: 'f', marked: true, start: 0 },
      { text: 'og', marked: false, start: 1 },
    ])
  })

  it('gives every character back once, and marks exactly those in a span', () => {
    const span = fc.tuple(fc.integer({ min: -5, max: 40 }), fc.integer({ min: -5, max: 40 }))
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), fc.array(span), (text, spans) => {
        const parts = markSpans(text, spans)
        expect(parts.map((part) => part.text).join('')).toBe(text)
        for (const part of parts) {
          for (let at = part.start; at < part.start + part.text.length; at++) {
            expect(spans.some(([from, to]) => at >= from && at < to)).toBe(part.marked)
          }
        }
      }),
    )
  })
})

describe('snippetAround', () => {
  it('keeps some words on one line and says where it cut', () => {
    const text = `${'a'.repeat(60)} by the\ntide of spring, ${'b'.repeat(60)}`
    const at = text.indexOf('tide')
    const { before, match, after } = snippetAround(text, [at, at + 4], 8)
    expect(match).toBe('tide')
    expect(before).toBe('… by the ')
    expect(after).toBe(' of spri…')
  })

  it('counts a Chinese character as two and never halves an emoji', () => {
    expect(snippetAround('按雾港志的潮汐规则排班', [5, 7], 4)).toEqual({
      before: '…志的',
      match: '潮汐',
      after: '规则…',
    })
    expect(snippetAround('👩‍🚀🚢 tide', [8, 12], 3).before).not.toMatch(
      /[\uDC00-\uDFFF](?<![\uD800-\uDBFF][\uDC00-\uDFFF])/,
    )
  })
})
