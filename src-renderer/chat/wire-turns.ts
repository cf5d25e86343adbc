import { call, on, onLink } from '../api/client'
import { useNavigation } from '../app/navigation'
import { i18n } from '../i18n/i18n'
import { inWords } from '../i18n/said'
import { loadApprovals, wireApprovals } from '../tools/approval-store'
import { announce } from '../ui/announcer'
import { beginLive, endLive, type LiveEvent, liveIds, startLive, takeLive } from './live-answers'
import { addNotice } from './notice-store'
import { heardSoFar, keepRunning, turnBegan, turnEnded, useRunning } from './running-store'
import { openTranscript, refreshTranscript, useTranscript } from './transcript-store'

const isOnScreen = (sessionId: string | undefined) =>
  sessionId !== undefined && useNavigation.getState().sessionId === sessionId

let reading: Promise<void> | null = null
let again = false

/** What runs now, for a window that has just come or lost the thread. One reading at a time; a wish meanwhile is one more. */
function readRunning(): Promise<void> {
  if (reading) {
    again = true
    return reading
  }
  reading = readOnce()
    .catch(() => undefined) // the end of an answer brings it whole
    .finally(() => {
      reading = null
      if (!again) return
      again = false
      void readRunning()
    })
  return reading
}

async function readOnce(): Promise<void> {
  const since = heardSoFar()
  const running = keepRunning(await call('turns.running', {}), since)
  const known = new Set(Object.values(useRunning.getState().bySession).map((turn) => turn.messageId))
  for (const id of liveIds()) if (!known.has(id)) endLive(id)
  for (const { messageId, parts, seq } of running) beginLive(messageId, parts, seq)
  await loadApprovals()
}

/** One piece of a running answer. Where pieces before it are missing, the answer is read. */
function take(messageId: string, event: LiveEvent): void {
  if (!takeLive(messageId, event)) void readRunning()
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
  on('turn.started', ({ turnId, sessionId, messageId, parts }) => {
    turnBegan({ turnId, sessionId, messageId })
    startLive(messageId, parts)
    refreshTranscript(sessionId)
    if (isOnScreen(sessionId)) announce(i18n.t('chat:status.started'))
  })
  on('turn.delta', ({ messageId, text, seq }) => take(messageId, { type: 'text', text, seq }))
  on('turn.reasoning', ({ messageId, text, seq }) => take(messageId, { type: 'reasoning', text, seq }))
  on('turn.rewritten', ({ messageId, parts, seq }) => take(messageId, { type: 'rewritten', parts, seq }))
  on('turn.tool', ({ messageId, call: toolCall, state, result, progress, seq }) =>
    take(messageId, {
      type: 'tool',
      seq,
      call: {
        ...toolCall,
        state,
        ...(result === undefined ? {} : { result }),
        ...(progress === undefined ? {} : { progress }),
      },
    }),
  )
  on('turn.notice', ({ messageId, code, message, words }) => {
    // the answer itself ends in this one, with the way to go on
    if (code !== 'max_rounds') addNotice(messageId, inWords(message, words))
  })
  on('turn.done', ({ turnId, messageId }) => ended(turnId, messageId, i18n.t('chat:status.finished')))
  on('turn.failed', ({ turnId, messageId, message, words }) =>
    ended(turnId, messageId, i18n.t('chat:status.failed', { message: inWords(message, words) })),
  )
  on('messages.changed', ({ sessionId }) => refreshTranscript(sessionId))
  on('sessions.changed', ({ ids }) => {
    const open = useTranscript.getState().current?.sessionId
    if (open && ids.includes(open)) refreshTranscript(open)
  })
  on('resync', () => {
    void readRunning()
    void openTranscript(useNavigation.getState().sessionId)
  })
  wireApprovals()
  // before the events flow, pieces could be lost between the reading and the first event
  onLink((state) => {
    if (state === 'open') void readRunning()
  })
}
