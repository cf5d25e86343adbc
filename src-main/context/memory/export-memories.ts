import type { ReadDatabase } from '../../storage/database'
import { listMemories, type MemoryStatusFilter } from './repository'
import { type MemoryRow, memoryOf } from './rows'

const FORMAT = 'strata-memory-1'

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
