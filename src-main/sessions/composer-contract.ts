import { z } from 'zod'
import { type CallMap, call } from '../ipc/contract'

const MEGABYTE = 1_000_000
/** Bytes a file may have, by what it is; and how many files one message takes. */
export const ATTACHMENT_LIMITS = { image: 20 * MEGABYTE, pdf: 50 * MEGABYTE, text: 5 * MEGABYTE } as const
export const MOST_ATTACHMENTS = 20

export interface Attachment {
  id: string
  sha256: string
  name: string
  mediaType: string
  bytes: number
  /** Text read out of a text file or PDF, as it is sent. */
  extractedText?: string
  /** Missing = nobody knows; shown as "not counted". */
  tokens?: number
  width?: number
  height?: number
}

const saveId = z.string().min(8).max(100)
const draftText = z.string().max(16_000_000)
/**
 * How a message leaves the draft it was written in. `base` is what the window last read or saved, `tried` what it tried to
 * save since without an answer, oldest first; `rest` is to stay. true = the window knows no better than the message itself.
 */
export const fromDraft = z.union([
  z.boolean(),
  z.strictObject({
    base: draftText,
    tried: z
      .array(z.strictObject({ id: saveId, text: draftText }))
      .max(20)
      .optional(),
    rest: draftText,
  }),
])
export type FromDraft = z.output<typeof fromDraft>

export interface Snippet {
  id: string
  name: string
  text: string
}

/** What one writes with: files, the text being typed, ready-made texts. */
export const composerCalls = {
  /** Stored once by hash; the id goes into `turns.send`. */
  'attachments.add': call<Attachment>()(
    z.strictObject({
      name: z.string().min(1).max(500),
      mediaType: z.string().max(200),
      dataBase64: z.string(),
      /** The chat it is for: a temporary one's files stay in memory. */
      sessionId: z.string().optional(),
      /** For a temporary chat that is not named: kept in memory, never on disk. */
      temporary: z.boolean().optional(),
    }),
  ),
  'attachments.read': call<{ mediaType: string; dataBase64: string }>()(z.strictObject({ sha256: z.string() })),
  /**
   * The text being typed, per session (or the new-chat screen: null): survives restarts. `queue`: the texts of what
   * waits, for reading (`queue.list` has the rows). `saves`: ids of the last saves that were made, oldest first.
   */
  'drafts.get': call<{ text: string; attachments: Attachment[]; queue: string[]; revision: number; saves: string[] }>()(
    z.strictObject({ sessionId: z.string().nullable() }),
  ),
  /** `conflict` when the draft has another revision than the given one: nothing is replaced unseen. */
  'drafts.save': call<{ saved: true; revision: number }>()(
    z.strictObject({
      sessionId: z.string().nullable(),
      text: z.string().max(16_000_000),
      attachments: z.array(z.string()).max(50).optional(),
      queue: z.array(z.string().max(16_000_000)).max(100).optional(),
      /** The one this change was made on; left out = replaces whatever stands there. */
      revision: z.number().int().min(0).optional(),
      /** Made by who saves, so that one whose answer was lost finds it among the `saves`. */
      saveId: saveId.optional(),
    }),
  ),
  /** The prompt snippets behind `/` in the composer. `{{name}}` are variables asked for on insertion. */
  'snippets.list': call<Snippet[]>()(z.strictObject({})),
  'snippets.save': call<Snippet>()(
    z.strictObject({ id: z.string().optional(), name: z.string().min(1).max(200), text: z.string().max(1_000_000) }),
  ),
  'snippets.remove': call<{ removed: number }>()(z.strictObject({ id: z.string() })),
} satisfies CallMap
