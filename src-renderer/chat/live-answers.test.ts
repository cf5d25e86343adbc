// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { appendLive, beginLive, endLive, livePartsOf, setLiveTool } from './live-answers'

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
