import type { ReadDatabase } from '../../storage/database'
import { storedJson } from '../../storage/stored-json'
import { SEARCHED_CHARACTERS } from './chunk-text'
import { findMemories, neighbourTexts } from './repository'
import type { IndexedMemory, TextReading, VectorChannel } from './retrieval/model'
import type { MemoryRow } from './rows'
import { vectorOf } from './spaces'

interface VecRow {
  memory_id: string
  revision: number
  channel: string
  vector: Buffer | null
  gloss: string | null
}

/** Rows as the search engine wants them, with the readings of one space. Unknown ids are left out. */
export function indexedMemories(
  database: ReadDatabase,
  ids: readonly string[],
  space: number | undefined,
  withVectors = true,
): IndexedMemory[] {
  const rows = findMemories(database, ids)
  const readings = space === undefined ? new Map<string, TextReading>() : readingsOf(database, rows, space, withVectors)
  return ids.flatMap((id) => {
    const row = rows.get(id)
    if (row === undefined) return []
    const reading = readings.get(id)
    return [{ ...indexedMemory(database, row), ...(reading === undefined ? {} : { reading }) }]
  })
}

function indexedMemory(database: ReadDatabase, row: MemoryRow): IndexedMemory {
  return {
    id: row.id,
    revision: row.revision,
    text: row.text.slice(0, SEARCHED_CHARACTERS),
    neighbours: neighbourTexts(database, row),
    entities: storedJson<string[]>(row.entities, []),
    // "Remember this" keeps a message as it was said.
    rawTurn: row.message_id !== null && row.source_kind === 'user statement',
    importance: row.importance,
    confidence: row.confidence,
    updatedAt: Date.parse(row.updated_at),
    ...(row.valid_from === null ? {} : { validFrom: Date.parse(row.valid_from) }),
    ...(row.valid_until === null ? {} : { validUntil: Date.parse(row.valid_until) }),
    superseded: row.superseded_by !== null,
    archived: row.archived === 1,
  }
}

function readingsOf(
  database: ReadDatabase,
  rows: ReadonlyMap<string, MemoryRow>,
  space: number,
  withVectors: boolean,
): Map<string, TextReading> {
  const all = database
    .prepare<[number, string], VecRow>(
      `SELECT memory_id, revision, channel, ${withVectors ? 'vector' : 'NULL AS vector'}, gloss FROM memory_vec
       WHERE space = ? AND memory_id IN (SELECT value FROM json_each(?)) ORDER BY memory_id, chunk`,
    )
    .all(space, JSON.stringify([...rows.keys()]))
  const found = new Map<string, { channel: VectorChannel; vectors: Float32Array[]; glosses: string[] }>()
  for (const row of all) {
    if (rows.get(row.memory_id)?.text_revision !== row.revision) continue
    const entry = found.get(row.memory_id) ?? { channel: row.channel as VectorChannel, vectors: [], glosses: [] }
    // A text of several scripts keeps the channel of its first chunk.
    if (row.vector !== null && row.channel === entry.channel) entry.vectors.push(vectorOf(row.vector))
    if (row.gloss !== null) entry.glosses.push(row.gloss)
    found.set(row.memory_id, entry)
  }
  return new Map(
    [...found].map(([id, { channel, vectors, glosses }]) => [
      id,
      { channel, vectors, ...(glosses.length > 0 ? { gloss: glosses.join(' ') } : {}) },
    ]),
  )
}
