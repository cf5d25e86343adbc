import { rmSync } from 'node:fs'
import { Thread } from '../../ipc/thread'
import type { ReadDatabase } from '../../storage/database'
import { type LanceAnswer, type LanceHit, type LanceRow, type LanceState, type LanceTask, rowHash } from './lance-task'
import bundled from './lance-worker?modulePath'
import { vectorOf } from './spaces'

const ROWS_AT_ONCE = 1_000
const IDLE_MS = 120_000

/**
 * The native library takes up to 33 threads unless told otherwise, and reads these once, at its import. They are set
 * here because a worker's `process.env` is a copy that native code does not see.
 */
const THREAD_LIMITS = ['LANCE_CPU_THREADS', 'LANCE_IO_THREADS', 'TOKIO_WORKER_THREADS', 'RAYON_NUM_THREADS'] as const
const THREADS_USED = '2'

/** The on-disk index of one embedding space: derived from SQLite, and thrown away rather than trusted. */
export interface LanceIndex {
  /** Opens the table of a space, compares it with SQLite and builds it anew on a difference. */
  open(space: { id: number; dimensions: number }): Promise<{ rebuilt: boolean }>
  /** Brings these memories in line with SQLite; those without vectors leave. Idempotent. */
  sync(memories: readonly string[]): Promise<void>
  rebuild(): Promise<void>
  /** Nearest rows, best first. */
  search(vector: Float32Array, channel: string, limit: number): Promise<LanceHit[]>
  /** Deleted words leave the disk. */
  tidy(): Promise<void>
  close(): Promise<void>
}

export function createLanceIndex(options: { folder: string; database: ReadDatabase; indexFrom: number }): LanceIndex {
  const { folder, database } = options
  for (const variable of THREAD_LIMITS) process.env[variable] ??= THREADS_USED
  const thread = new Thread<LanceTask, LanceAnswer>({
    bundled,
    source: new URL('./lance-worker.ts', import.meta.url),
    room: 'memory-lance',
    idleMs: IDLE_MS,
  })
  let space: { id: number; dimensions: number } | undefined
  let generation: object | undefined
  const openTable = async (of: { id: number; dimensions: number }): Promise<void> => {
    await thread.ask({ do: 'open', folder, table: `space_${of.id}`, dimensions: of.dimensions })
    generation = {}
  }
  /** The thread may have rested meanwhile: then it knows no table. */
  const ask = async (task: LanceTask): Promise<LanceAnswer> => {
    if (space === undefined) throw new Error('The vector index is not open.')
    if (!thread.running || generation === undefined) await openTable(space)
    return thread.ask(task)
  }
  const rebuild = async (): Promise<void> => {
    if (space === undefined) return
    try {
      await ask({ do: 'reset' })
    } catch {
      // Whatever the folder holds, nothing in it is worth keeping.
      await thread.stop('The vector index is being rebuilt.')
      rmSync(folder, { recursive: true, force: true })
      await openTable(space)
      await ask({ do: 'reset' })
    }
    for (let after = ''; ; ) {
      const rows = rowsAfter(database, space.id, after, ROWS_AT_ONCE)
      const last = rows.at(-1)
      if (last === undefined) break
      await ask({ do: 'append', rows })
      after = last.id
    }
    await ask({ do: 'tidy', indexFrom: options.indexFrom })
  }
  return {
    async open(of) {
      space = of
      generation = undefined
      try {
        await openTable(of)
        const found = (await ask({ do: 'check' })) as LanceState
        const wanted = stateOf(database, of.id)
        if (found.count === wanted.count && found.sum === wanted.sum) return { rebuilt: false }
      } catch {
        // A damaged table answers with an error or not at all; both end in the rebuild below.
      }
      await rebuild()
      await ask({ do: 'dropOthers' })
      return { rebuilt: true }
    },
    async sync(memories) {
      if (space === undefined || memories.length === 0) return
      await ask({ do: 'replace', memories: [...memories], rows: rowsOf(database, space.id, memories) })
    },
    rebuild,
    search: async (vector, channel, limit) => (await ask({ do: 'search', vector, channel, limit })) as LanceHit[],
    async tidy() {
      if (space !== undefined) await ask({ do: 'tidy', indexFrom: options.indexFrom })
    },
    close: () => thread.stop('The vector index was closed.'),
  }
}

interface Row {
  memory: string
  chunk: number
  revision: number
  channel: string
  vector: Buffer
}

const COLUMNS = `v.memory_id AS memory, v.chunk, v.revision, v.channel, v.vector FROM memory_vec AS v
  JOIN memory AS m ON m.id = v.memory_id AND m.text_revision = v.revision`

function toLance(row: Row): LanceRow {
  return {
    id: `${row.memory}#${row.chunk}`,
    memory: row.memory,
    revision: row.revision,
    channel: row.channel,
    vector: vectorOf(row.vector),
  }
}

function rowsOf(database: ReadDatabase, space: number, memories: readonly string[]): LanceRow[] {
  return database
    .prepare<[number, string], Row>(
      `SELECT ${COLUMNS} WHERE v.space = ? AND v.vector IS NOT NULL AND v.memory_id IN (SELECT value FROM json_each(?))`,
    )
    .all(space, JSON.stringify(memories))
    .map(toLance)
}

/** In the order of their ids, as text: one page after another without holding a cursor open. */
function rowsAfter(database: ReadDatabase, space: number, after: string, limit: number): LanceRow[] {
  return database
    .prepare<[number, string, number], Row>(
      `SELECT ${COLUMNS} WHERE v.space = ? AND v.vector IS NOT NULL AND v.memory_id || '#' || v.chunk > ?
       ORDER BY v.memory_id || '#' || v.chunk LIMIT ?`,
    )
    .all(space, after, limit)
    .map(toLance)
}

/** What the index should hold, from the truth. */
export function stateOf(database: ReadDatabase, space: number): LanceState {
  let sum = 0
  let count = 0
  const rows = database
    .prepare<[number], { memory: string; chunk: number; revision: number }>(
      `SELECT v.memory_id AS memory, v.chunk, v.revision FROM memory_vec AS v
       JOIN memory AS m ON m.id = v.memory_id AND m.text_revision = v.revision
       WHERE v.space = ? AND v.vector IS NOT NULL`,
    )
    .iterate(space)
  for (const row of rows) {
    sum += rowHash(`${row.memory}#${row.chunk}`, row.revision)
    count += 1
  }
  return { count, sum }
}
