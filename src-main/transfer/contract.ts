import { z } from 'zod'
import { type CallMap, call } from '../ipc/contract'
import type { Words } from '../ipc/said-contract'

export interface TransferReport {
  /** `strata`, `chatgpt`, `claude`, `cherry-studio`, `sillytavern` */
  format: string
  sessions: { imported: number; skipped: { index: number; title?: string; reason: string }[]; existing: number }
  messages: number
  prompts: number
  snippets?: number
  /** Settings that stand at their default here and are taken from the file. */
  settings?: number
  /** Pictures and other files of messages: those the file holds, and those it only names. Absent = none of either. */
  files?: { attached: number; missing: number }
  warnings: string[]
  /** The same warnings, for screens in other languages. */
  warningWords?: Words[]
  sessionIds: string[]
  dryRun: boolean
}

/** Bytes of a file sent in pieces; it is held in memory while it is read. */
export const UPLOAD_LIMIT = 400_000_000
/** Bytes of one piece at most. */
export const UPLOAD_PIECE = 1_500_000
const PIECE_BASE64 = Math.ceil(UPLOAD_PIECE / 3) * 4

export const transferCalls = {
  'transfer.import': call<TransferReport>()(
    z.strictObject({ fileName: z.string().max(500), dataBase64: z.string(), dryRun: z.boolean().optional() }),
  ),
  /** A file too large for one call is sent in pieces, may then be read more than once, and is let go by `discard`. */
  'transfer.begin': call<{ uploadId: string }>()(
    z.strictObject({ fileName: z.string().max(500), bytes: z.number().int().min(0) }),
  ),
  /** The piece that begins at `offset`, which is where the one before ended. */
  'transfer.append': call<{ received: number }>()(
    z.strictObject({ uploadId: z.string(), offset: z.number().int().min(0), dataBase64: z.string().max(PIECE_BASE64) }),
  ),
  'transfer.import-sent': call<TransferReport>()(
    z.strictObject({ uploadId: z.string(), dryRun: z.boolean().optional() }),
  ),
  'transfer.discard': call<{ discarded: number }>()(z.strictObject({ uploadId: z.string() })),
  'transfer.export': call<{ fileName: string; dataBase64: string }>()(
    z.strictObject({ sessionIds: z.array(z.string()).min(1).max(10_000), format: z.enum(['json', 'markdown']) }),
  ),
  /**
   * All chats (archived and binned ones too), folders, tags, prompts, snippets and the settings that were changed, as one
   * JSON file. Keys and connections stay.
   */
  'transfer.export-all': call<{ fileName: string; dataBase64: string }>()(z.strictObject({})),
  /** What was sent for one answer and the answer itself, as one JSON file. */
  'transfer.record': call<{ fileName: string; dataBase64: string }>()(z.strictObject({ messageId: z.string() })),
} satisfies CallMap
