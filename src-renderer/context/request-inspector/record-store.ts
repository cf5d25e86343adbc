import { create } from 'zustand'
import type { Ledger } from '../../../src-main/context/contract'
import type { Preview, TurnRecord } from '../../../src-main/turns/contract'
import { call, on } from '../../api/client'
import { usePreview } from '../context-bar/preview-store'

export interface Previewed {
  sha256: string
  ledger: Ledger
}

interface RecordState {
  /** By `messageId` or `messageId#round`. */
  records: Readonly<Record<string, TurnRecord>>
  errors: Readonly<Record<string, string>>
  /** What the last preview before sending showed, by the answer's message id. */
  previewed: Readonly<Record<string, Previewed>>
}

export const useRecords = create<RecordState>(() => ({ records: {}, errors: {}, previewed: {} }))

export const recordKey = (messageId: string, round?: number): string => (round ? `${messageId}#${round}` : messageId)

export async function loadRecord(messageId: string, round?: number): Promise<void> {
  const key = recordKey(messageId, round)
  try {
    const record = await call('turns.record', { messageId, ...(round ? { round } : {}) })
    useRecords.setState(({ records, errors }) => ({
      records: { ...keepFew(records), [key]: record },
      errors: { ...errors, [key]: '' },
    }))
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    useRecords.setState(({ errors }) => ({ errors: { ...errors, [key]: words } }))
  }
}

const KEPT = 8
/** Records can be large; the ones looked at lately are enough. */
function keepFew<T>(entries: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).slice(-KEPT))
}

/** What the send gate saw for a chat, until the turn that follows names its answer. */
const waiting = new Map<string, Previewed>()

export function expectSend(sessionId: string, { sha256, ledger }: Preview): void {
  waiting.set(sessionId, { sha256, ledger })
}

/** Ties each answer to the preview that stood before it, and forgets records that went stale. */
export function wireRecords(): void {
  on('turn.started', ({ sessionId, messageId }) => {
    const shown = usePreview.getState()
    const before = waiting.get(sessionId) ?? (shown.sessionId === sessionId ? shown.preview : null)
    waiting.delete(sessionId)
    if (!before) return
    const { sha256, ledger } = before
    useRecords.setState(({ previewed }) => ({ previewed: { ...keepFew(previewed), [messageId]: { sha256, ledger } } }))
  })
  for (const name of ['turn.done', 'turn.failed'] as const) {
    on(name, ({ messageId }) => {
      if (useRecords.getState().records[messageId]) void loadRecord(messageId)
    })
  }
}
