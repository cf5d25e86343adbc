import { z } from 'zod'
import { AppError } from '../../ipc/app-error'
import type { ReadDatabase, WriteDatabase } from '../../storage/database'
import {
  MEMORY_KINDS,
  MEMORY_SOURCES,
  type MemoryImportReport,
  type MemorySnapshot,
  type MemorySource,
} from './contract'
import { normalText } from './normal-text'
import { findEqualText, findMemory, listMemories, type MemoryStatusFilter } from './repository'
import { type MemoryRow, memoryOf, snapshotOf } from './rows'
import { change, insertMemory, type WriteContext } from './write'

const MAX_BYTES = 64 * 1024 * 1024
const FORMAT = 'strata-memory-1'

const unit = z.number().min(0).max(1)
const time = z.iso.datetime({ offset: true })
/** Unknown fields are left alone: a file may come from a newer version or another program. */
const lineSchema = z.object({
  id: z.string().min(1).max(200).optional(),
  text: z.string().max(2_000_000),
  kind: z.enum(MEMORY_KINDS).catch('fact').optional(),
  source: z
    .object({
      kind: z.enum(MEMORY_SOURCES).catch('imported'),
      sessionId: z.string().optional(),
      messageId: z.string().optional(),
      quote: z.string().optional(),
    })
    .optional(),
  importance: unit.optional(),
  confidence: unit.optional(),
  entities: z.array(z.string()).optional(),
  validFrom: time.optional(),
  validUntil: time.optional(),
  supersededBy: z.string().optional(),
  archived: z.boolean().optional(),
  createdAt: time.optional(),
  updatedAt: time.optional(),
})
type Line = z.output<typeof lineSchema>

/** One JSON object a line, or one list item a memory. Oldest first, so that an import keeps the order. */
export function exportMemories(
  database: ReadDatabase,
  options: {
    format: 'jsonl' | 'markdown'
    status: MemoryStatusFilter
    ids?: readonly string[] | undefined
    now: number
    nowIso: string
  },
): { fileName: string; text: string } {
  const wanted = options.ids === undefined ? undefined : new Set(options.ids)
  const rows = listMemories(database, {
    status: options.status,
    limit: Number.MAX_SAFE_INTEGER,
    nowIso: options.nowIso,
  })
    .rows.filter((row) => wanted === undefined || wanted.has(row.id))
    .reverse()
  const day = options.nowIso.slice(0, 10)
  if (options.format === 'markdown') {
    return { fileName: `memories-${day}.md`, text: `# Memories, ${day}\n\n${rows.map(markdownOf).join('\n')}\n` }
  }
  const lines = rows.map((row) => {
    const {
      standing: _standing,
      accessCount: _count,
      lastAccessAt: _last,
      revision: _revision,
      ...memory
    } = memoryOf(row, options.now)
    return JSON.stringify({ format: FORMAT, ...memory })
  })
  return { fileName: `memories-${day}.jsonl`, text: lines.map((line) => `${line}\n`).join('') }
}

function markdownOf(row: MemoryRow): string {
  const notes = [
    row.kind,
    row.archived === 1 ? 'archived' : '',
    row.valid_until === null ? '' : `until ${row.valid_until}`,
  ]
  const text = row.text.replace(/\r?\n/g, '\n  ')
  return `- ${text}\n  <!-- ${notes.filter((note) => note !== '').join(', ')}; id: ${row.id} -->`
}

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
  const stored =
    (value.id === undefined ? undefined : findMemory(database, value.id)) ??
    findEqualText(database, value.text, context.nowIso)
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

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new AppError('import.unreadable', 'The file is not UTF-8 text.', { cause: error })
  }
}

function readLines(text: string, fileName: string, report: MemoryImportReport): { line: number; value: Line }[] {
  const found: { line: number; value: Line }[] = []
  const take = (line: number, raw: unknown) => {
    const parsed = lineSchema.safeParse(raw)
    if (!parsed.success) report.skipped.push({ line, reason: parsed.error.issues[0]?.message ?? 'Not a memory.' })
    else if (parsed.data.text.trim() === '') report.skipped.push({ line, reason: 'The text is empty.' })
    else found.push({ line, value: parsed.data })
  }
  if (/\.(md|markdown|txt)$/i.test(fileName)) {
    for (const { line, item } of markdownItems(text)) take(line, item)
    return found
  }
  const trimmed = text.trimStart()
  if (trimmed.startsWith('[')) {
    for (const [at, item] of asArray(trimmed).entries()) take(at + 1, item)
    return found
  }
  text.split(/\r?\n/).forEach((content, at) => {
    if (content.trim() === '') return
    try {
      take(at + 1, JSON.parse(content))
    } catch {
      report.skipped.push({ line: at + 1, reason: 'This line is not JSON.' })
    }
  })
  return found
}

function asArray(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch (error) {
    throw new AppError('import.unreadable', 'The file begins like a JSON list but cannot be read as one.', {
      cause: error,
    })
  }
}

/** List items with their indented lines; the comment of our own export carries the id. */
function markdownItems(
  text: string,
): { line: number; item: { text: string; id?: string; kind?: string; archived?: boolean } }[] {
  const items: { line: number; lines: string[] }[] = []
  text.split(/\r?\n/).forEach((content, at) => {
    const start = /^[-*+] (.*)$/.exec(content)
    const open = items.at(-1)
    if (start) items.push({ line: at + 1, lines: [start[1] ?? ''] })
    else if (open && /^ {2}/.test(content)) open.lines.push(content.slice(2))
  })
  return items.map(({ line, lines }) => {
    const note = /^<!-- (.*); id: (\S+) -->$/.exec(lines.at(-1) ?? '')
    const words = note?.[1]?.split(', ') ?? []
    return {
      line,
      item: {
        text: (note ? lines.slice(0, -1) : lines).join('\n'),
        ...(note?.[2] === undefined ? {} : { id: note[2] }),
        ...(words[0] === undefined ? {} : { kind: words[0] }),
        ...(words.includes('archived') ? { archived: true } : {}),
      },
    }
  })
}
