import { AppError } from '../../ipc/app-error'
import type { ReadDatabase, WriteDatabase } from '../../storage/database'
import { change, mustFind, type WriteContext } from './change-row'
import type { MemorySuggestion } from './contract'
import type { EngineHost } from './engine-host'
import { indexedMemories } from './feed'
import { findMemories, HOLDS_NOW } from './repository'
import { tokensOf } from './retrieval/tokens'
import { isTopic } from './retrieval/topics'
import { memoryOf, snapshotOf } from './rows'
import { servingSpace } from './spaces'
import { supersede } from './write'

/** Share of common words from which two memories are worth a look together where no model read both. */
const COMMON_WORDS = 0.5
/**
 * The less two memories share in words, the nearer they must be in sense: cosines after the store's middle is taken away.
 * A fact, its other wording and its contradiction lie at 0.5 to 0.9; "learns Spanish" and "learns the piano" below.
 */
const CLOSE: readonly (readonly [common: number, cosine: number])[] = [
  [0.5, 0.5],
  [0.25, 0.6],
  [0, 0.78],
]
const LOOKED_AT = 5

/**
 * Near duplicates of newly read memories. Only ever a suggestion: cosine gives the same fact, its contradiction and the
 * same thing about somebody else nearly one number.
 */
export async function findSuggestions(
  deps: { database: WriteDatabase; engine: EngineHost; newId: () => string; nowIso: () => string },
  ids: readonly string[],
): Promise<number> {
  let found = 0
  const space = servingSpace(deps.database)?.id
  for (const [id, row] of findMemories(deps.database, ids)) {
    const reading = indexedMemories(deps.database, [id], space)[0]?.reading
    const { candidates } = await deps.engine.search({
      draft: row.text.slice(0, 1_000),
      mode: 'hybrid',
      topK: LOOKED_AT,
      now: Date.parse(deps.nowIso()),
      ...(reading === undefined ? {} : { reading }),
    })
    const others = findMemories(
      deps.database,
      candidates.slice(0, LOOKED_AT + 1).flatMap(({ memoryId }) => (memoryId === id ? [] : [memoryId])),
    )
    for (const other of others.values()) {
      if (other.archived === 1 || other.superseded_by !== null || other.seq > row.seq) continue
      const words = compare(row.text, other.text)
      const cosine = candidates.find((candidate) => candidate.memoryId === other.id)?.raw.dense
      if (!areClose(words.common, cosine)) continue
      found += deps.database
        .prepare(
          `INSERT INTO memory_suggestion (id, kind, memory_id, other_id, similarity, created_at)
           SELECT @id, @kind, @memory, @other, @similarity, @at
           WHERE EXISTS (SELECT 1 FROM memory WHERE id = @memory) AND EXISTS (SELECT 1 FROM memory WHERE id = @other)
           ON CONFLICT DO NOTHING`,
        )
        .run({
          id: deps.newId(),
          // Words on both sides that the other lacks mean another value for the same thing.
          kind: words.onlyFirst && words.onlySecond ? 'replaces' : 'possible duplicate',
          memory: id,
          other: other.id,
          similarity: Math.round(1000 * (cosine ?? words.common)) / 1000,
          at: deps.nowIso(),
        }).changes
    }
  }
  return found
}

function areClose(common: number, cosine: number | undefined): boolean {
  if (cosine === undefined) return common >= COMMON_WORDS
  return CLOSE.some(([words, sense]) => common >= words && cosine >= sense)
}

function compare(first: string, second: string): { common: number; onlyFirst: boolean; onlySecond: boolean } {
  const a = wordsOf(first)
  const b = wordsOf(second)
  const shared = [...a].filter((word) => b.has(word)).length
  const all = a.size + b.size - shared
  return { common: all > 0 ? shared / all : 0, onlyFirst: shared < a.size, onlySecond: shared < b.size }
}

/** Its own words: tea and coffee have a topic in common and are not one thing. */
function wordsOf(text: string): Set<string> {
  return new Set(tokensOf(text.slice(0, 4_000)).flatMap((token) => (isTopic(token.text) ? [] : [token.text])))
}

interface SuggestionRow {
  id: string
  kind: MemorySuggestion['kind']
  memory_id: string
  other_id: string
  similarity: number
  created_at: string
}

/** Open ones, newest first; both sides still hold. */
export function listSuggestions(
  database: ReadDatabase,
  now: { ms: number; iso: string },
  id?: string,
): MemorySuggestion[] {
  const rows = database
    .prepare<[object], SuggestionRow>(
      `SELECT * FROM memory_suggestion WHERE settled IS NULL AND (@id IS NULL OR memory_id = @id OR other_id = @id)
         AND memory_id IN (SELECT id FROM memory WHERE ${HOLDS_NOW}) AND other_id IN (SELECT id FROM memory WHERE ${HOLDS_NOW})
       ORDER BY created_at DESC, id LIMIT 200`,
    )
    .all({ id: id ?? null, now: now.iso })
  const memories = findMemories(
    database,
    rows.flatMap((row) => [row.memory_id, row.other_id]),
  )
  return rows.flatMap((row) => {
    const memory = memories.get(row.memory_id)
    const other = memories.get(row.other_id)
    if (memory === undefined || other === undefined) return []
    return [
      {
        id: row.id,
        kind: row.kind,
        memory: memoryOf(memory, now.ms),
        other: memoryOf(other, now.ms),
        similarity: row.similarity,
        createdAt: row.created_at,
      },
    ]
  })
}

/** `replace` closes the older one; `merge` keeps the newer words, gives it all entities, and closes the older one. */
export function settleSuggestion(
  database: WriteDatabase,
  suggestionId: string,
  decision: 'keep both' | 'replace' | 'merge',
  context: WriteContext,
): string[] {
  return database
    .transaction(() => {
      const row = database
        .prepare<[string], SuggestionRow>('SELECT * FROM memory_suggestion WHERE id = ?')
        .get(suggestionId)
      if (row === undefined)
        throw new AppError('not_found', 'This suggestion is gone; one of its memories may have been deleted.')
      database.prepare('UPDATE memory_suggestion SET settled = ? WHERE id = ?').run(decision, suggestionId)
      if (decision === 'keep both') return []
      if (decision === 'merge') {
        const newer = mustFind(database, row.memory_id)
        const older = mustFind(database, row.other_id)
        const before = snapshotOf(newer)
        const entities = [...new Set([...before.entities, ...snapshotOf(older).entities])]
        const importance = Math.max(before.importance, older.importance)
        change(database, newer, { ...before, entities, importance }, 'merged', context)
      }
      supersede(database, row.other_id, row.memory_id, context)
      return [row.memory_id, row.other_id]
    })
    .immediate()
}
