import type { TransferReport } from './contract'

export function emptyReport(format: string, dryRun: boolean): TransferReport {
  return {
    format,
    sessions: { imported: 0, skipped: [], existing: 0 },
    messages: 0,
    prompts: 0,
    warnings: [],
    sessionIds: [],
    dryRun,
  }
}

/** A report stays readable: the same kind of trouble a thousand times is one line. */
export function warn(report: TransferReport, message: string): void {
  const LIMIT = 100
  if (report.warnings.length < LIMIT) report.warnings.push(message)
  else if (report.warnings.length === LIMIT) report.warnings.push('Further warnings are left out.')
}
