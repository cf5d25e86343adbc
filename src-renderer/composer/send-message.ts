import type { Attachment, Message } from '../../src-main/sessions/contract'
import { type CallOutput, call } from '../api/client'
import { SLOTS } from '../app/slots'
import { useRunning } from '../chat/running-store'
import { addMessages, refreshTranscript } from '../chat/transcript-store'
import { showError } from '../ui/toast'
import { changeDraft, clearDraft, draftOf } from './draft-store'
import { ensureSession } from './ensure-session'
import type { SendAttempt, SendOverrides } from './send-gate'

const sending = new Set<string>()

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
  sessionId: string
  text: string
  attachments: readonly Attachment[]
}

function showStarted({ sessionId, text, attachments }: Outgoing, sent: CallOutput<'turns.send'>): void {
  addMessages(sessionId, [
    {
      ...shownMessage(sessionId, { id: sent.userMessageId, role: 'user', text, state: 'complete' }),
      attachments: [...attachments],
    },
    shownMessage(sessionId, { id: sent.replyMessageId, role: 'assistant', text: '', state: 'streaming' }),
  ])
}

async function send(outgoing: Outgoing): Promise<boolean> {
  const { sessionId, text, attachments } = outgoing
  const attempt = { sessionId, text, attachments: attachments.map((each) => each.id) }
  const overrides = await passGates(attempt)
  if (!overrides) return false
  const sent = await call('turns.send', {
    ...attempt,
    ...(Object.keys(overrides).length ? { overrides } : {}),
  })
  showStarted(outgoing, sent)
  return true
}

/**
 * Sends what stands in the composer. While an answer is running it joins the queue instead. What is refused stays in
 * the composer.
 */
export async function sendDraft(from: string | null): Promise<void> {
  const { text, attachments, queue } = draftOf(from)
  if (!text.trim() && attachments.length === 0) return
  if (from && useRunning.getState().bySession[from] && attachments.length === 0) {
    changeDraft(from, { text: '', queue: [...queue, text] })
    return
  }
  const lock = from ?? ''
  if (sending.has(lock)) return
  sending.add(lock)
  try {
    const sessionId = await ensureSession(from)
    if (await send({ sessionId, text, attachments })) clearDraft(sessionId)
  } catch (error) {
    showError(error)
  } finally {
    sending.delete(lock)
  }
}

/** Adds the message to the chat without asking for a reply. */
export async function appendDraft(from: string | null): Promise<void> {
  const { text, attachments } = draftOf(from)
  if (!text.trim() && attachments.length === 0) return
  try {
    const sessionId = await ensureSession(from)
    await call('messages.append', { sessionId, text, attachments: attachments.map((each) => each.id) })
    clearDraft(sessionId)
    refreshTranscript(sessionId, 0)
  } catch (error) {
    showError(error)
  }
}

/** After an answer: the first message that waited goes out; it stays in the queue when it is refused. */
export async function sendQueued(sessionId: string): Promise<void> {
  const [next, ...rest] = draftOf(sessionId).queue
  if (next === undefined || sending.has(sessionId) || useRunning.getState().bySession[sessionId]) return
  sending.add(sessionId)
  try {
    if (await send({ sessionId, text: next, attachments: [] })) changeDraft(sessionId, { queue: rest })
  } catch (error) {
    showError(error)
  } finally {
    sending.delete(sessionId)
  }
}
