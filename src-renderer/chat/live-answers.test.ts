// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import type { MessagePart } from '../../src-main/sessions/contract'
import { endLive, type LiveToolCall, livePartsOf, beginLive as readLive, startLive, takeLive } from './live-answers'

let seq = 0
const appendLive = (id: string, type: 'text' | 'reasoning', text: string) => takeLive(id, { type, text, seq: ++seq })
const setLiveTool = (id: string, call: LiveToolCall) => takeLive(id, { type: 'tool', call, seq: ++seq })
const beginLive = (id: string, parts?: MessagePart[]) => {
  seq = 0
  startLive(id, parts)
}

const textOf = (id: string) =>
  livePartsOf(id)
    ?.map((part) => ('text' in part ? part.text : part.type))
    .join('|')

it('puts text, reasoning and tool calls in the order they came', async () => {
  beginLive('a')
  appendLive('a', 'reasoning', 'hm')
  appendLive('a', 'text', 'one ')
  appendLive('a', 'text', 'two')
  setLiveTool('a', { callId: 'c', toolId: 't', name: 't', arguments: {}, state: 'running' })
  setLiveTool('a', { callId: 'c', toolId: 't', name: 't', arguments: {}, state: 'completed', result: 'ok' })
  appendLive('a', 'text', 'three')
  await vi.waitFor(() => expect(textOf('a')).toBe('hm|one two|tool|three'))
  expect(livePartsOf('a')?.[2]).toMatchObject({ state: 'completed', result: 'ok' })
  endLive('a')
  expect(livePartsOf('a')).toBeNull()
})

it('goes on with what a stopped answer holds', async () => {
  beginLive('b', [{ type: 'text', text: 'so far, ' }])
  appendLive('b', 'text', 'and on')
  await vi.waitFor(() => expect(textOf('b')).toBe('so far, and on'))
  endLive('b')
})

it('spreads a burst over frames and loses none of it', () => {
  const frames: FrameRequestCallback[] = []
  const spy = vi.spyOn(window, 'requestAnimationFrame').mockImplementation((frame) => frames.push(frame))
  beginLive('c')
  const words = 'word '.repeat(20_000)
  appendLive('c', 'text', words)
  const lengths: number[] = []
  while (frames.length > 0) {
    frames.shift()?.(0)
    lengths.push(textOf('c')?.length ?? 0)
  }
  expect(lengths[0]).toBeLessThan(10_000)
  expect(lengths.toSorted((a, b) => a - b)).toEqual(lengths)
  expect(textOf('c')).toBe(words)
  spy.mockRestore()
  endLive('c')
})

it('puts a picture read in the middle and the pieces around it together, in whatever order they come', async () => {
  const piece = (at: number) => takeLive('d', { type: 'text', text: `${at} `, seq: at })
  // the page came in the middle: the answer is unknown until it is read
  expect([piece(5), piece(6)]).toEqual([false, false])
  expect(livePartsOf('d')).toBeNull()
  readLive('d', [{ type: 'text', text: '1 2 3 4 5 ' }], 5)
  await vi.waitFor(() => expect(textOf('d')).toBe('1 2 3 4 5 6 '))
  expect([piece(4), piece(6), piece(7)]).toEqual([true, true, true])
  // a picture older than what is here, such as one that came back late, changes nothing
  readLive('d', [{ type: 'text', text: '1 2 ' }], 2)
  await vi.waitFor(() => expect(textOf('d')).toBe('1 2 3 4 5 6 7 '))
  // a broken line: pieces are missing, so it is read again
  expect([piece(9), piece(10)]).toEqual([false, false])
  readLive('d', [{ type: 'text', text: '1 2 3 4 5 6 7 8 9 ' }], 9)
  await vi.waitFor(() => expect(textOf('d')).toBe('1 2 3 4 5 6 7 8 9 10 '))
  endLive('d')
})

it('counts anew when an answer is continued', async () => {
  beginLive('e')
  appendLive('e', 'text', 'one ')
  appendLive('e', 'text', 'two ')
  beginLive('e', [{ type: 'text', text: 'one two ' }])
  appendLive('e', 'text', 'three')
  await vi.waitFor(() => expect(textOf('e')).toBe('one two three'))
  endLive('e')
})

it('takes the whole answer anew where its text turned out to be thinking', async () => {
  beginLive('f')
  appendLive('f', 'text', 'hm, ')
  takeLive('f', { type: 'rewritten', parts: [{ type: 'reasoning', text: 'hm, so' }], seq: ++seq })
  appendLive('f', 'text', 'Yes.')
  await vi.waitFor(() => expect(textOf('f')).toBe('hm, so|Yes.'))
  expect(takeLive('f', { type: 'rewritten', parts: [], seq: 1 })).toBe(true)
  expect(textOf('f')).toBe('hm, so|Yes.')
  endLive('f')
})
