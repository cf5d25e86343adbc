import type { ReadDatabase, WriteDatabase } from '../../storage/database'
import type { MemoryUse, MemoryUseEntry } from './contract'
import { tokensOf } from './retrieval/tokens'
import type { Retrieval } from './retrieval-contract'

interface UseRow {
  memory_id: string
  message_id: string
  session_id: string
  use: string
  at: string
  rank: number
  score: number
}

/** Of what a turn found: everything near the top counts as retrieved, what went in as injected. Idempotent per message. */
export function recordRetrieval(
  database: WriteDatabase,
  retrieval: Retrieval,
  where: { sessionId: string; messageId: string; at: string },
): void {
  const insert = database.prepare(
    `INSERT INTO memory_use (memory_id, message_id, session_id, use, at, rank, score)
     SELECT @memory, @message, @session, @use, @at, @rank, @score WHERE EXISTS (SELECT 1 FROM memory WHERE id = @memory)
     ON CONFLICT DO NOTHING`,
  )
  const touch = database.prepare('UPDATE memory SET access_count = access_count + 1, last_access_at = ? WHERE id = ?')
  database
    .transaction(() => {
      for (const candidate of retrieval.candidates) {
        const { verdict } = candidate
        if (verdict !== 'injected' && verdict !== 'over_top_k' && verdict !== 'over_token_ceiling') continue
        const row = {
          memory: candidate.memoryId,
          message: where.messageId,
          session: where.sessionId,
          at: where.at,
          rank: candidate.rank,
          score: candidate.score,
        }
        insert.run({ ...row, use: 'retrieved' satisfies MemoryUse })
        if (verdict !== 'injected') continue
        const { changes } = insert.run({ ...row, use: 'injected' satisfies MemoryUse })
        if (changes > 0) touch.run(where.at, candidate.memoryId)
      }
    })
    .immediate()
}

/** Share of a memory's own words that an answer must echo to count as used. An estimate, and shown as one. */
const ECHOED = 0.5

/** Marks injected memories whose words, apart from those of the question, come back in the answer. Returns their ids. */
export function recordAnswer(
  database: WriteDatabase,
  answer: { messageId: string; question: string; text: string; at: string },
): string[] {
  const rows = database
    .prepare<[string], { memory_id: string; session_id: string; rank: number; score: number; text: string }>(
      `SELECT u.memory_id, u.session_id, u.rank, u.score, m.text FROM memory_use AS u JOIN memory AS m ON m.id = u.memory_id
       WHERE u.message_id = ? AND u.use = 'injected'`,
    )
    .all(answer.messageId)
  const asked = wordsOf(answer.question)
  const said = wordsOf(answer.text)
  const used = rows.filter((row) => {
    const own = [...wordsOf(row.text)].filter((word) => !asked.has(word))
    return own.length > 0 && own.filter((word) => said.has(word)).length >= ECHOED * own.length
  })
  const insert = database.prepare(
    "INSERT INTO memory_use (memory_id, message_id, session_id, use, at, rank, score) VALUES (?, ?, ?, 'used', ?, ?, ?) ON CONFLICT DO NOTHING",
  )
  database
    .transaction(() => {
      for (const row of used)
        insert.run(row.memory_id, answer.messageId, row.session_id, answer.at, row.rank, row.score)
    })
    .immediate()
  return used.map((row) => row.memory_id)
}

function wordsOf(text: string): Set<string> {
  return new Set(tokensOf(text.slice(0, 20_000)).flatMap((token) => (token.weight >= 1 ? [token.text] : [])))
}

export function listUses(
  database: ReadDatabase,
  filter: { id?: string | undefined; messageId?: string | undefined; limit: number },
): MemoryUseEntry[] {
  // an optional condition in the statement itself would keep it from every index
  const conditions = [
    ...(filter.id === undefined ? [] : ['memory_id = @id']),
    ...(filter.messageId === undefined ? [] : ['message_id = @message']),
  ]
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  return database
    .prepare<[object], UseRow>(`SELECT * FROM memory_use ${where} ORDER BY at DESC, rank, use LIMIT @limit`)
    .all({ id: filter.id ?? null, message: filter.messageId ?? null, limit: filter.limit })
    .map((row) => ({
      memoryId: row.memory_id,
      messageId: row.message_id,
      sessionId: row.session_id,
      use: row.use as MemoryUse,
      at: row.at,
      rank: row.rank,
      score: row.score,
    }))
}
