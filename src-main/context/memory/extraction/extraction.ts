import type { JobControl, JobQueue } from '../../../jobs/contract'
import type { BackgroundModel } from '../../../models/contract'
import type { Message, Session } from '../../../sessions/contract'
import type { Settings } from '../../../settings/contract'
import type { WriteDatabase } from '../../../storage/database'
import { withoutSecrets } from '../../secrets'
import type { WriteContext } from '../change-row'
import { extractionInstruction } from './prompts'
import { forgetRead, keepFindings, type ReadMessage, wasRead } from './proposals'
import { readFindings } from './read-findings'

export const EXTRACTION_JOB = 'memory-extract'
/** More of a long paste is rarely about the person. */
const CHARACTERS_READ = 8_000
const OUTPUT_TOKENS = 1_000

/** What extraction may see of the chats. */
export interface ReadableChats {
  getSession(sessionId: string): Session | undefined
  getMessage(messageId: string): Message | undefined
}

export interface ExtractionDeps {
  database: WriteDatabase
  jobs: JobQueue
  background: BackgroundModel
  chats: ReadableChats
  settings: () => Settings
  context: () => WriteContext
  onSaved: (ids: readonly string[]) => void
  onProposed: (ids: readonly string[]) => void
}

export interface Extraction {
  /** After each finished answer, with the user message it answered. */
  consider(message: ReadMessage & { modelId?: string }): void
  settingsChanged(): void
  forget(gone: { sessionIds: readonly string[]; messageIds: readonly string[] }): void
}

/** Reads what a person wrote, after the answer, for facts worth keeping: as proposals or, where they chose so, by itself. */
export function createExtraction(deps: ExtractionDeps): Extraction {
  const { database } = deps
  const mode = (): 'ask' | 'automatic' | undefined => {
    const { enabled, extraction } = deps.settings().memory
    return enabled && extraction !== 'off' ? extraction : undefined
  }
  const mayRead = (session: Session | undefined): session is Session =>
    session !== undefined &&
    !session.removedAt &&
    !session.temporary &&
    !(session.isolation && session.worldbookIds.length > 0)

  /** What a person wrote, outside of isolation. */
  const isReadable = (message: Message | undefined): message is Message => message?.role === 'user' && !message.isolated

  const work = async (payload: unknown, control: JobControl): Promise<void> => {
    const { modelId, ...message } = payload as ReadMessage & { modelId?: string }
    const written = deps.chats.getMessage(message.messageId)
    const session = deps.chats.getSession(message.sessionId)
    if (mode() === undefined || !mayRead(session) || !isReadable(written) || wasRead(database, written.id)) return
    const own = written.text.slice(0, CHARACTERS_READ)
    const answer = await deps.background.complete({
      // Without a model for such work, the one that already read these words: no other server gets to see them.
      modelId: deps.settings().general.backgroundModelId ?? modelId ?? session.modelId ?? null,
      instruction: extractionInstruction(own),
      text: withoutSecrets(own),
      maxOutputTokens: OUTPUT_TOKENS,
      signal: control.signal,
    })
    const findings = readFindings(answer, own)
    // Switched off, isolated, or the message deleted while the model was reading: nothing of it may stay.
    const now = mode()
    const still =
      mayRead(deps.chats.getSession(message.sessionId)) && isReadable(deps.chats.getMessage(message.messageId))
    if (now === undefined || !still || control.signal.aborted) return
    const { saved, proposed } = keepFindings(database, { message, findings, mode: now }, deps.context())
    if (saved.length > 0) deps.onSaved(saved)
    if (proposed.length > 0) deps.onProposed(proposed)
  }
  deps.jobs.work(EXTRACTION_JOB, work)

  return {
    consider({ modelId, ...message }) {
      const session = deps.chats.getSession(message.sessionId)
      const written = deps.chats.getMessage(message.messageId)
      if (mode() === undefined || !mayRead(session) || !isReadable(written) || written.text.trim() === '') return
      if (wasRead(database, written.id)) return
      deps.jobs.add({
        kind: EXTRACTION_JOB,
        label: session.title,
        payload: { sessionId: session.id, messageId: written.id, ...(modelId === undefined ? {} : { modelId }) },
        key: `${session.id}/${written.id}`,
        maxAttempts: 3,
      })
    },
    settingsChanged() {
      if (mode() === undefined) deps.jobs.cancelKind(EXTRACTION_JOB)
    },
    forget({ sessionIds, messageIds }) {
      for (const id of sessionIds) deps.jobs.cancelKind(EXTRACTION_JOB, `${id}/`)
      if (forgetRead(database, { sessionIds, messageIds }) > 0) deps.onProposed([])
    },
  }
}
