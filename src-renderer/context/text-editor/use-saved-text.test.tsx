// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useUnsaved } from '../../app/unsaved'
import { useSavedText } from './use-saved-text'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

it('saves a moment after typing, once, with the newest words', async () => {
  const save = vi.fn(async () => undefined)
  const { result } = renderHook(() => useSavedText({ id: 'a', name: 'A text', stored: '', save }))
  for (const text of ['t', 'ti', 'tide']) act(() => result.current.change(text))
  expect(result.current.value).toBe('tide')
  await act(() => vi.advanceTimersByTimeAsync(400))
  expect(save.mock.calls).toEqual([['tide']])
  expect(result.current.savedAt).not.toBeNull()
})

it('writes what still waits when the editor goes away', () => {
  const save = vi.fn(async () => undefined)
  const { result, unmount } = renderHook(() => useSavedText({ id: 'b', name: 'A text', stored: 'old', save }))
  act(() => result.current.change('new'))
  unmount()
  expect(save.mock.calls).toEqual([['new']])
})

it('takes steps back, and saves them too', async () => {
  const save = vi.fn(async () => undefined)
  const { result, rerender } = renderHook(({ stored }) => useSavedText({ id: 'c', name: 'A text', stored, save }), {
    initialProps: { stored: 'one' },
  })
  act(() => result.current.change('one two'))
  await act(() => vi.advanceTimersByTimeAsync(2000))
  rerender({ stored: 'one two' })
  act(() => result.current.change('one two three'))
  expect(result.current.canUndo).toBe(true)
  act(() => result.current.undo())
  expect(result.current.value).toBe('one two')
  act(() => result.current.undo())
  await act(() => vi.advanceTimersByTimeAsync(400))
  expect(save.mock.calls.at(-1)).toEqual(['one'])
  expect(result.current.canUndo).toBe(false)
})

it('keeps the words of a failed save and writes them with the next try', async () => {
  const save = vi.fn(async () => undefined).mockRejectedValueOnce(new Error('The disk is full.'))
  const { result, rerender } = renderHook(({ stored }) => useSavedText({ id: 'd', name: 'A text', stored, save }), {
    initialProps: { stored: 'old' },
  })
  act(() => result.current.change('new'))
  await act(() => vi.advanceTimersByTimeAsync(400))
  rerender({ stored: 'from elsewhere' })
  expect(result.current.value).toBe('new')
  act(() => result.current.flush())
  expect(save.mock.calls).toEqual([['new'], ['new']])
})

it('keeps refused words when the editor closes, shows why, and saves them later', async () => {
  const save = vi.fn(async () => undefined).mockRejectedValueOnce(new Error('The disk is full.'))
  const open = () => renderHook(() => useSavedText({ id: 'e', name: 'Editor', stored: 'old', save }))
  const first = open()
  act(() => first.result.current.change('new words'))
  first.unmount()
  await act(() => vi.advanceTimersByTimeAsync(10))
  expect(useUnsaved.getState().unsaved).toMatchObject([{ name: 'Editor', why: 'The disk is full.' }])
  expect(open().result.current.value).toBe('new words')
  await act(() => vi.advanceTimersByTimeAsync(5000))
  expect(save.mock.calls.at(-1)).toEqual(['new words'])
  expect(useUnsaved.getState().unsaved).toEqual([])
})

it('takes in what another window stores while words wait; where they do not fit, undo brings the other text', async () => {
  const save = vi.fn(async () => undefined)
  const { result, rerender } = renderHook(({ stored }) => useSavedText({ id: 'f', name: 'A text', stored, save }), {
    initialProps: { stored: 'one' },
  })
  act(() => result.current.change('one two'))
  rerender({ stored: 'zero, one' })
  expect(result.current.value).toBe('zero, one two')
  await act(() => vi.advanceTimersByTimeAsync(400))
  // its own words coming back are nobody else's
  act(() => result.current.change('Zero, one two three'))
  rerender({ stored: 'zero, one two' })
  expect(result.current.value).toBe('Zero, one two three')
  rerender({ stored: 'written anew' })
  expect(result.current.value).toBe('Zero, one two three')
  act(() => result.current.undo())
  expect(result.current.value).toBe('written anew')
})

it('sends what is newer than a save on its way when the window goes', async () => {
  const save = vi.fn((_text: string) => new Promise<void>(() => undefined))
  const { result } = renderHook(() => useSavedText({ id: 'gone', name: 'A text', stored: '', save }))
  act(() => result.current.change('one'))
  await act(() => vi.advanceTimersByTimeAsync(400))
  act(() => result.current.change('one two'))
  window.dispatchEvent(new Event('pagehide'))
  expect(save.mock.calls).toEqual([['one'], ['one two']])
})

it('leaves refused words for the next window, where they meet what is stored by then', async () => {
  const refuse = vi.fn(async (_text: string) => Promise.reject(new Error('The disk is full.')))
  const first = renderHook(() => useSavedText({ id: 'left', name: 'A text', stored: 'a\nb\nc', save: refuse }))
  act(() => first.result.current.change('a\nb\nc mine'))
  await act(() => vi.advanceTimersByTimeAsync(400))
  window.dispatchEvent(new Event('pagehide'))
  await act(() => vi.advanceTimersByTimeAsync(0))
  useUnsaved
    .getState()
    .unsaved.find(({ id }) => id === 'text:left')
    ?.discard()
  first.unmount()
  // the next window
  const save = vi.fn(async (_text: string) => undefined)
  const second = renderHook(() => useSavedText({ id: 'left', name: 'A text', stored: 'a theirs\nb\nc', save }))
  expect(second.result.current.value).toBe('a theirs\nb\nc mine')
  await act(() => vi.advanceTimersByTimeAsync(400))
  expect(save.mock.calls).toEqual([['a theirs\nb\nc mine']])
  expect(localStorage.getItem('strata.text.unsaved')).toBeNull()
})
