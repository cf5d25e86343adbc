import type { Emit } from '../../app-contract'
import { AppError } from '../../ipc/app-error'
import type { Handlers } from '../../ipc/contract'
import type { JobQueue } from '../../jobs/contract'
import type { WriteDatabase } from '../../storage/database'
import type { WriteContext } from './change-row'
import type { Memory, MemorySelfTest, MemoryStatus, memoryCalls } from './contract'
import { exportMemories } from './export-memories'
import { acceptProposal, declineProposals, listProposals } from './extraction/proposals'
import { importMemories } from './import-memories'
import { findMemories, findMemory, listHistory, listMemories } from './repository'
import type { Retrieved } from './retrieve'
import { type MemoryRow, memoryOf } from './rows'
import { listSuggestions, settleSuggestion } from './suggestions'
import { listUses } from './uses'
import { removeMemories, saveMemory, setArchived, supersede, undoChange } from './write'

const DEFAULT_LIMIT = 50
const DEFAULT_HITS = 10
const DEFAULT_SAMPLE = 50
const DEFAULT_USES = 200
export const REINDEX_JOB = 'memory-index'

export interface MemoryHandlerDeps {
  database: WriteDatabase
  ids: () => string
  clock: () => number
  nowIso: () => string
  emit: Emit
  jobs: JobQueue
  /** Committed changes: the search follows. */
  onWritten: (ids: readonly string[]) => void
  /** Stored requests that show a deleted memory are blanked, or kept, as the user chose. */
  forgetSource: (sourceId: string) => void
  search: (request: { query: string; mode?: 'hybrid' | 'vector' | 'keyword'; limit: number }) => Promise<Retrieved>
  status: () => MemoryStatus
  selfTest: (sample: number) => Promise<MemorySelfTest>
}

export function memoryHandlers(deps: MemoryHandlerDeps): Handlers<typeof memoryCalls> {
  const { database } = deps
  const context = (): WriteContext => ({ nowIso: deps.nowIso(), newId: deps.ids })
  const shown = (row: MemoryRow): Memory => memoryOf(row, deps.clock())
  /** The file holds the old pages until the write-ahead log, which has the blanked ones, is written back. */
  const writeBack = () => database.pragma('wal_checkpoint(TRUNCATE)')
  const written = (ids: readonly string[]): void => {
    if (ids.length === 0) return
    deps.onWritten(ids)
    deps.emit('memory.changed', { ids: [...ids] })
  }
  return {
    'memory.list': (input) => {
      const { rows, total } = listMemories(database, {
        status: input.status ?? 'active',
        limit: input.limit ?? DEFAULT_LIMIT,
        nowIso: deps.nowIso(),
        ...(input.query === undefined ? {} : { query: input.query }),
        ...(input.kind === undefined ? {} : { kind: input.kind }),
        ...(input.cursor === undefined ? {} : { before: readCursor(input.cursor) }),
      })
      const last = rows.at(-1)
      const full = rows.length === (input.limit ?? DEFAULT_LIMIT)
      return { memories: rows.map(shown), total, nextCursor: full && last !== undefined ? String(last.seq) : null }
    },
    'memory.get': ({ id }) => {
      const row = findMemory(database, id)
      if (row === undefined)
        throw new AppError('not_found', 'There is no such memory; it may have been deleted elsewhere.')
      return shown(row)
    },
    'memory.save': (input) => {
      const { row, changed } = saveMemory(database, input, context())
      written(changed)
      return shown(row)
    },
    'memory.archive': ({ ids, archived }) => {
      const changed = setArchived(database, ids, archived, context())
      written(changed)
      return { changed }
    },
    'memory.remove': ({ ids }) => {
      const removed = removeMemories(database, ids)
      for (const id of removed) deps.forgetSource(id)
      if (removed.length > 0) writeBack()
      written(removed)
      return { removed }
    },
    'memory.supersede': ({ oldId, newId }) => {
      const { old, current } = supersede(database, oldId, newId, context())
      written([oldId, newId])
      return { old: shown(old), current: shown(current) }
    },
    'memory.search': async ({ query, mode, limit }) => {
      const wanted = limit ?? DEFAULT_HITS
      const { retrieval } = await deps.search({ query, limit: wanted, ...(mode === undefined ? {} : { mode }) })
      return splitHits(database, retrieval, wanted, shown)
    },
    'memory.status': () => deps.status(),
    'memory.reindex': () => ({
      jobId: deps.jobs.add({ kind: REINDEX_JOB, label: 'Memory index', payload: {}, key: 'rebuild' }),
    }),
    'memory.export': ({ format, status, ids }) => {
      const { fileName, text } = exportMemories(database, {
        format: format ?? 'jsonl',
        status: status ?? 'all',
        ids,
        now: deps.clock(),
        nowIso: deps.nowIso(),
      })
      return { fileName, dataBase64: Buffer.from(text, 'utf8').toString('base64') }
    },
    'memory.import': ({ fileName, dataBase64, dryRun, onConflict }) => {
      const { report, changed } = importMemories(
        database,
        { fileName, bytes: Buffer.from(dataBase64, 'base64') },
        { dryRun: dryRun ?? false, onConflict: onConflict ?? 'keep' },
        context(),
      )
      written(changed)
      return report
    },
    'memory.history': ({ id }) => ({ entries: listHistory(database, id) }),
    'memory.undo': ({ id, seq }) => {
      const { row, changed } = undoChange(database, id, seq, context())
      written(changed)
      return shown(row)
    },
    'memory.suggestions': ({ id }) => ({
      suggestions: listSuggestions(database, { ms: deps.clock(), iso: deps.nowIso() }, id),
    }),
    'memory.settle': ({ suggestionId, decision }) => {
      written(settleSuggestion(database, suggestionId, decision, context()))
      return { settled: suggestionId }
    },
    'memory.proposals': ({ sessionId }) => ({ proposals: listProposals(database, sessionId) }),
    'memory.accept': (input) => {
      const { row, changed } = acceptProposal(database, input, context())
      written(changed)
      return shown(row)
    },
    'memory.decline': ({ proposalIds }) => {
      const declined = declineProposals(database, proposalIds)
      if (declined.length === 0) return { declined }
      writeBack()
      deps.emit('memory.changed', { ids: [] })
      return { declined }
    },
    'memory.self-test': ({ sample }) => deps.selfTest(sample ?? DEFAULT_SAMPLE),
    'memory.usage': ({ id, messageId, limit }) => ({
      uses: listUses(database, { id, messageId, limit: limit ?? DEFAULT_USES }),
    }),
  }
}

/** A search shows the best `limit` that may be used at all, each with the verdict a turn would give it; the rest is rejected. */
function splitHits(
  database: WriteDatabase,
  retrieval: Retrieved['retrieval'],
  limit: number,
  shown: (row: MemoryRow) => Memory,
) {
  const rows = findMemories(
    database,
    retrieval.candidates.map((candidate) => candidate.memoryId),
  )
  const usable = new Set(['injected', 'below_margin', 'below_threshold', 'over_top_k', 'over_token_ceiling'])
  const hits = retrieval.candidates
    .filter((candidate) => usable.has(candidate.verdict))
    .slice(0, limit === 0 ? undefined : limit)
    .flatMap((candidate) => {
      const row = rows.get(candidate.memoryId)
      const { score, parts, rank, verdict } = candidate
      return row === undefined ? [] : [{ memory: shown(row), score, parts, rank, verdict }]
    })
  const hit = new Set(hits.map(({ memory }) => memory.id))
  return { hits, rejected: retrieval.candidates.filter((candidate) => !hit.has(candidate.memoryId)), retrieval }
}

function readCursor(cursor: string): number {
  const before = Number(cursor)
  if (!Number.isSafeInteger(before) || before < 1)
    throw new AppError('bad_input', 'This list position is not known. Start from the beginning.')
  return before
}
