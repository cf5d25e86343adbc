import type { Embedder, Embedding, EmbeddingSpace } from '../../models/embedding/contract'
import type { ReadDatabase, WriteDatabase } from '../../storage/database'

/** Embedded on start and on every change of settings: whoever answers otherwise is another space. */
export const SENTINEL =
  'The lighthouse keeper counted seven ships before the fog rolled in. 灯塔看守人在起雾前数了七艘船。'
const SAME_SPACE = 0.999

export interface SpaceRow {
  id: number
  provider: string
  base_url: string
  model: string
  recipe: string
  dimensions: number
  sentinel: Buffer
  middle: Buffer | null
  threshold: number | null
  threshold_note: string
  label: string
  state: 'building' | 'serving'
  created_at: string
}

export function servingSpace(database: ReadDatabase): SpaceRow | undefined {
  return database.prepare<[], SpaceRow>("SELECT * FROM memory_space WHERE state = 'serving'").get()
}

export function buildingSpace(database: ReadDatabase): SpaceRow | undefined {
  return database.prepare<[], SpaceRow>("SELECT * FROM memory_space WHERE state = 'building' ORDER BY id DESC").get()
}

export function sameIdentity(row: SpaceRow, space: EmbeddingSpace): boolean {
  return (
    row.provider === space.provider &&
    row.base_url === space.baseUrl &&
    row.model === space.model &&
    row.recipe === space.recipe
  )
}

/** Same names, same length, and the sentinel lands where it did. */
export function isSameSpace(row: SpaceRow, space: EmbeddingSpace, sentinel: Float32Array): boolean {
  if (!sameIdentity(row, space) || row.dimensions !== sentinel.length) return false
  const before = vectorOf(row.sentinel)
  return before.reduce((sum, value, at) => sum + value * (sentinel[at] ?? 0), 0) >= SAME_SPACE
}

export async function readSentinel(embedder: Embedder, signal?: AbortSignal): Promise<Float32Array | undefined> {
  const [answer] = await embedder.embed([SENTINEL], { purpose: 'memory', ...(signal ? { signal } : {}) })
  return answer?.vector
}

export function createSpace(
  database: WriteDatabase,
  embedder: Embedder,
  sentinel: Float32Array,
  options: { state: SpaceRow['state']; nowIso: string },
): SpaceRow {
  const { space } = embedder
  const { lastInsertRowid } = database
    .prepare(
      `INSERT INTO memory_space (provider, base_url, model, recipe, dimensions, sentinel, label, state, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      space.provider,
      space.baseUrl,
      space.model,
      space.recipe,
      sentinel.length,
      bytesOf(sentinel),
      embedder.label,
      options.state,
      options.nowIso,
    )
  const row = database
    .prepare<[number | bigint], SpaceRow>('SELECT * FROM memory_space WHERE id = ?')
    .get(lastInsertRowid)
  if (row === undefined) throw new Error('The space just written is not there.')
  return row
}

/** The new space serves from here on; every other one goes with its vectors, in one transaction. */
export function flipTo(database: WriteDatabase, id: number): void {
  database
    .transaction(() => {
      database.prepare('DELETE FROM memory_space WHERE id <> ?').run(id)
      database.prepare("UPDATE memory_space SET state = 'serving' WHERE id = ?").run(id)
    })
    .immediate()
}

export function bytesOf(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
}

/** A copy: the blob's memory belongs to SQLite's buffer and may not be aligned. */
export function vectorOf(blob: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(blob).buffer)
}

export interface PendingText {
  id: string
  text: string
  revision: number
}

/** Memories whose present words have no reading in this space yet, and all there are. */
export function countUnread(database: ReadDatabase, space: number): { left: number; total: number } {
  const row = database
    .prepare<[number], { left: number; total: number }>(
      `SELECT count(*) AS total, coalesce(sum(NOT EXISTS
         (SELECT 1 FROM memory_vec AS v WHERE v.space = ? AND v.memory_id = m.id AND v.revision = m.text_revision)), 0) AS left
       FROM memory AS m`,
    )
    .get(space)
  return row ?? { left: 0, total: 0 }
}

/** Chunks with a vector. */
export function countVectors(database: ReadDatabase, space: number): number {
  const row = database
    .prepare<[number], { n: number }>(
      'SELECT count(*) AS n FROM memory_vec INDEXED BY memory_vec_with_vector WHERE space = ? AND vector IS NOT NULL',
    )
    .get(space)
  return row?.n ?? 0
}

export function holdsAny(database: ReadDatabase): boolean {
  return database.prepare('SELECT 1 FROM memory LIMIT 1').get() !== undefined
}

export function dropBuilding(database: WriteDatabase): void {
  database.prepare("DELETE FROM memory_space WHERE state = 'building'").run()
}

/** Stores one reading a chunk. False when the words changed meanwhile: the reading is stale and dropped. */
export function storeReadings(
  database: WriteDatabase,
  space: number,
  memory: PendingText,
  readings: readonly Embedding[],
): boolean {
  return database
    .transaction(() => {
      const now = database
        .prepare<[string], { revision: number }>('SELECT text_revision AS revision FROM memory WHERE id = ?')
        .get(memory.id)
      const alive = database.prepare<[number], { id: number }>('SELECT id FROM memory_space WHERE id = ?').get(space)
      if (now?.revision !== memory.revision || alive === undefined) return false
      database.prepare('DELETE FROM memory_vec WHERE space = ? AND memory_id = ?').run(space, memory.id)
      const insert = database.prepare(
        'INSERT INTO memory_vec (space, memory_id, chunk, revision, channel, vector, gloss) VALUES (?, ?, ?, ?, ?, ?, ?)',
      )
      // A text nobody can read still gets a row: it was tried.
      const rows: readonly Embedding[] = readings.length > 0 ? readings : [{ channel: 'sentence' }]
      rows.forEach((reading, chunk) => {
        const vector = reading.vector === undefined ? null : bytesOf(reading.vector)
        insert.run(space, memory.id, chunk, memory.revision, reading.channel, vector, reading.gloss ?? null)
      })
      return true
    })
    .immediate()
}
