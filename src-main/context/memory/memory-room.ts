import { join } from 'node:path'
import type { Emit } from '../../app-contract'
import type { Handlers } from '../../ipc/contract'
import type { JobQueue } from '../../jobs/contract'
import type { BackgroundModel } from '../../models/contract'
import { type Embedder, type EmbeddingSpace, readsHere } from '../../models/embedding/contract'
import type { Settings } from '../../settings/contract'
import type { WriteDatabase } from '../../storage/database'
import type { BlockSource } from '../block-source'
import type { EverydayTexts } from './calibrate'
import type { Memory, MemoryHit, MemorySaveInput, memoryCalls } from './contract'
import { createThreadEngine, type EngineHost } from './engine-host'
import { createExtraction, type ReadableChats } from './extraction/extraction'
import { memoryHandlers, REINDEX_JOB } from './handlers'
import { MemoryIndexer } from './indexer'
import { createLanceIndex } from './lance-index'
import { createMemorySource, labelOf } from './memory-block'
import { outsideCosines } from './outside-cosines'
import { findMemories } from './repository'
import type { RetrievalMode } from './retrieval-contract'
import { type RetrievalSources, retrieve } from './retrieve'
import { selfTest } from './self-test'
import { statusOf } from './status'
import { StoreCounts } from './store-counts'
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
  /** For the background extraction: who is asked, and what may be read. */
  background: BackgroundModel
  chats: ReadableChats
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
  /** After the start the model and the on-disk index wait this long, so that the first window comes first. */
  settleMs?: number
}

export interface MemorySearch {
  query: string
  mode?: RetrievalMode
  limit?: number
  /** The query may hold what was written under isolation: no embedder elsewhere gets it. */
  staysHere?: boolean
}

export interface AnsweredTurn {
  /** Of the answer. */
  messageId: string
  text: string
  modelId?: string
  /** The user message it answers; absent where that is gone. */
  question?: { messageId: string; sessionId: string; text: string }
}

export interface MemoryRoom {
  source: BlockSource
  handlers: Handlers<typeof memoryCalls>
  /** For the memory tools: the same rules as the calls. */
  save(input: MemorySaveInput): Memory
  search(input: MemorySearch): Promise<{ hits: MemoryHit[] }>
  /** After a finished answer: which of the injected memories it echoed, and whether the question holds something to keep. */
  answered(answer: AnsweredTurn): void
  /** Chats and messages that are gone for good take with them what was found in them and not yet decided. */
  forgetChats(gone: { sessionIds: readonly string[]; messageIds: readonly string[] }): void
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
  const counts = new StoreCounts(database)
  const indexer = new MemoryIndexer({
    database,
    engine,
    lance,
    readOnly: deps.readOnly,
    embedder: deps.embedder,
    isEmbedderWanted: () => deps.settings().memory.embedder.kind !== 'none',
    ...(deps.embedderFor === undefined ? {} : { embedderFor: deps.embedderFor }),
    everyday: deps.everyday,
    nowIso: deps.nowIso,
    indexFrom,
    onRead: (ids) => {
      findSuggestions({ database, engine, newId: deps.ids, nowIso: deps.nowIso }, ids)
        .then((found) => found > 0 && deps.emit('memory.changed', { ids: [...ids] }))
        .catch(deps.onProblem)
    },
    onProgress: () => counts.read(),
    onProblem: deps.onProblem,
    settleMs: deps.settleMs ?? 0,
    onChange: () => deps.emit('memory.changed', { ids: [] }),
  })
  const written = (ids: readonly string[]): void => {
    counts.written()
    indexer.changed(ids)
  }
  const sources: RetrievalSources = {
    database,
    engine,
    counts: (now) => counts.memories(now),
    dense: () => indexer.dense(),
    embedderChanged: () => indexer.settingsChanged(),
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
    onWritten: written,
    forgetSource: deps.forgetSource,
    search: ask,
    status: () => statusOf({ ...deps, counts }, indexer),
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
  const extraction = createExtraction({
    database,
    jobs: deps.jobs,
    background: deps.background,
    chats: deps.chats,
    settings: deps.settings,
    context: () => ({ nowIso: deps.nowIso(), newId: deps.ids }),
    onSaved(ids) {
      written(ids)
      deps.emit('memory.changed', { ids: [...ids] })
    },
    onProposed: () => deps.emit('memory.changed', { ids: [] }),
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
          stays: turn.stays,
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
    search: async ({ staysHere, ...input }) => {
      const embedder = deps.embedder()
      const wordsOnly = staysHere === true && embedder !== undefined && !readsHere(embedder)
      return handlers['memory.search'](wordsOnly ? { ...input, mode: 'keyword' } : input)
    },
    answered({ messageId, text, modelId, question }) {
      recordAnswer(database, { messageId, text, question: question?.text ?? '', at: deps.nowIso() })
      if (question === undefined) return
      const { sessionId } = question
      extraction.consider({ sessionId, messageId: question.messageId, ...(modelId === undefined ? {} : { modelId }) })
    },
    forgetChats: (gone) => extraction.forget(gone),
    start: ready,
    settingsChanged() {
      indexer.settingsChanged()
      extraction.settingsChanged()
    },
    warm() {
      const { enabled, mode } = deps.settings().memory
      if (enabled && mode !== 'keyword' && counts.memories(deps.clock()).holding > 0) deps.embedder()?.warm()
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
