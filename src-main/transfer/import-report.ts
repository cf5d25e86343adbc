import { phrase, type Said, type Sentence } from '../ipc/said-contract'
import type { TransferReport } from './contract'

export function emptyReport(format: string, dryRun: boolean): TransferReport {
  return {
    format,
    sessions: { imported: 0, skipped: [], existing: 0 },
    messages: 0,
    prompts: 0,
    warnings: [],
    warningWords: [],
    sessionIds: [],
    dryRun,
  }
}

/** A report stays readable: the same kind of trouble a thousand times is one line. */
export function warn(report: TransferReport, warning: Said): void {
  const LIMIT = 100
  if (report.warnings.length > LIMIT) return
  const { text, words } =
    report.warnings.length < LIMIT ? toSentence(warning) : phrase('Further warnings are left out.')
  report.warnings.push(text)
  report.warningWords?.push(words)
}

const toSentence = (said: Said): Sentence => (typeof said === 'string' ? phrase(said) : said)
