import { z } from 'zod'
import { type CallMap, call } from '../ipc/contract'
import type { Words } from '../ipc/said-contract'

export interface TransferReport {
  /** `strata`, `chatgpt`, `cherry-studio`, `sillytavern` */
  format: string
  sessions: { imported: number; skipped: { index: number; title?: string; reason: string }[]; existing: number }
  messages: number
  prompts: number
  warnings: string[]
  /** The same warnings, for screens in other languages. */
  warningWords?: Words[]
  sessionIds: string[]
  dryRun: boolean
}

export const transferCalls = {
  'transfer.import': call<TransferReport>()(
    z.strictObject({ fileName: z.string().max(500), dataBase64: z.string(), dryRun: z.boolean().optional() }),
  ),
  'transfer.export': call<{ fileName: string; dataBase64: string }>()(
    z.strictObject({ sessionIds: z.array(z.string()).min(1).max(10_000), format: z.enum(['json', 'markdown']) }),
  ),
  /** What was sent for one answer and the answer itself, as one JSON file. */
  'transfer.record': call<{ fileName: string; dataBase64: string }>()(z.strictObject({ messageId: z.string() })),
} satisfies CallMap
