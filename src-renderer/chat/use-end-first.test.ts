// @vitest-environment happy-dom
import { renderHook, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Message } from '../../src-main/sessions/contract'
import { useNavigation } from '../app/navigation'
import { fillingEnd, useEndFirst } from './use-end-first'

const chat = (count: number, text: string) =>
  Array.from({ length: count }, (_, index) => ({ id: `m${index}`, text }) as Message)

it('takes as many of the newest messages as surely fill a screen', () => {
  expect(fillingEnd(chat(60, 'short'), 800)).toBeGreaterThan(8)
  expect(fillingEnd(chat(60, 'short'), 800)).toBeLessThan(16)
  expect(fillingEnd(chat(60, 'word '.repeat(2000)), 800)).toBe(1)
  expect(fillingEnd(chat(60, 'line\n'.repeat(40)), 800)).toBe(2)
  expect(fillingEnd(chat(3, 'short'), 800)).toBe(3)
})

it('gives the end of a long chat first, and everything soon after', async () => {
  const all = chat(60, 'short')
  const { result } = renderHook(() => useEndFirst(all))
  expect(result.current.messages.at(-1)?.id).toBe('m59')
  expect(result.current.messages.length).toBeLessThan(60)
  await waitFor(() => expect(result.current.whole).toBe(true))
  expect(result.current).toMatchObject({ messages: all, growing: false })
})

it('gives everything at once to somebody who jumps to a message', () => {
  useNavigation.setState({ jumpTo: { messageId: 'm1' } as never })
  const { result } = renderHook(() => useEndFirst(chat(60, 'short')))
  expect(result.current).toMatchObject({ messages: chat(60, 'short'), whole: true })
  useNavigation.setState({ jumpTo: null })
})
