// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useUnsaved } from '../../app/unsaved'
import { useLeftText } from './use-left-text'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

let made = 0
function field(save = vi.fn(async (_text: string) => undefined)) {
  const id = `left${++made}`
  const hook = renderHook(({ id, stored }) => useLeftText({ id, name: 'A name', stored, save, fits: Boolean }), {
    initialProps: { id, stored: 'Untitled' },
  })
  return { ...hook, id, save }
}

it('stores what was typed when it is left, once', () => {
  const { result, unmount, save } = field()
  act(() => result.current.change(' The harbour '))
  act(() => result.current.leave())
  unmount()
  expect(save.mock.calls).toEqual([['The harbour']])
})

it('writes nothing when it was only looked at and somebody else changed it', () => {
  const { result, rerender, id, save } = field()
  rerender({ id, stored: 'Named by the model' })
  act(() => result.current.leave())
  expect(save).not.toHaveBeenCalled()
  expect(result.current.value).toBe('Named by the model')
})

it('stores what was typed when the field or the window goes away', () => {
  const gone = field()
  act(() => gone.result.current.change('The harbour'))
  gone.unmount()
  expect(gone.save.mock.calls).toEqual([['The harbour']])
  const closed = field()
  act(() => closed.result.current.change('The pier'))
  window.dispatchEvent(new Event('pagehide'))
  expect(closed.save.mock.calls).toEqual([['The pier']])
})

it('gives up what was typed', () => {
  const { result, unmount, save } = field()
  act(() => result.current.change('The harbour'))
  act(() => result.current.drop())
  expect(result.current.value).toBe('Untitled')
  unmount()
  expect(save).not.toHaveBeenCalled()
})

it('stores into what it was typed into, not into what the field shows by then', () => {
  const saves: [string, string][] = []
  const { result, rerender } = renderHook(
    ({ id }) => useLeftText({ id, name: id, stored: '', save: async (text: string) => void saves.push([id, text]) }),
    { initialProps: { id: 'chat-a' } },
  )
  act(() => result.current.change('Of A'))
  rerender({ id: 'chat-b' })
  expect(result.current.value).toBe('')
  act(() => result.current.leave())
  expect(saves).toEqual([['chat-a', 'Of A']])
})

it('keeps what was refused, shows it as unsaved, and shows what is stored once it is', async () => {
  const save = vi.fn(async (_text: string) => undefined).mockRejectedValueOnce(new Error('The disk is full.'))
  const { result, rerender, id } = field(save)
  act(() => result.current.change('The harbour'))
  act(() => result.current.leave())
  await act(() => vi.advanceTimersByTimeAsync(0))
  expect(result.current.value).toBe('The harbour')
  expect(useUnsaved.getState().unsaved.map(({ name, why }) => [name, why])).toEqual([['A name', 'The disk is full.']])
  await act(() => vi.advanceTimersByTimeAsync(3000))
  expect(save).toHaveBeenCalledTimes(2)
  expect(useUnsaved.getState().unsaved).toEqual([])
  rerender({ id, stored: 'The harbour' })
  rerender({ id, stored: 'From elsewhere' })
  expect(result.current.value).toBe('From elsewhere')
})

it('leaves a refused name for the next window', async () => {
  const refused = field(vi.fn(async (_text: string) => Promise.reject(new Error('The disk is full.'))))
  act(() => refused.result.current.change('The harbour'))
  act(() => refused.result.current.leave())
  await act(() => vi.advanceTimersByTimeAsync(0))
  window.dispatchEvent(new Event('pagehide'))
  await act(() => vi.advanceTimersByTimeAsync(0))
  useUnsaved
    .getState()
    .unsaved.find(({ id }) => id === `text:${refused.id}`)
    ?.discard()
  refused.unmount()
  // the next window
  const save = vi.fn(async (_text: string) => undefined)
  renderHook(() => useLeftText({ id: refused.id, name: 'A name', stored: 'Untitled', save }))
  await act(() => vi.advanceTimersByTimeAsync(0))
  expect(save.mock.calls).toEqual([['The harbour']])
  expect(localStorage.getItem('strata.text.unsaved')).toBeNull()
})
