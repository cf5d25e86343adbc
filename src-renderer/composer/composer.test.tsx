// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useNavigation } from '../app/navigation'
import { turnBegan, turnEnded, useRunning } from '../chat/running-store'
import { useTranscript } from '../chat/transcript-store'
import '../i18n/i18n'
import { ATTACHMENT_LIMITS, type FromDraft } from '../../src-main/sessions/composer-contract'
import { joinTexts, textAfterSent, textWithoutSent } from '../../src-main/sessions/draft-contract'
import type { QueuedMessage } from '../../src-main/sessions/queue-contract'
import { CallError } from '../api/client'
import { aMessage, aSession } from '../testing/builders'
import { fakeStrata } from '../testing/fake-strata'
import { promptEntries } from '../tools/server-prompts'
import { useTools } from '../tools/tool-store'
import { aServer } from '../tools/tool-test-data'
import { useToolView } from '../tools/tool-view-store'
import { TipProvider } from '../ui/tooltip'
import { Composer } from './composer'
import { draftOf, forgetDrafts, wireDrafts } from './draft-store'
import { queueOf, useQueues, wireQueues } from './queue-store'
import { sendQueued } from './send-message'

const gates = vi.hoisted(() => [] as (() => Promise<{ go: boolean }>)[])
vi.mock('../app/slots', () => ({
  SLOTS: {
    headerBadges: [],
    aboveComposer: [],
    composerStart: [],
    composerFoot: [],
    slashEntries: [() => promptEntries()],
    sendGates: gates,
    layers: [],
    firstRun: null,
  },
}))

let strata: ReturnType<typeof fakeStrata>
/** What the main process keeps: drafts with revisions, and the queue. */
let main: ReturnType<typeof fakeMain>

function fakeMain() {
  const drafts = new Map<string, { text: string; attachments: never[]; revision: number }>()
  const draft = (id: string | null) => drafts.get(id ?? '') ?? { text: '', attachments: [] as never[], revision: 0 }
  const put = (id: string | null, text: string) => {
    drafts.set(id ?? '', { text, attachments: [], revision: draft(id).revision + 1 })
    strata?.send('drafts.changed', { ids: [id ?? ''], revision: draft(id).revision })
    return draft(id).revision
  }
  const sent = ({ sessionId, text, fromDraft }: { sessionId: string; text: string; fromDraft?: FromDraft }) => {
    if (!fromDraft) return
    const stored = draft(sessionId).text
    const left =
      fromDraft === true ? textWithoutSent(stored, text) : textAfterSent(fromDraft.base, fromDraft.rest, stored)
    if (left === undefined) throw new CallError('conflict', 'Changed elsewhere.')
    put(sessionId, left)
  }
  let queue: QueuedMessage[] = []
  const setQueue = (next: QueuedMessage[]) => {
    queue = next
    strata.send('queue.changed', { ids: ['s1'] })
  }
  return {
    draft,
    put,
    queue: () => queue.map(({ text }) => text),
    answers: {
      'drafts.get': ({ sessionId }: { sessionId: string | null }) => ({ ...draft(sessionId), queue: [], saves: [] }),
      'drafts.save': (input: { sessionId: string | null; text: string; revision?: number }) => {
        if (input.revision !== undefined && input.revision !== draft(input.sessionId).revision)
          throw new CallError('conflict', 'Changed elsewhere.')
        return { saved: true, revision: put(input.sessionId, input.text) }
      },
      'turns.send': (input: { sessionId: string; text: string }) => {
        sent(input)
        return { turnId: 't1', userMessageId: 'u1', replyMessageId: 'r1' }
      },
      'messages.append': (input: { sessionId: string; text: string }) => {
        sent(input)
        return aMessage()
      },
      'queue.list': () => queue,
      'queue.add': (input: { sessionId: string; text: string }) => {
        sent(input)
        const row = { ...input, id: `q${queue.length}`, attachments: [], createdAt: '2026-12-01T00:00:00Z' }
        setQueue([...queue, row])
        return row
      },
      'queue.take': ({ id }: { id: string }) => {
        const row = queue.find((each) => each.id === id)
        setQueue(queue.filter((each) => each.id !== id))
        put('s1', joinTexts(row?.text ?? '', draft('s1').text))
        return row
      },
      'queue.send': ({ id }: { id: string }) => {
        setQueue(queue.filter((each) => each.id !== id))
        return { turnId: 't1', userMessageId: 'u1', replyMessageId: 'r1' }
      },
    },
  }
}

beforeEach(() => {
  forgetDrafts()
  useQueues.setState({ queues: {} })
  useRunning.setState({ bySession: {} })
  useNavigation.setState({ sessionId: 's1', editing: null })
  useTranscript.setState({
    current: { sessionId: 's1', session: aSession(), messages: [], hasMore: false, total: 0 },
    state: 'ready',
  })
  main = fakeMain()
  strata = fakeStrata({
    ...main.answers,
    'sessions.create': () => aSession({ id: 'new', title: '' }),
    'sessions.get': () => ({ session: aSession({ id: 'new' }), messages: [], hasMore: false, total: 0 }),
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
  await waitFor(() => expect(strata.inputsOf('drafts.get').length).toBeGreaterThan(0))
  return screen.getByRole('textbox', { name: 'Message' }) as HTMLTextAreaElement
}
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })

describe('sending', () => {
  it('happens on Enter and empties the field', async () => {
    const field = await show()
    type(field, 'When is low water?')
    fireEvent.keyDown(field, { key: 'Enter' })
    await waitFor(() => expect(field.value).toBe(''))
    expect(strata.inputsOf('turns.send')).toEqual([
      {
        sessionId: 's1',
        text: 'When is low water?',
        attachments: [],
        fromDraft: { base: '', tried: [], rest: '' },
        id: expect.any(String),
      },
    ])
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
    strata = fakeStrata({ ...main.answers, 'turns.send': () => Promise.reject(new CallError('internal', 'No.')) })
    const field = await show()
    type(field, 'keep me')
    fireEvent.keyDown(field, { key: 'Enter' })
    await waitFor(() => expect(strata.inputsOf('turns.send')).toHaveLength(1))
    await waitFor(() => expect(field.value).toBe('keep me'))
  })

  it('leaves the field to the next words at once, which no answer of the call takes away', async () => {
    const sending = Promise.withResolvers<object>()
    strata = fakeStrata({
      ...main.answers,
      'turns.send': (input) => {
        main.answers['turns.send'](input)
        return sending.promise
      },
    })
    const field = await show()
    type(field, 'first')
    fireEvent.keyDown(field, { key: 'Enter' })
    expect(field.value).toBe('')
    type(field, 'typed since')
    sending.resolve({ turnId: 't1', userMessageId: 'u1', replyMessageId: 'r1' })
    await waitFor(() => expect(useTranscript.getState().current?.messages).toHaveLength(2))
    expect(field.value).toBe('typed since')
    await waitFor(() => expect(main.draft('s1').text).toBe('typed since'), { timeout: 2000 })
  })

  it.each([
    ['refused', () => Promise.reject(new CallError('internal', 'No.'))],
    ['taken back by a question before it', null],
  ])(
    'a message that is %s comes back before what was typed since, and so does what was to follow',
    async (_why, send) => {
      const asked = Promise.withResolvers<{ go: boolean }>()
      gates.push(() => (send ? Promise.resolve({ go: true }) : asked.promise))
      strata = fakeStrata({ ...main.answers, ...(send ? { 'turns.send': send } : {}) })
      const field = await show()
      for (const words of ['one', 'two']) {
        type(field, words)
        fireEvent.keyDown(field, { key: 'Enter' })
      }
      type(field, 'three')
      asked.resolve({ go: false })
      await waitFor(() => expect(field.value).toBe('one\ntwo\nthree'))
      await waitFor(() => expect(main.draft('s1').text).toBe('one\ntwo\nthree'), { timeout: 2000 })
      gates.length = 0
    },
  )

  it('waits for the answer another window has begun', async () => {
    strata = fakeStrata({ ...main.answers, 'turns.send': () => Promise.reject(new CallError('busy', 'Busy.')) })
    const field = await show()
    type(field, 'second window')
    fireEvent.keyDown(field, { key: 'Enter' })
    await waitFor(() => expect(main.queue()).toEqual(['second window']))
    expect(field.value).toBe('')
  })

  it('makes the chat with the first message', async () => {
    useNavigation.setState({ sessionId: null })
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
    expect(strata.inputsOf('messages.append')).toEqual([
      {
        sessionId: 's1',
        text: 'a note',
        attachments: [],
        fromDraft: { base: '', tried: [], rest: '' },
        id: expect.any(String),
      },
    ])
    expect(strata.inputsOf('turns.send')).toEqual([])
  })
})

describe('while an answer is running', () => {
  beforeEach(() => {
    wireDrafts()
    wireQueues()
  })
  it('queues, shows, takes back and sends what waits', async () => {
    turnBegan({ turnId: 't0', sessionId: 's1', messageId: 'r0' })
    const field = await show()
    for (const words of ['second', 'third']) {
      type(field, words)
      fireEvent.keyDown(field, { key: 'Enter' })
      await waitFor(() => expect(field.value).toBe(''))
    }
    await waitFor(() => expect(queueOf('s1')).toHaveLength(2))
    expect(screen.getByRole('list', { name: 'Messages that wait' }).textContent).toContain('second')
    fireEvent.keyDown(field, { key: 'ArrowUp' })
    await waitFor(() => expect(field.value).toBe('third'))
    await waitFor(() => expect(queueOf('s1').map(({ text }) => text)).toEqual(['second']))
    expect(strata.inputsOf('turns.send')).toEqual([])
    turnEnded('t0')
    const [second] = queueOf('s1')
    if (second) await sendQueued(second)
    expect(strata.inputsOf('queue.send')).toEqual([{ id: 'q0' }])
    await waitFor(() => expect(queueOf('s1')).toEqual([]))
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

describe('a draft that two windows show', () => {
  it('follows the other window, and keeps what was typed here meanwhile', async () => {
    wireDrafts()
    const field = await show()
    main.put('s1', 'theirs')
    await waitFor(() => expect(field.value).toBe('theirs'))
    type(field, 'theirs and mine')
    main.put('s1', 'all theirs')
    await waitFor(() => expect(main.draft('s1').text).toBe('all theirs and mine'), { timeout: 2000 })
    expect(field.value).toBe('all theirs and mine')
  })

  it('that cannot be read is not saved over: what is typed is added once it was read', async () => {
    main.put('s1', 'kept words')
    let broken = true
    const { 'drafts.get': get } = main.answers
    strata = fakeStrata({
      ...main.answers,
      'drafts.get': (input: { sessionId: string | null }) => {
        if (broken) throw new CallError('internal', 'The reading failed.')
        return get(input)
      },
    })
    const field = await show()
    expect(await screen.findByText(/could not be read: The reading failed/)).toBeTruthy()
    type(field, 'typed')
    await waitFor(() => expect(strata.inputsOf('drafts.get').length).toBeGreaterThan(1), { timeout: 2000 })
    expect(strata.inputsOf('drafts.save')).toEqual([])
    broken = false
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(field.value).toBe('kept words\ntyped'))
    await waitFor(() => expect(main.draft('s1').text).toBe('kept words\ntyped'))
    expect(screen.queryByText(/could not be read/)).toBeNull()
  })
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
