import { expect, it } from 'vitest'
import type { Fired } from '../../../../src-main/context/worldbook/trace-contract'
import { matchedSpans, testMessages } from './test-messages'

const hit = (message: number, span: [number, number]) =>
  ({
    why: { kind: 'key', text: '', key: 'k', matched: 'k', place: { in: 'message', message, span }, secondary: [] },
  }) as unknown as Fired

it('divides what was pasted at lines of dashes, and a dash inside a line divides nothing', () => {
  const text = 'first --- still first\n---\nsecond\n -----\nthird'
  expect(testMessages(text).map((message) => message.text.trim())).toEqual(['first --- still first', 'second', 'third'])
  expect(testMessages('')).toEqual([{ text: '', start: 0 }])
})

it('finds the matches of every message again in the whole text', () => {
  const text = 'tide\n---\nfog and tide'
  const messages = testMessages(text)
  const spans = matchedSpans([hit(-1, [1, 4]), hit(-2, [0, 4]), hit(-9, [0, 1])], messages)
  expect(spans.map(([start, end]) => text.slice(start, end))).toEqual(['fog', 'tide'])
})
