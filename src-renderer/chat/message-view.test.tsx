// @vitest-environment happy-dom

import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Message, MessagePart } from '../../src-main/sessions/contract'
import { useNavigation } from '../app/navigation'
import '../i18n/i18n'
import { aMessage, aSession } from '../testing/builders'
import { fakeStrata } from '../testing/fake-strata'
import { useApprovals } from '../tools/approval-store'
import { TipProvider } from '../ui/tooltip'
import { endLive, type LiveToolCall, startLive, takeLive } from './live-answers'
import { MessageView } from './message-view'
import { useTranscript } from './transcript-store'

let seq = 0
const appendLive = (id: string, type: 'text' | 'reasoning', text: string) => takeLive(id, { type, text, seq: ++seq })
const setLiveTool = (id: string, call: LiveToolCall) => takeLive(id, { type: 'tool', call, seq: ++seq })
const beginLive = (id: string, parts?: MessagePart[]) => {
  seq = 0
  startLive(id, parts)
}

let strata: ReturnType<typeof fakeStrata>

beforeEach(() => {
  strata = fakeStrata({
    'sessions.get': () => ({ session: aSession(), messages: [], hasMore: false, total: 0 }),
    'turns.regenerate': () => ({ turnId: 't', replyMessageId: 'r' }),
    'turns.edit-and-resend': () => ({ turnId: 't', replyMessageId: 'r', userMessageId: 'u' }),
    'messages.select': () => ({ sessionId: 's1', messageId: 'm0' }),
    'tools.answer': () => ({ accepted: true }),
  })
  useNavigation.setState({ editing: null, sessionId: 's1' })
  useApprovals.setState({ byCall: {} })
  useTranscript.setState({
    current: { sessionId: 's1', session: aSession(), messages: [], hasMore: false, total: 0 },
    state: 'ready',
  })
})
afterEach(cleanup)

const show = (message: Message) =>
  render(
    <TipProvider>
      <MessageView message={message} last />
    </TipProvider>,
  )
const anAnswer = (fields: Partial<Message> = {}) => aMessage({ role: 'assistant', id: 'r1', parentId: 'u1', ...fields })

it('shows text as it streams, and the reasoning folded apart', async () => {
  beginLive('r1')
  show(anAnswer({ state: 'streaming', text: '', parts: [] }))
  expect(screen.getByText('Waiting for the first words')).toBeTruthy()
  appendLive('r1', 'reasoning', 'think first')
  appendLive('r1', 'text', 'Low water is **at')
  await waitFor(() => expect(document.querySelector('strong')?.textContent).toBe('at'))
  expect(screen.getByRole('button', { name: /Reasoning/ }).getAttribute('aria-expanded')).toBe('false')
  act(() => endLive('r1'))
})

it('shows a tool call as a card that asks, and passes the decision on', async () => {
  beginLive('r1')
  show(anAnswer({ state: 'streaming', parts: [] }))
  const call = { callId: 'c1', toolId: 'files/write_file', name: 'write_file', arguments: { path: 'a.md' } }
  setLiveTool('r1', { ...call, state: 'waiting' })
  act(() =>
    useApprovals.setState({
      byCall: {
        'r1 c1': {
          requestId: 'q1',
          turnId: 't',
          messageId: 'r1',
          callId: 'c1',
          tool: 'write_file',
          arguments: { path: 'b.md' },
        },
      },
    }),
  )
  const card = await screen.findByRole('region', { name: /write_file, Waiting for you/ })
  // what would run, mended arguments included
  expect(within(card).getByText('b.md')).toBeTruthy()
  fireEvent.click(within(card).getByRole('button', { name: 'Allow once' }))
  await waitFor(() => expect(strata.inputsOf('tools.answer')).toEqual([{ requestId: 'q1', decision: 'once' }]))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Allow once' })).toBeNull())
  act(() => endLive('r1'))
})

it('asks anew about a call the app did not see the end of, and the same id in an older answer stays quiet', async () => {
  const part = { type: 'tool', callId: 'c1', toolId: 'mcp/s1/scan', name: 'scan', arguments: {} } as const
  const question = { requestId: 'q2', turnId: 't', messageId: 'r1', callId: 'c1', tool: 'scan', arguments: {} }
  show(anAnswer({ id: 'r0', parts: [{ ...part, state: 'completed', result: 'old' }] }))
  beginLive('r1', [{ ...part, state: 'interrupted' }])
  show(anAnswer({ state: 'streaming', parts: [] }))
  act(() => useApprovals.setState({ byCall: { 'r1 c1': { ...question, interrupted: true } } }))
  const card = await screen.findByRole('region', { name: /scan, Interrupted/ })
  expect(within(card).queryByRole('button', { name: 'Always allow' })).toBeNull()
  fireEvent.click(within(card).getByRole('button', { name: 'Tell the model it was interrupted' }))
  await waitFor(() => expect(strata.inputsOf('tools.answer')).toEqual([{ requestId: 'q2', decision: 'deny' }]))
  expect(screen.getByRole('region', { name: /scan, Done/ })).toBeTruthy()
  act(() => endLive('r1'))
})

it('shows a call that was cut off for what it is', () => {
  const part = { type: 'tool', toolId: 'mcp/s1/scan', name: 'scan', arguments: {} } as const
  const parts = [
    { ...part, callId: 'c1', state: 'running' as const },
    { ...part, callId: 'c2', state: 'queued' as const },
  ]
  show(anAnswer({ state: 'interrupted', parts }))
  expect(screen.getByRole('region', { name: /scan, Interrupted/ })).toBeTruthy()
  expect(screen.getByRole('region', { name: /scan, Stopped/ })).toBeTruthy()
})

it('says how far a running call is, until it has ended', async () => {
  beginLive('r1')
  show(anAnswer({ state: 'streaming', parts: [] }))
  const call = { callId: 'c1', toolId: 'mcp/s1/scan', name: 'scan', arguments: {} }
  setLiveTool('r1', { ...call, state: 'running', progress: '2 of 5' })
  expect(await screen.findByText('2 of 5')).toBeTruthy()
  setLiveTool('r1', { ...call, state: 'completed', result: 'Five files.' })
  await waitFor(() => expect(screen.queryByText('2 of 5')).toBeNull())
  expect(screen.getByText('Five files.')).toBeTruthy()
  act(() => endLive('r1'))
})

describe('an answer that did not end well', () => {
  it('says why and offers to try again', async () => {
    show(
      anAnswer({
        state: 'failed',
        text: '',
        parts: [],
        error: { code: 'model.unreachable', message: 'Nobody answers at this address.', retryable: true },
      }),
    )
    expect(screen.getByText('Nobody answers at this address.')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(strata.inputsOf('turns.regenerate')).toEqual([{ sessionId: 's1', messageId: 'r1' }]))
  })

  it('that used up its rounds of tool calls can go on', () => {
    show(anAnswer({ finishReason: 'max_rounds' }))
    expect(screen.getByText(/the most rounds of tool calls/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Continue' })).toBeTruthy()
  })

  it.each([
    ['stopped', 'You stopped this answer.'],
    ['interrupted', /The app closed/],
  ] as const)('tells a %s one from a complete one and lets it go on', (state, words) => {
    show(anAnswer({ state }))
    expect(screen.getByText(words)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Continue' })).toBeTruthy()
  })
})

it('counts versions and what hangs below them, and goes to the next', async () => {
  const at = new Date(Date.now() - 3 * 86_400_000).toISOString()
  const siblingInfo = [0, 47, 1].map((messages) => ({ messages, lastAt: at }))
  show(aMessage({ id: 'm1', siblings: ['m0', 'm1', 'm2'], siblingInfo }))
  expect(screen.getByText(/2\/3/).textContent).toBe('2/3 · 47 msgs · 3 d')
  fireEvent.click(screen.getByRole('button', { name: 'Previous version' }))
  await waitFor(() => expect(strata.inputsOf('messages.select')).toEqual([{ messageId: 'm0' }]))
})

it('keeps an edit of a message while another chat is looked at, until it is decided', async () => {
  const view = show(aMessage({ text: 'old' }))
  fireEvent.click(screen.getByRole('button', { name: 'Edit and resend' }))
  fireEvent.change(await screen.findByRole('textbox'), { target: { value: 'half a thought' } })
  view.unmount()
  act(() => useNavigation.setState({ editing: null }))
  show(aMessage({ text: 'old' }))
  fireEvent.click(screen.getByRole('button', { name: 'Edit and resend' }))
  expect(await screen.findByDisplayValue('half a thought')).toBeTruthy()
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Escape' })
  fireEvent.click(screen.getByRole('button', { name: 'Edit and resend' }))
  expect(((await screen.findByRole('textbox')) as HTMLTextAreaElement).value).toBe('old')
})

it('edits in place and sends the new text as a version', async () => {
  show(aMessage({ id: 'm1', text: 'old words' }))
  fireEvent.click(screen.getByRole('button', { name: 'Edit and resend' }))
  const field = screen.getByRole('textbox', { name: 'Text of the message' })
  fireEvent.change(field, { target: { value: 'new words' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save and send' }))
  await waitFor(() =>
    expect(strata.inputsOf('turns.edit-and-resend')).toEqual([{ sessionId: 's1', messageId: 'm1', text: 'new words' }]),
  )
})

it('an opening message answers nothing: it has no request and is not made anew', () => {
  show(anAnswer({ parentId: null, siblings: ['r1', 'r2'] }))
  for (const name of ['See what was sent', 'Regenerate']) expect(screen.queryByRole('button', { name })).toBeNull()
  expect(screen.getByRole('button', { name: 'Next version' })).toBeTruthy()
})

it('opens what was sent for an answer', () => {
  show(anAnswer())
  const eye = screen.queryByRole('button', { name: 'See what was sent' })
  if (!eye) throw new Error('the tab Sent is registered, so its door must be there')
  fireEvent.click(eye)
  expect(useNavigation.getState()).toMatchObject({ paneOpen: true, paneTab: 'sent', sentMessageId: 'r1' })
})
