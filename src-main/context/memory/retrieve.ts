import { saidBy } from '../../ipc/app-error'
import { asText, phrase, type Said, said } from '../../ipc/said-contract'
import { type Embedder, readsHere } from '../../models/embedding/contract'
import type { ReadDatabase } from '../../storage/database'
import type { EngineHost } from './engine-host'
import { type FittedText, fitCandidates } from './fit-candidates'
import type { MemoryCounts } from './repository'
import { asksAboutPast, isEmptyQuery } from './retrieval/draft-kind'
import type { RetrievalQuery, TextReading } from './retrieval/model'
import { contentWordCount } from './retrieval/tokens'
import { SHORT_DRAFT_WORDS } from './retrieval/weights'
import type { Retrieval, RetrievalCandidate, RetrievalDegraded, RetrievalMode } from './retrieval-contract'
import { retrieveAll } from './retrieve-all'
import type { SpaceRow } from './spaces'

/** A dead endpoint costs a turn this much and no more. */
const DENSE_DEADLINE_MS = 300
/** The built-in model may have to be loaded first; the turn's own limit for a source is longer than this. */
const LOADING_DEADLINE_MS = 2_000
const LEXICAL_DEADLINE_MS = 2_500
/** More of a long paste says nothing more about what is asked. */
const QUERY_CHARACTERS = 4_000

export const TOKENS_PER_MEMORY = 200
export const TOKENS_IN_ALL = 800

export interface RetrievalSources {
  database: ReadDatabase
  engine: EngineHost
  /** How many memories there are and hold at this moment. */
  counts: (now: number) => MemoryCounts
  /** The space that serves now and the embedder that speaks it; absent = words only, with the reason to show. */
  dense: () => { space: SpaceRow; embedder: Embedder } | { reason: Said } | undefined
  /** The embedder has shown that it no longer speaks the space that serves. */
  embedderChanged?: () => void
  /** Cosines from the on-disk index where the store is too big for a scan. */
  outsideHits?: (
    vector: Float32Array,
    channel: TextReading['channel'],
  ) => Promise<ReadonlyMap<string, number> | undefined>
}

/** What was written under isolation: searched for here, never sent to an embedder elsewhere. */
export interface Stays {
  draft: boolean
  previous: boolean
}

export interface RetrievalRequest {
  draft: string
  previous?: string
  /** Absent = everything may be sent. */
  stays?: Stays
  mode: RetrievalMode
  /** 0 = everything that holds, in creation order. */
  topK: number
  now: number
  nowIso: string
  threshold?: number
  count: (text: string) => number
  signal?: AbortSignal
}

export interface Retrieved {
  retrieval: Retrieval
  /** What goes in, in the order of the retrieval. */
  injected: FittedText[]
}

/** One retrieval from the draft to the verdicts. Never rejects for a missing channel: it says what was missing. */
export async function retrieve(sources: RetrievalSources, request: RetrievalRequest): Promise<Retrieved> {
  const started = performance.now()
  const { holding, total } = sources.counts(request.now)
  const done = (part: Partial<Retrieval>, injected: FittedText[] = []): Retrieved => ({
    retrieval: {
      ...blank(request, holding),
      ...part,
      elapsedMs: Math.round((performance.now() - started) * 100) / 100,
    },
    injected,
  })
  // A paste of a megabyte asks no more than its beginning, and must not hold up this thread.
  const draft = request.draft.slice(0, QUERY_CHARACTERS)
  const past = asksAboutPast(draft)
  if (total === 0 || (holding === 0 && !past)) return done({ absent: 'nothing_stored' })
  if (request.topK === 0) {
    const all = retrieveAll(sources.database, request, TOKENS_PER_MEMORY, TOKENS_IN_ALL)
    return done({ ...all.part, mode: 'all' }, all.injected)
  }
  if (isEmptyQuery(draft)) return done({ absent: 'empty_query' })

  const dense = await readDense(sources, request)
  const query: RetrievalQuery = {
    draft,
    mode: dense.degraded !== undefined && request.mode === 'vector' ? 'keyword' : request.mode,
    topK: request.topK,
    now: request.now,
    ...(request.previous === undefined ? {} : { previous: request.previous.slice(0, QUERY_CHARACTERS) }),
    ...dense.readings,
    ...(request.threshold === undefined ? {} : { threshold: request.threshold }),
  }
  const answer = await within(sources.engine.search(query), LEXICAL_DEADLINE_MS, request.signal)
  if (answer === undefined) {
    const reason = 'The memory search did not answer in time.'
    return done({ absent: 'failed', degraded: { channel: 'lexical', reason } })
  }
  const fitted = fitCandidates(
    sources.database,
    answer.candidates,
    { ...request, draft },
    {
      perMemory: TOKENS_PER_MEMORY,
      total: TOKENS_IN_ALL,
    },
  )
  return done(
    {
      candidates: fitted.candidates,
      considered: answer.considered,
      ceiling: { perMemory: TOKENS_PER_MEMORY, total: TOKENS_IN_ALL, used: fitted.used },
      ...(dense.label === undefined ? {} : { embedder: dense.label }),
      ...(dense.degraded === undefined ? {} : { degraded: dense.degraded }),
      ...(fitted.injected.length === 0 ? { absent: 'nothing_relevant' as const } : {}),
    },
    fitted.injected,
  )
}

function blank(request: RetrievalRequest, holding: number): Retrieval {
  const draft = request.draft.slice(0, QUERY_CHARACTERS)
  const candidates: RetrievalCandidate[] = []
  return {
    mode: request.topK === 0 ? 'all' : request.mode,
    query: {
      draft,
      ...(request.previous === undefined ? {} : { previous: request.previous.slice(0, QUERY_CHARACTERS) }),
      contentWords: contentWordCount(draft),
      asksPast: asksAboutPast(draft),
    },
    asOf: request.nowIso,
    topK: request.topK,
    ceiling: { perMemory: TOKENS_PER_MEMORY, total: TOKENS_IN_ALL, used: 0 },
    candidates,
    considered: 0,
    active: holding,
    elapsedMs: 0,
  }
}

interface DenseQuery {
  readings: Pick<RetrievalQuery, 'reading' | 'previousReading' | 'outsideHits'>
  label?: string
  degraded?: RetrievalDegraded
}

/** The draft as the embedder reads it, within the deadline; else the reason why only words are searched. */
async function readDense(sources: RetrievalSources, request: RetrievalRequest): Promise<DenseQuery> {
  if (request.mode === 'keyword') return { readings: {} }
  const dense = sources.dense()
  if (dense === undefined) return { readings: {} }
  const fail = (why: Said): DenseQuery => {
    const { text: reason, ...words } = asText(why)
    return { readings: {}, degraded: { channel: 'dense', reason, ...words } }
  }
  if ('reason' in dense) return fail(dense.reason)
  const { embedder, space } = dense
  const stays = readsHere(embedder) ? undefined : request.stays
  if (stays?.draft)
    return fail(
      said`This was written under isolation, so it is not sent to the embedder “${phrase(embedder.label)}”; only words were searched.`,
    )
  const deadline = embedder.ready() ? DENSE_DEADLINE_MS : LOADING_DEADLINE_MS
  const draft = request.draft.slice(0, QUERY_CHARACTERS)
  const mayLean = request.previous !== undefined && stays?.previous !== true
  const lean = mayLean && contentWordCount(draft) < SHORT_DRAFT_WORDS
  const texts = lean ? [draft, (request.previous ?? '').slice(0, QUERY_CHARACTERS)] : [draft]
  const stop = new AbortController()
  try {
    const answers = await within(
      embedder.embed(texts, { purpose: 'query', signal: stop.signal }),
      deadline,
      request.signal,
    )
    if (answers === undefined)
      return fail(
        said`The embedder “${phrase(embedder.label)}” did not answer within ${deadline} ms; only words were searched.`,
      )
    const [reading, previousReading] = answers.map(
      ({ channel, vector, gloss }): TextReading => ({
        channel,
        vectors: vector === undefined ? [] : [vector],
        ...(gloss === undefined ? {} : { gloss }),
      }),
    )
    const vector = reading?.vectors[0]
    if (vector !== undefined && vector.length !== space.dimensions) {
      sources.embedderChanged?.()
      return fail(
        said`${phrase(embedder.label)} now answers with ${vector.length} dimensions instead of ${space.dimensions}; the index is being built anew.`,
      )
    }
    const outside = vector && reading ? await sources.outsideHits?.(vector, reading.channel) : undefined
    return {
      label: embedder.label,
      readings: {
        ...(reading === undefined ? {} : { reading }),
        ...(previousReading === undefined ? {} : { previousReading }),
        ...(outside === undefined ? {} : { outsideHits: outside }),
      },
    }
  } catch (error) {
    request.signal?.throwIfAborted()
    return fail(saidBy(error))
  } finally {
    stop.abort()
  }
}

/** Undefined when the time is up or the turn was stopped first. A late rejection is nobody's. */
async function within<T>(work: Promise<T>, milliseconds: number, signal?: AbortSignal): Promise<T | undefined> {
  const limit = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => limit.resolve(undefined), milliseconds)
  const stop = () => limit.resolve(undefined)
  signal?.addEventListener('abort', stop, { once: true })
  work.catch(() => undefined)
  try {
    return await Promise.race([work, limit.promise])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}
