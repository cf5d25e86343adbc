import type { Emit } from '../app-contract'
import type { EverydayTexts } from '../context/memory/calibrate'
import { createLocalEngine } from '../context/memory/engine-host'
import { createMemoryRoom, type MemoryRoom, type MemoryRoomDeps } from '../context/memory/memory-room'
import { memoryMigrations } from '../context/memory/migrations'
import type { JobControl, JobQueue } from '../jobs/contract'
import type { Embedder, Embedding } from '../models/embedding/contract'
import { ngramVector } from '../models/embedding/ngram-hash'
import { settingsSchema } from '../settings/contract'
import type { WriteDatabase } from '../storage/database'
import { fixedClock } from './fixed-clock'
import { idSequence } from './id-sequence'
import { memoryDatabase } from './memory-database'

/** Stands in for a remote embedding model: letters instead of sense, no network, and faults on demand. */
export interface FakeEmbedder extends Embedder {
  calls: string[][]
  /** Thrown by the next calls while set. */
  fault: Error | undefined
  /** Never answers while true. */
  hangs: boolean
  dimensions: number
}

export function fakeEmbedder(model = 'letters', dimensions = 64): FakeEmbedder {
  const fake: FakeEmbedder = {
    space: { provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1', model, recipe: 'r1' },
    label: model,
    scripts: ['letters'],
    calls: [],
    fault: undefined,
    hangs: false,
    dimensions,
    async embed(texts, { signal }) {
      fake.calls.push([...texts])
      if (fake.hangs)
        await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))))
      if (fake.fault) throw fake.fault
      return texts.map((text): Embedding => {
        const vector = ngramVector(text, fake.dimensions)
        return { channel: 'sentence', ...(vector === undefined ? {} : { vector }) }
      })
    },
    ready: () => true,
    warm: () => undefined,
    close: async () => undefined,
  }
  return fake
}

const EVERYDAY: EverydayTexts = {
  statements: ['A plain sentence', 'Another one'],
  questions: ['What is it?'],
  pairs: [['What is plain?', 'A plain sentence']],
}

export interface TestRoom {
  room: MemoryRoom
  database: WriteDatabase
  clock: ReturnType<typeof fixedClock>
  events: { name: string; payload: unknown }[]
  forgotten: string[]
  /** Runs the background job a call has queued. */
  runJob(kind: string): Promise<void>
}

/** A room over a real database, with a local engine and a job queue that runs on demand. */
export function testRoom(dataDir: string, options: Partial<MemoryRoomDeps> = {}): TestRoom {
  const database = options.database ?? memoryDatabase(memoryMigrations)
  const clock = fixedClock()
  const events: TestRoom['events'] = []
  const forgotten: string[] = []
  const workers = new Map<string, (payload: unknown, control: JobControl) => Promise<void>>()
  const jobs: JobQueue = {
    add: ({ kind }) => `job-${kind}`,
    work: (kind, run) => workers.set(kind, run),
    cancelKind: () => undefined,
    forget: () => undefined,
  }
  const emit: Emit = (name, payload) => events.push({ name, payload })
  const settings = settingsSchema.parse(options.embedder ? {} : { memory: { embedder: { kind: 'none' } } })
  const room = createMemoryRoom({
    database,
    dataDir,
    readOnly: false,
    settings: () => settings,
    embedder: () => undefined,
    everyday: EVERYDAY,
    jobs,
    background: { complete: () => Promise.reject(new Error('No model here.')) },
    chats: { getSession: () => undefined, getMessage: () => undefined },
    emit,
    ids: idSequence('m'),
    clock: clock.now,
    nowIso: () => new Date(clock.now()).toISOString(),
    countTokens: (text) => Math.ceil(text.length / 4),
    forgetSource: (id) => forgotten.push(id),
    onProblem: (error) => {
      throw error
    },
    engine: createLocalEngine(),
    ...options,
  })
  return {
    room,
    database,
    clock,
    events,
    forgotten,
    async runJob(kind) {
      await workers.get(kind)?.({}, { signal: new AbortController().signal, progress: () => undefined })
    },
  }
}
