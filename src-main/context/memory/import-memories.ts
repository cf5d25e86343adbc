import { AppError } from '../../ipc/app-error'
import type { WriteDatabase } from '../../storage/database'
import { change, insertMemory, type WriteContext } from './change-row'
import type { MemoryImportReport, MemorySnapshot, MemorySource } from './contract'
import { normalText } from './normal-text'
import { decode, type Line, readLines } from './read-memory-file'
import { findEqualText, findMemory } from './repository'
import { snapshotOf } from './rows'

const MAX_BYTES = 64 * 1024 * 1024

/** JSONL, a JSON array, or Markdown list items. With `dryRun` nothing is written and the report is the preview. */
export function importMemories(
  database: WriteDatabase,
  file: { fileName: string; bytes: Uint8Array },
  options: { dryRun: boolean; onConflict: 'keep' | 'replace' },
  context: WriteContext,
): { report: MemoryImportReport; changed: string[] } {
  if (file.bytes.byteLength > MAX_BYTES)
    throw new AppError('import.too_large', 'The file is larger than 64 MB. Split it and import the parts.')
  const text = decode(file.bytes)
  const report: MemoryImportReport = {
    dryRun: options.dryRun,
    added: 0,
    updated: 0,
    unchanged: 0,
    conflicts: 0,
    rows: [],
    skipped: [],
  }
  const lines = readLines(text, file.fileName, report)
  if (lines.length === 0 && report.skipped.length === 0)
    throw new AppError(
      'import.unreadable',
      'The file holds no memory: expected one JSON object a line, or Markdown list items.',
    )
  const changed: string[] = []
  const seen = new Set<string>()
  const run = database.transaction(() => {
    for (const { line, value } of lines) takeLine(database, { line, value, options, context, report, changed, seen })
    if (options.dryRun) throw new DryRun()
  })
  try {
    run.immediate()
  } catch (error) {
    if (!(error instanceof DryRun)) throw error
    return { report, changed: [] }
  }
  return { report, changed }
}

/** Rolls the preview's transaction back: preview and import run the same code. */
class DryRun extends Error {}

interface Taken {
  line: number
  value: Line
  options: { onConflict: 'keep' | 'replace' }
  context: WriteContext
  report: MemoryImportReport
  changed: string[]
  seen: Set<string>
}

function takeLine(database: WriteDatabase, taken: Taken): void {
  const { line, value, report, context } = taken
  const key = normalText(value.text)
  const named = value.id === undefined ? undefined : findMemory(database, value.id)
  const stored = named ?? findEqualText(database, value.text, context.nowIso)
  const say = (outcome: MemoryImportReport['rows'][number]['outcome'], memoryId?: string, existing?: string) => {
    report[outcome === 'conflict' ? 'conflicts' : outcome] += 1
    report.rows.push({
      line,
      outcome,
      text: value.text.slice(0, 300),
      ...(memoryId === undefined ? {} : { memoryId }),
      ...(existing === undefined ? {} : { existing: existing.slice(0, 300) }),
    })
  }
  if (stored === undefined) {
    const row = insertMemory(
      database,
      {
        id: value.id ?? context.newId(),
        source: sourceOf(value),
        snapshot: snapshotFrom(value),
        action: 'imported',
        ...(value.createdAt === undefined ? {} : { createdAt: value.createdAt }),
      },
      context,
    )
    taken.seen.add(key)
    taken.changed.push(row.id)
    say('added', row.id)
    return
  }
  const before = snapshotOf(stored)
  const after = { ...before, ...snapshotFrom(value, before) }
  // Found by words that are equal after normalisation: the stored ones stay.
  if (named === undefined) after.text = before.text
  if (JSON.stringify(sorted(before)) === JSON.stringify(sorted(after))) {
    say('unchanged', stored.id)
    return
  }
  // Both sides changed since the file was written: somebody has to choose.
  const storedIsNewer = value.updatedAt !== undefined && Date.parse(stored.updated_at) > Date.parse(value.updatedAt)
  const conflict = storedIsNewer || (value.updatedAt === undefined && before.text !== after.text)
  if (conflict && taken.options.onConflict === 'keep') {
    say('conflict', stored.id, stored.text)
    return
  }
  change(database, stored, after, 'imported', context)
  taken.changed.push(stored.id)
  say(conflict ? 'conflict' : 'updated', stored.id, stored.text)
}

function snapshotFrom(value: Line, before?: MemorySnapshot): MemorySnapshot {
  return {
    text: value.text.trim(),
    kind: value.kind ?? before?.kind ?? 'fact',
    importance: value.importance ?? before?.importance ?? 0.5,
    confidence: value.confidence ?? before?.confidence ?? 0.8,
    entities: value.entities ?? before?.entities ?? [],
    ...(value.validFrom === undefined ? {} : { validFrom: value.validFrom }),
    ...(value.validUntil === undefined ? {} : { validUntil: value.validUntil }),
    ...(value.supersededBy === undefined ? {} : { supersededBy: value.supersededBy }),
    archived: value.archived ?? before?.archived ?? false,
  }
}

function sourceOf(value: Line): MemorySource {
  const { source } = value
  if (source === undefined) return { kind: 'imported' }
  return {
    kind: source.kind,
    ...(source.sessionId === undefined ? {} : { sessionId: source.sessionId }),
    ...(source.messageId === undefined ? {} : { messageId: source.messageId }),
    ...(source.quote === undefined ? {} : { quote: source.quote }),
  }
}

function sorted(snapshot: MemorySnapshot): [string, unknown][] {
  return Object.entries(snapshot).sort(([a], [b]) => (a < b ? -1 : 1))
}
