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

/** More are left out. */
export const REPORTED_WARNINGS = 100

/** A report stays readable: the same kind of trouble a thousand times is one line. */
export function warn(report: TransferReport, warning: Said): void {
  if (report.warnings.length > REPORTED_WARNINGS) return
  const { text, words } =
    report.warnings.length < REPORTED_WARNINGS ? toSentence(warning) : phrase('Further warnings are left out.')
  report.warnings.push(text)
  report.warningWords?.push(words)
}

const toSentence = (said: Said): Sentence => (typeof said === 'string' ? phrase(said) : said)
