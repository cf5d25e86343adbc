import type { MessagePart } from '../../src-main/sessions/contract'
import { call, on } from '../api/client'
import { useNavigation } from '../app/navigation'
import { sendQueued } from '../composer/send-message'
import { i18n } from '../i18n/i18n'
import { inWords } from '../i18n/said'
import { loadApprovals, wireApprovals } from '../tools/approval-store'
import { announce } from '../ui/announcer'
import { appendLive, beginLive, endLive, liveIds, setLiveTool } from './live-answers'
import { addNotice } from './notice-store'
import { turnBegan, turnEnded, useRunning, wasStopped } from './running-store'
import { openTranscript, refreshTranscript, useTranscript } from './transcript-store'

/** A running answer is among the newest messages. */
const TAIL = 20

const isOnScreen = (sessionId: string | undefined) =>
  sessionId !== undefined && useNavigation.getState().sessionId === sessionId

function partsOf(messageId: string) {
  return useTranscript.getState().current?.messages.find((message) => message.id === messageId)?.parts ?? []
}

/** What the host has written down of a running answer: its words, and the tool calls among them. */
async function storedParts(turn: { sessionId: string; messageId: string; text: string }): Promise<MessagePart[]> {
  const words: MessagePart[] = turn.text ? [{ type: 'text', text: turn.text }] : []
  try {
    const { messages } = await call('sessions.get', { sessionId: turn.sessionId, limit: TAIL })
    return messages.find((message) => message.id === turn.messageId)?.parts ?? words
  } catch {
    return words // the rest comes with the end of the answer
  }
}

/** What runs now, for a window that has just come or lost the thread. */
async function readRunning(): Promise<void> {
  const running = await call('turns.running', {})
  for (const id of liveIds()) if (!running.some((turn) => turn.messageId === id)) endLive(id)
  useRunning.setState({ bySession: {} })
  for (const turn of running) {
    turnBegan(turn)
    beginLive(turn.messageId, await storedParts(turn))
  }
  await loadApprovals()
}

function ended(turnId: string, messageId: string, words: string): void {
  const turn = turnEnded(turnId)
  const sessionId = turn?.sessionId ?? useTranscript.getState().current?.sessionId
  if (isOnScreen(sessionId)) announce(words)
  if (sessionId) {
    refreshTranscript(sessionId, 0)
    // a chat that is not on screen reads its answer when it is opened
    if (!isOnScreen(sessionId)) endLive(messageId)
  }
}

export function wireTurns(): void {
  on('turn.started', ({ turnId, sessionId, messageId }) => {
    turnBegan({ turnId, sessionId, messageId })
    beginLive(messageId, partsOf(messageId))
    refreshTranscript(sessionId)
    if (isOnScreen(sessionId)) announce(i18n.t('chat:status.started'))
  })
  on('turn.delta', ({ messageId, text }) => appendLive(messageId, 'text', text))
  on('turn.reasoning', ({ messageId, text }) => appendLive(messageId, 'reasoning', text))
  on('turn.rewritten', ({ messageId, parts }) => beginLive(messageId, parts))
  on('turn.tool', ({ messageId, call: toolCall, state, result, progress }) =>
    setLiveTool(messageId, {
      ...toolCall,
      state,
      ...(result === undefined ? {} : { result }),
      ...(progress === undefined ? {} : { progress }),
    }),
  )
  on('turn.notice', ({ messageId, code, message, words }) => {
    // the answer itself ends in this one, with the way to go on
    if (code !== 'max_rounds') addNotice(messageId, inWords(message, words))
  })
  on('turn.done', ({ turnId, messageId }) => {
    const sessionId = Object.values(useRunning.getState().bySession).find((turn) => turn.turnId === turnId)?.sessionId
    ended(turnId, messageId, i18n.t('chat:status.finished'))
    if (sessionId && !wasStopped(turnId)) void sendQueued(sessionId)
  })
  on('turn.failed', ({ turnId, messageId, message, words }) =>
    ended(turnId, messageId, i18n.t('chat:status.failed', { message: inWords(message, words) })),
  )
  on('messages.changed', ({ sessionId }) => refreshTranscript(sessionId))
  on('sessions.changed', ({ ids }) => {
    const open = useTranscript.getState().current?.sessionId
    if (open && ids.includes(open)) refreshTranscript(open)
  })
  on('resync', () => {
    void readRunning().catch(() => undefined)
    void openTranscript(useNavigation.getState().sessionId)
  })
  wireApprovals()
  void readRunning().catch(() => undefined)
}
