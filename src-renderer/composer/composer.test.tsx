// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useNavigation } from '../app/navigation'
import { turnBegan, turnEnded, useRunning } from '../chat/running-store'
import { useTranscript } from '../chat/transcript-store'
import '../i18n/i18n'
import { ATTACHMENT_LIMITS } from '../../src-main/sessions/contract'
import { aMessage, aSession } from '../testing/builders'
import { fakeStrata } from '../testing/fake-strata'
import { promptEntries } from '../tools/server-prompts'
import { useTools } from '../tools/tool-store'
import { aServer } from '../tools/tool-test-data'
import { useToolView } from '../tools/tool-view-store'
import { TipProvider } from '../ui/tooltip'
import { Composer } from './composer'
import { draftOf, useDrafts } from './draft-store'
import { sendQueued } from './send-message'

vi.mock('../app/slots', () => ({
  SLOTS: {
    headerBadges: [],
    aboveComposer: [],
    composerStart: [],
    composerFoot: [],
    slashEntries: [() => promptEntries()],
    sendGates: [],
    layers: [],
    firstRun: null,
  },
}))

let strata: ReturnType<typeof fakeStrata>

beforeEach(() => {
  useDrafts.setState({ drafts: {} })
  useRunning.setState({ bySession: {} })
  useNavigation.setState({ sessionId: 's1', editing: null })
  useTranscript.setState({
    current: { sessionId: 's1', session: aSession(), messages: [], hasMore: false, total: 0 },
    state: 'ready',
  })
  strata = fakeStrata({
    'drafts.get': () => ({ text: '', attachments: [], queue: [] }),
    'drafts.save': () => ({ saved: true }),
    'sessions.create': () => aSession({ id: 'new', title: '' }),
    'sessions.get': () => ({ session: aSession({ id: 'new' }), messages: [], hasMore: false, total: 0 }),
    'turns.send': () => ({ turnId: 't1', userMessageId: 'u1', replyMessageId: 'r1' }),
    'messages.append': () => aMessage(),
    'snippets.list': () => [{ id: 'n1', name: 'Greeting', text: 'Dear {{name}},' }],
  })
})
afterEach(cleanup)

async function show(sessionId: string | null = 's1') {
  render(
    <TipProvider>
      <Composer sessionId={sessionId} />
    </TipProvider>,
  )
  await waitFor(() => expect(strata.inputsOf('drafts.get')).toHaveLength(1))
  return screen.getByRole('textbox', { name: 'Message' }) as HTMLTextAreaElement
}
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })

describe('sending', () => {
  it('happens on Enter and empties the field', async () => {
    const field = await show()
    type(field, 'When is low water?')
    fireEvent.keyDown(field, { key: 'Enter' })
    await waitFor(() => expect(field.value).toBe(''))
    expect(strata.inputsOf('turns.send')).toEqual([{ sessionId: 's1', text: 'When is low water?', attachments: [] }])
    expect(useTranscript.getState().current?.messages.map((message) => message.role)).toEqual(['user', 'assistant'])
  })

  it('does not happen on Shift+Enter, on blank text, or while an input method composes', async () => {
    const field = await show()
    type(field, '   ')
    fireEvent.keyDown(field, { key: 'Enter' })
    type(field, '低潮')
    fireEvent.keyDown(field, { key: 'Enter', shiftKey: true })
    fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
    fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 })
    await Promise.resolve()
    expect(strata.inputsOf('turns.send')).toEqual([])
    expect(field.value).toBe('低潮')
  })

  it('keeps the text when it is refused', async () => {
    strata = fakeStrata({ 'drafts.get': () => ({ text: '', attachments: [], queue: [] }) })
    const field = await show()
    type(field, 'keep me')
    fireEvent.keyDown(field, { key: 'Enter' })
    await waitFor(() => expect(strata.inputsOf('turns.send')).toHaveLength(1))
    await waitFor(() => expect(field.value).toBe('keep me'))
  })

  it('makes the chat with the first message', async () => {
    const field = await show(null)
    type(field, 'first words')
    fireEvent.keyDown(field, { key: 'Enter' })
    await waitFor(() => expect(strata.inputsOf('turns.send')).toHaveLength(1))
    expect(strata.inputsOf('turns.send')[0]).toMatchObject({ sessionId: 'new', text: 'first words' })
    expect(useNavigation.getState().sessionId).toBe('new')
    expect(draftOf(null).text).toBe('')
  })

  it('adds without a reply on Alt+Enter', async () => {
    const field = await show()
    type(field, 'a note')
    fireEvent.keyDown(field, { key: 'Enter', altKey: true })
    await waitFor(() => expect(field.value).toBe(''))
    expect(strata.inputsOf('messages.append')).toEqual([{ sessionId: 's1', text: 'a note', attachments: [] }])
    expect(strata.inputsOf('turns.send')).toEqual([])
  })
})

describe('while an answer is running', () => {
  it('queues, shows, takes back and sends what waits', async () => {
    turnBegan({ turnId: 't0', sessionId: 's1', messageId: 'r0' })
    const field = await show()
    for (const words of ['second', 'third']) {
      type(field, words)
      fireEvent.keyDown(field, { key: 'Enter' })
      await waitFor(() => expect(field.value).toBe(''))
    }
    expect(screen.getByRole('list', { name: 'Messages that wait' }).textContent).toContain('second')
    fireEvent.keyDown(field, { key: 'ArrowUp' })
    expect(field.value).toBe('third')
    expect(draftOf('s1').queue).toEqual(['second'])
    expect(strata.inputsOf('turns.send')).toEqual([])
    turnEnded('t0')
    await sendQueued('s1')
    expect(strata.inputsOf('turns.send')).toEqual([{ sessionId: 's1', text: 'second', attachments: [] }])
    expect(draftOf('s1').queue).toEqual([])
  })

  it('shows stop instead of send', async () => {
    turnBegan({ turnId: 't0', sessionId: 's1', messageId: 'r0' })
    await show()
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }))
    await waitFor(() => expect(strata.inputsOf('turns.stop')).toEqual([{ turnId: 't0' }]))
  })
})

describe('keys in an empty field', () => {
  it('edit the last message of one’s own on Up', async () => {
    const messages = [aMessage({ id: 'm1' }), aMessage({ id: 'm2', role: 'assistant' })]
    useTranscript.setState((state) => ({ current: state.current && { ...state.current, messages } }))
    const field = await show()
    fireEvent.keyDown(field, { key: 'ArrowUp' })
    expect(useNavigation.getState().editing).toBe('m1')
  })

  it('open the snippets on / and ask for their variables', async () => {
    const field = await show()
    fireEvent.keyDown(field, { key: '/' })
    fireEvent.click(await screen.findByText('Greeting'))
    fireEvent.change(await screen.findByLabelText('name'), { target: { value: 'Ada' } })
    fireEvent.click(screen.getByRole('button', { name: 'Insert' }))
    await waitFor(() => expect(draftOf('s1').text).toBe('Dear Ada,'))
  })

  it('offer on / what running servers have to insert, and give the focus back', async () => {
    const server = aServer({ prompts: [{ name: 'tide_report', description: 'Tides of a port' }] })
    const down = aServer({ id: 's2', state: 'failed', prompts: [{ name: 'lost' }] })
    useTools.setState({ servers: [server, down] })
    const field = await show()
    fireEvent.keyDown(field, { key: '/' })
    expect(screen.queryByText('lost')).toBeNull()
    fireEvent.click(await screen.findByText('tide_report'))
    await waitFor(() =>
      expect(useToolView.getState().dialog).toEqual({ kind: 'prompt', server, prompt: 'tide_report' }),
    )
    expect(document.activeElement).toBe(field)
    expect(screen.queryByText('tide_report')).toBeNull()
    useToolView.setState({ dialog: null })
  })
})

it('refuses a file that is too large before reading it', async () => {
  await show()
  const file = new File(['x'], 'film.mov')
  Object.defineProperty(file, 'size', { value: ATTACHMENT_LIMITS.text + 1 })
  const read = vi.spyOn(file, 'arrayBuffer')
  const picker = document.querySelector('input[type=file]') as HTMLInputElement
  Object.defineProperty(picker, 'files', { value: [file] })
  fireEvent.change(picker)
  await Promise.resolve()
  expect(read).not.toHaveBeenCalled()
  expect(strata.inputsOf('attachments.add')).toEqual([])
})

it('keeps a draft per chat', async () => {
  const field = await show()
  type(field, 'for s1')
  await waitFor(() => expect(strata.inputsOf('drafts.save')).toHaveLength(1), { timeout: 2000 })
  expect(strata.inputsOf('drafts.save')[0]).toMatchObject({ sessionId: 's1', text: 'for s1' })
  expect(draftOf('s2').text).toBe('')
})

it('Alt+Up leafs back through what was sent here, Alt+Down returns to the draft', async () => {
  const field = await show()
  const session = aSession()
  const messages = [
    aMessage({ id: 'm1', sessionId: 's1', role: 'user', text: 'first' }),
    aMessage({ id: 'm2', sessionId: 's1', role: 'assistant', text: 'answer' }),
    aMessage({ id: 'm3', sessionId: 's1', role: 'user', text: 'second' }),
  ]
  useTranscript.setState({ current: { sessionId: 's1', session, messages, hasMore: false, total: 3 } })
  type(field, 'half a thought')
  const press = (key: string) => fireEvent.keyDown(field, { key, altKey: true })
  press('ArrowUp')
  expect(draftOf('s1').text).toBe('second')
  press('ArrowUp')
  expect(draftOf('s1').text).toBe('first')
  press('ArrowUp')
  expect(draftOf('s1').text).toBe('first')
  press('ArrowDown')
  press('ArrowDown')
  expect(draftOf('s1').text).toBe('half a thought')
})
