// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Session } from '../../src-main/sessions/contract'
import { useNavigation } from '../app/navigation'
import '../i18n/i18n'
import { aSession } from '../testing/builders'
import { fakeStrata } from '../testing/fake-strata'
import { Toasts } from '../ui/toast'
import { openNeighbour } from './session-actions'
import { SessionList } from './session-list'
import { loadSessions, useSessions } from './session-store'

// nothing is laid out here, so the virtual list would draw no row
vi.mock('virtua', () => ({
  Virtualizer: ({ data, children }: { data: unknown[]; children: (row: unknown, index: number) => unknown }) =>
    data.map(children),
}))

let stored: Session[]
let strata: ReturnType<typeof fakeStrata>

beforeEach(async () => {
  const now = new Date().toISOString()
  stored = [
    aSession({ id: 'a', title: 'Tides', updatedAt: now }),
    aSession({ id: 'b', title: '渡船', updatedAt: now }),
    aSession({ id: 'c', title: 'Ferries', updatedAt: now }),
  ]
  strata = fakeStrata({
    'sessions.list': () => ({ sessions: stored, nextCursor: null }),
    'folders.list': () => [],
    'tags.list': () => [],
    'sessions.update': ({ sessionId, patch }: { sessionId: string; patch: Partial<Session> }) => ({
      ...stored.find((session) => session.id === sessionId),
      ...patch,
    }),
    'sessions.remove': ({ sessionIds }: { sessionIds: string[] }) => ({ removed: sessionIds.length }),
    'sessions.restore': () => ({ restored: 1 }),
    'sessions.search': () => ({
      hits: [
        {
          sessionId: 'b',
          messageId: 'm7',
          field: 'message',
          title: '渡船',
          snippet: '低潮在夜里',
          ranges: [[0, 2]],
          createdAt: now,
        },
      ],
      nextCursor: null,
      total: 1,
    }),
  })
  useSessions.setState({ view: 'active', query: '', hits: null, tagId: null, selected: new Set(), renaming: null })
  useNavigation.setState({ sessionId: null, place: 'chats', jumpTo: null })
  await loadSessions()
})
afterEach(cleanup)

const show = () =>
  render(
    <>
      <SessionList />
      <Toasts />
    </>,
  )
const row = (id: string) => document.querySelector<HTMLElement>(`[data-session="${id}"]`) as HTMLElement
const titles = () => [...document.querySelectorAll('[data-session] b')].map((title) => title.textContent)

it('lists chats and opens one', async () => {
  show()
  await waitFor(() => expect(titles()).toEqual(['Tides', '渡船', 'Ferries']))
  fireEvent.click(row('b'))
  expect(useNavigation.getState().sessionId).toBe('b')
  expect(row('b').getAttribute('aria-current')).toBe('true')
})

it('renames in place, and leaves the title alone on Escape', async () => {
  show()
  await waitFor(() => expect(row('a')).toBeTruthy())
  fireEvent.keyDown(row('a'), { key: 'F2' })
  const field = screen.getByRole('textbox', { name: 'New title' })
  fireEvent.change(field, { target: { value: 'Spring tides' } })
  fireEvent.blur(field)
  await waitFor(() =>
    expect(strata.inputsOf('sessions.update')).toEqual([{ sessionId: 'a', patch: { title: 'Spring tides' } }]),
  )
  expect(titles()).toContain('Spring tides')
  fireEvent.keyDown(row('c'), { key: 'F2' })
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'New title' }), { key: 'Escape' })
  expect(titles()).toContain('Ferries')
  expect(strata.inputsOf('sessions.update')).toHaveLength(1)
})

it('moves to the bin and back', async () => {
  show()
  await waitFor(() => expect(row('a')).toBeTruthy())
  fireEvent.keyDown(row('a'), { key: 'Delete' })
  await waitFor(() => expect(row('a')).toBeNull())
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(row('a')).toBeTruthy())
  expect(strata.inputsOf('sessions.restore')).toEqual([{ sessionIds: ['a'] }])
})

it('chooses several with Ctrl and Shift', async () => {
  show()
  await waitFor(() => expect(row('a')).toBeTruthy())
  fireEvent.click(row('a'), { ctrlKey: true })
  fireEvent.click(row('c'), { shiftKey: true })
  expect([...useSessions.getState().selected]).toEqual(['a', 'b', 'c'])
  expect(screen.getByRole('toolbar', { name: '3 selected' })).toBeTruthy()
  expect(useNavigation.getState().sessionId).toBeNull()
})

describe('search', () => {
  it('shows where the words stand and jumps to the message', async () => {
    show()
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search' }), { target: { value: '低潮' } })
    const mark = await waitFor(() => {
      const found = document.querySelector('mark')
      if (!found) throw new Error('no hit yet')
      return found
    })
    expect(mark.textContent).toBe('低潮')
    fireEvent.click(mark.closest('button') as HTMLElement)
    expect(useNavigation.getState()).toMatchObject({ sessionId: 'b', jumpTo: { messageId: 'm7' } })
  })
})

it('goes round through the chats in the order of the list', () => {
  act(() => useNavigation.setState({ sessionId: 'c' }))
  expect(openNeighbour(1)).toBe(true)
  expect(useNavigation.getState().sessionId).toBe('a')
  openNeighbour(-1)
  expect(useNavigation.getState().sessionId).toBe('c')
})

describe('the list by keyboard', () => {
  const stops = () => [...document.querySelectorAll<HTMLElement>('[data-row]')].filter((row) => row.tabIndex === 0)

  it('is one Tab stop, and arrows move inside it', () => {
    render(<SessionList />)
    expect(stops().map((row) => row.dataset.row)).toEqual(['a'])
    stops()[0]?.focus()
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'ArrowDown' })
    expect(document.activeElement).toBe(document.querySelector('[data-row="b"]'))
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'End' })
    expect(document.activeElement).toBe(document.querySelector('[data-row="c"]'))
    expect(stops().map((row) => row.dataset.row)).toEqual(['c'])
  })

  it('Tab lands on the chat on screen', () => {
    useNavigation.setState({ sessionId: 'b' })
    render(<SessionList />)
    expect(stops().map((row) => row.dataset.row)).toEqual(['b'])
  })
})

it('an unread chat says so until it is on screen', () => {
  useSessions.setState(({ sessions }) => ({ sessions: sessions.map((each) => ({ ...each, unread: each.id === 'b' })) }))
  render(<SessionList />)
  expect(screen.getAllByRole('img', { name: 'unread answer' })).toHaveLength(1)
  act(() => useNavigation.setState({ sessionId: 'b' }))
  expect(screen.queryByRole('img', { name: 'unread answer' })).toBeNull()
})
