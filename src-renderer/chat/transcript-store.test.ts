// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { aMessage, aSession } from '../testing/builders'
import { fakeStrata } from '../testing/fake-strata'
import {
  addMessages,
  findMessage,
  loadOlder,
  openTranscript,
  refreshTranscript,
  useTranscript,
} from './transcript-store'

/** A branch of 1,000 messages, paged from the newest end. */
const ALL = Array.from({ length: 1000 }, (_, index) => aMessage({ id: `m${index}`, text: `no ${index}` }))
const page = ({ limit = 1000, before }: { limit?: number; before?: string }) => {
  const end = before ? ALL.findIndex((message) => message.id === before) : ALL.length
  const start = Math.max(0, end - limit)
  return {
    session: aSession(),
    messages: ALL.slice(start, end).map((each) => ({ ...each })),
    hasMore: start > 0,
    total: 1000,
  }
}
const ids = () => useTranscript.getState().current?.messages.map((message) => message.id) ?? []

let strata: ReturnType<typeof fakeStrata>
beforeEach(async () => {
  strata = fakeStrata({ 'sessions.get': page, 'messages.select': () => ({}) })
  await openTranscript(null)
  await openTranscript('s1')
})

describe('a long chat', () => {
  it('opens with its newest page only', () => {
    expect(ids()).toHaveLength(60)
    expect(ids().at(-1)).toBe('m999')
    expect(useTranscript.getState().current?.hasMore).toBe(true)
  })

  it('reads older pages in front', async () => {
    expect(await loadOlder()).toBe(200)
    expect(ids()[0]).toBe('m740')
    expect(new Set(ids()).size).toBe(260)
  })

  it('finds a message far up', async () => {
    const at = await findMessage('m3')
    expect(ids()[at]).toBe('m3')
  })

  it('keeps older pages and unchanged messages when its tail is read again', async () => {
    await loadOlder()
    const before = useTranscript.getState().current?.messages ?? []
    refreshTranscript('s1', 0)
    await vi.waitFor(() => expect(strata.inputsOf('sessions.get')).toHaveLength(3))
    await vi.waitFor(() => expect(useTranscript.getState().prepending).toBe(false))
    const after = useTranscript.getState().current?.messages ?? []
    expect(after).toHaveLength(before.length)
    expect(after.every((message, index) => message === before[index])).toBe(true)
  })
})

it('shows a chat that was read before at once', async () => {
  await openTranscript(null)
  const opening = openTranscript('s1')
  expect(ids().at(-1)).toBe('m999')
  await opening
})

it('adds a sent message once, even when it was read meanwhile', () => {
  addMessages('s1', [aMessage({ id: 'u1' }), aMessage({ id: 'r1', role: 'assistant' })])
  addMessages('s1', [aMessage({ id: 'u1' })])
  expect(ids().slice(-2)).toEqual(['u1', 'r1'])
})

it('says why a chat cannot be read', async () => {
  fakeStrata({})
  await openTranscript('s9')
  expect(useTranscript.getState()).toMatchObject({ state: 'failed', error: 'No answer for sessions.get.' })
})
