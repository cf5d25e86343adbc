import { join } from 'node:path'
import type { Emit } from '../../app-contract'
import type { Handlers } from '../../ipc/contract'
import type { JobQueue } from '../../jobs/contract'
import type { Embedder, EmbeddingSpace } from '../../models/embedding/contract'
import type { Settings } from '../../settings/contract'
import type { WriteDatabase } from '../../storage/database'
import type { BlockSource } from '../block-source'
import type { EverydayTexts } from './calibrate'
import type { Memory, MemoryHit, MemorySaveInput, MemoryStatus, memoryCalls, RetrievalMode } from './contract'
import { createThreadEngine, type EngineHost } from './engine-host'
import { memoryHandlers, REINDEX_JOB } from './handlers'
import { MemoryIndexer } from './indexer'
import { createLanceIndex } from './lance-index'
import { createMemorySource, labelOf } from './memory-block'
import { countOutbox } from './outbox'
import { outsideCosines } from './outside-cosines'
import { countMemories, findMemories } from './repository'
import { type RetrievalSources, retrieve } from './retrieve'
import { selfTest } from './self-test'
import { countUnread } from './spaces'
import { findSuggestions } from './suggestions'
import { recordAnswer, recordRetrieval } from './uses'

/** Vectors up to which a scan in memory beats the on-disk index. */
const INDEX_FROM = 15_000

export interface MemoryRoomDeps {
  database: WriteDatabase
  dataDir: string
  /** Nothing is written while the folder can only be read. */
  readOnly: boolean
  settings: () => Settings
  /** The embedder the settings ask for, one object as long as they do; undefined = words only. */
  embedder: () => Embedder | undefined
  embedderFor?: (space: EmbeddingSpace) => Embedder | undefined
  everyday: EverydayTexts
  jobs: JobQueue
  emit: Emit
  ids: () => string
  clock: () => number
  nowIso: () => string
  countTokens: (text: string) => number
  forgetSource: (sourceId: string) => void
  onProblem: (error: unknown) => void
  /** Where the search lives; a thread unless a test says otherwise. */
  engine?: EngineHost
  indexFrom?: number
}

export interface MemoryRoom {
  source: BlockSource
  handlers: Handlers<typeof memoryCalls>
  /** For the memory tools: the same rules as the calls. */
  save(input: MemorySaveInput): Memory
  search(input: { query: string; mode?: RetrievalMode; limit?: number }): Promise<{ hits: MemoryHit[] }>
  /** After a finished answer: which of the injected memories it echoed. */
  answered(answer: { messageId: string; question: string; text: string }): void
  /** Loads the search; vectors follow in the background. */
  start(): Promise<void>
  settingsChanged(): void
  /** Loads the embedder ahead of a question, when there is anything to ask. */
  warm(): void
  /** Resolves when the background has nothing left to do. */
  idle(): Promise<void>
  close(): Promise<void>
}

export function createMemoryRoom(deps: MemoryRoomDeps): MemoryRoom {
  const { database } = deps
  const engine = deps.engine ?? createThreadEngine()
  const indexFrom = deps.indexFrom ?? INDEX_FROM
  const lance = createLanceIndex({ folder: join(deps.dataDir, 'memory.lance'), database, indexFrom })
  const indexer = new MemoryIndexer({
    database,
    engine,
    lance,
    readOnly: deps.readOnly,
    embedder: deps.embedder,
    ...(deps.embedderFor === undefined ? {} : { embedderFor: deps.embedderFor }),
    everyday: deps.everyday,
    nowIso: deps.nowIso,
    indexFrom,
    onRead: (ids) => {
      findSuggestions({ database, engine, newId: deps.ids, nowIso: deps.nowIso }, ids)
        .then((found) => found > 0 && deps.emit('memory.changed', { ids: [...ids] }))
        .catch(deps.onProblem)
    },
    onChange: () => deps.emit('memory.changed', { ids: [] }),
  })
  const sources: RetrievalSources = {
    database,
    engine,
    dense: () => indexer.dense(),
    outsideHits: (vector, channel) =>
      indexer.usesIndex ? outsideCosines(database, lance, vector, channel) : Promise.resolve(undefined),
  }
  const ready = () => indexer.start()
  const ask = async (request: { query: string; mode?: RetrievalMode; limit: number }) => {
    await ready()
    return retrieve(sources, {
      draft: request.query,
      mode: request.mode ?? deps.settings().memory.mode,
      topK: request.limit === 0 ? Number.MAX_SAFE_INTEGER : request.limit,
      now: deps.clock(),
      nowIso: deps.nowIso(),
      count: deps.countTokens,
    })
  }
  const handlers = memoryHandlers({
    database,
    ids: deps.ids,
    clock: deps.clock,
    nowIso: deps.nowIso,
    emit: deps.emit,
    jobs: deps.jobs,
    onWritten: (ids) => indexer.changed(ids),
    forgetSource: deps.forgetSource,
    search: ask,
    status: () => statusOf(deps, indexer),
    selfTest: async (sample) => {
      await ready()
      const embedder = deps.embedder()
      return selfTest(
        {
          database,
          engine,
          embedder: embedder?.label ?? 'words only',
          now: deps.clock,
          nowIso: deps.nowIso,
          async read(text) {
            const [answer] = (await embedder?.embed([text], { purpose: 'query' })) ?? []
            if (answer === undefined) return undefined
            const { channel, vector, gloss } = answer
            return { channel, vectors: vector ? [vector] : [], ...(gloss === undefined ? {} : { gloss }) }
          },
        },
        sample,
      )
    },
  })
  deps.jobs.work(REINDEX_JOB, (_payload, control) =>
    indexer.rebuild((done, total) => control.progress(done, total), control.signal),
  )
  return {
    handlers,
    source: createMemorySource({
      async retrieve(turn) {
        await ready()
        return retrieve(sources, {
          draft: turn.draft,
          ...(turn.previous === undefined ? {} : { previous: turn.previous }),
          mode: turn.mode,
          topK: turn.topK,
          now: turn.now.epochMs,
          nowIso: turn.now.iso,
          ...thresholdOf(turn.threshold, indexer),
          count: turn.count,
          signal: turn.signal,
        })
      },
      labels: (ids) => new Map([...findMemories(database, ids)].map(([id, row]) => [id, labelOf(row.text)])),
      recordUse(retrieval, sent) {
        recordRetrieval(database, retrieval, { ...sent, at: deps.nowIso() })
        deps.emit('memory.changed', {
          ids: retrieval.candidates.flatMap((entry) => (entry.verdict === 'injected' ? [entry.memoryId] : [])),
        })
      },
    }),
    save: (input) => handlers['memory.save'](input) as Memory,
    search: async (input) => handlers['memory.search'](input),
    answered: (answer) => {
      recordAnswer(database, { ...answer, at: deps.nowIso() })
    },
    start: ready,
    settingsChanged: () => indexer.settingsChanged(),
    warm() {
      const { enabled, mode } = deps.settings().memory
      if (enabled && mode !== 'keyword' && countMemories(database, deps.nowIso()).holding > 0) deps.embedder()?.warm()
    },
    idle: () => indexer.idle(),
    close: () => indexer.close(),
  }
}

/** The user's threshold, else the one measured for the space, where there is one. */
function thresholdOf(chosen: number | undefined, indexer: MemoryIndexer): { threshold?: number } {
  const threshold = chosen ?? indexer.status().serving?.threshold ?? undefined
  return threshold === undefined ? {} : { threshold }
}

function statusOf(deps: MemoryRoomDeps, indexer: MemoryIndexer): MemoryStatus {
  const { database } = deps
  const counts = countMemories(database, deps.nowIso())
  const { serving, building, lastError, indexProblem, usesIndex } = indexer.status()
  const outbox = countOutbox(database)
  const embedder = deps.embedder()
  const unread = serving === undefined ? counts.total : countUnread(database, serving.id)
  const read = database
    .prepare<[number], { readable: number; vectors: number }>(
      `SELECT count(DISTINCT memory_id) AS readable, count(*) AS vectors FROM memory_vec
       WHERE space = ? AND vector IS NOT NULL AND channel = 'sentence'`,
    )
    .get(serving?.id ?? -1)
  const problem = lastError ?? outbox.lastError ?? undefined
  return {
    embedder: embedder?.label ?? 'Words only',
    dims: serving?.dimensions ?? 0,
    indexed: counts.total - unread,
    pending: embedder === undefined ? 0 : unread,
    failed: outbox.failed,
    ...(problem === undefined ? {} : { lastError: problem }),
    total: counts.total,
    active: counts.holding,
    archived: counts.archived,
    reads: {
      scripts: [...(embedder?.scripts ?? [])],
      readable: read?.readable ?? 0,
      unreadable: Math.max(0, counts.total - unread - (read?.readable ?? 0)),
    },
    ...(building === undefined
      ? {}
      : { building: { embedder: building.label, done: building.done, total: building.total } }),
    search: {
      kind: usesIndex ? 'index' : 'scan',
      vectors: read?.vectors ?? 0,
      ...(indexProblem === undefined ? {} : { problem: indexProblem }),
    },
    threshold: {
      ...(serving?.threshold == null ? {} : { value: serving.threshold }),
      note: serving?.threshold_note || 'Not measured yet.',
    },
  }
}
