import type { Attachment, FromDraft } from '../../src-main/sessions/composer-contract'
import type { Message } from '../../src-main/sessions/contract'
import type { QueuedMessage } from '../../src-main/sessions/queue-contract'
import { CallError, type CallOutput, call } from '../api/client'
import { SLOTS } from '../app/slots'
import { useRunning } from '../chat/running-store'
import { addMessages, refreshTranscript } from '../chat/transcript-store'
import { showError } from '../ui/toast'
import { isUnanswered, newDeliveryId, wasDelivered } from './delivery'
import { draftOf, type Leaving, takeDraft } from './draft-store'
import { makeSession } from './make-session'
import type { SendAttempt, SendOverrides } from './send-gate'

async function passGates(attempt: SendAttempt): Promise<SendOverrides | null> {
  let overrides: SendOverrides = {}
  for (const gate of SLOTS.sendGates) {
    const answer = await gate(attempt)
    if (!answer.go) return null
    overrides = { ...overrides, ...answer.overrides }
  }
  return overrides
}

function shownMessage(sessionId: string, fields: Pick<Message, 'id' | 'role' | 'text' | 'state'>): Message {
  return {
    sessionId,
    parentId: null,
    parts: fields.text ? [{ type: 'text', text: fields.text }] : [],
    attachments: [],
    createdAt: new Date().toISOString(),
    siblings: [fields.id],
    ...fields,
  }
}

interface Outgoing {
  /** The message's own, whatever becomes of the call. */
  id: string
  sessionId: string
  text: string
  attachments: readonly Attachment[]
  /** What it is taken off, told when it is handed over. */
  from(): FromDraft
}
type Written = Pick<Outgoing, 'sessionId' | 'text' | 'attachments'>

function showStarted({ sessionId, text, attachments }: Written, sent: CallOutput<'turns.send'>): void {
  addMessages(sessionId, [
    {
      ...shownMessage(sessionId, { id: sent.userMessageId, role: 'user', text, state: 'complete' }),
      attachments: [...attachments],
    },
    shownMessage(sessionId, { id: sent.replyMessageId, role: 'assistant', text: '', state: 'streaming' }),
  ])
}

const attemptOf = ({ sessionId, text, attachments }: Written): SendAttempt => ({
  sessionId,
  text,
  attachments: attachments.map((each) => each.id),
})

const isRunning = (sessionId: string) => Boolean(useRunning.getState().bySession[sessionId])

/** Where a message of the composer goes. False = somebody took it back, so it is still a draft. */
type Deliver = (outgoing: Outgoing) => Promise<boolean>

const queueUp: Deliver = async (outgoing) => {
  await call('queue.add', { ...attemptOf(outgoing), id: outgoing.id, fromDraft: outgoing.from() })
  return true
}

const sendOrQueue: Deliver = async (outgoing) => {
  if (isRunning(outgoing.sessionId)) return queueUp(outgoing)
  const overrides = await passGates(attemptOf(outgoing))
  if (!overrides) return false
  try {
    const choices = Object.keys(overrides).length ? { overrides } : {}
    showStarted(
      outgoing,
      await call('turns.send', { ...attemptOf(outgoing), ...choices, id: outgoing.id, fromDraft: outgoing.from() }),
    )
  } catch (error) {
    // another window was first: its answer is being written now, and this message waits for it like any other
    if (error instanceof CallError && error.code === 'busy') return queueUp(outgoing)
    throw error
  }
  return true
}

const append: Deliver = async (outgoing) => {
  await call('messages.append', { ...attemptOf(outgoing), id: outgoing.id, fromDraft: outgoing.from() })
  refreshTranscript(outgoing.sessionId, 0)
  return true
}

/** The message of each chat that is on its way: the next one goes after it, and not before it. */
const under = new Map<string, Promise<string | null>>()

/**
 * Takes the message out of the composer at once, so that what is typed next is the next message, and delivers it. What
 * is refused or taken back returns, before what was typed since; so does what was to follow it. Resolves to the chat it
 * went into.
 */
function deliver(from: string | null, how: Deliver): Promise<string | null> {
  const key = from ?? ''
  const { text, attachments } = draftOf(from)
  if (!text.trim() && attachments.length === 0) return Promise.resolve(from)
  const message = takeDraft(from)
  const before = under.get(key)
  const done = follow(from, before, message, how)
  under.set(key, done)
  void done.finally(() => {
    for (const [id, last] of under) if (last === done) under.delete(id)
  })
  return done
}

/** What follows the first message of a chat goes into it; the next new chat owes it nothing. */
function chatMade(sessionId: string): void {
  const last = under.get('')
  under.delete('')
  if (last) under.set(sessionId, last)
}

async function follow(
  from: string | null,
  before: Promise<string | null> | undefined,
  message: Leaving,
  how: Deliver,
): Promise<string | null> {
  // the one before it made the chat, or came back and takes this one with it
  const target = before ? await before : from
  if (before && target === null) {
    message.back()
    return null
  }
  const id = newDeliveryId()
  let sessionId = target
  try {
    sessionId ??= await makeSession()
    if (target === null) chatMade(sessionId)
    const { text, attachments, from: draft } = message
    if (await how({ id, sessionId, text, attachments, from: draft })) {
      message.gone()
      return sessionId
    }
  } catch (error) {
    if (sessionId !== null && isUnanswered(error) && (await wasDelivered(id))) {
      message.gone()
      return sessionId
    }
    showError(error)
  }
  message.back()
  return null
}

/** Sends what stands in the composer. While an answer is running it joins the queue instead. */
export async function sendDraft(from: string | null): Promise<void> {
  await deliver(from, sendOrQueue)
}

/** Adds the message to the chat without asking for a reply. */
export async function appendDraft(from: string | null): Promise<void> {
  await deliver(from, append)
}

/** Sends a message that waits, after what is asked before any message leaves. It goes on waiting when it is refused. */
export async function sendQueued({ id, sessionId, text, attachments }: QueuedMessage): Promise<void> {
  try {
    const overrides = await passGates(attemptOf({ sessionId, text, attachments }))
    if (!overrides) return
    const sent = await call('queue.send', { id, ...(Object.keys(overrides).length ? { overrides } : {}) })
    showStarted({ sessionId, text, attachments }, sent)
  } catch (error) {
    showError(error)
  }
}
