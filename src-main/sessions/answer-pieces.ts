import type { ReadDatabase, WriteDatabase } from '../storage/database'
import type { MessagePart } from './contract'

/**
 * Text of a long answer that came since its row was last written whole. A row of a megabyte would have to be written
 * anew twice a second; a piece costs as much as it holds. Readers see row and pieces as one.
 */
export const ANSWER_PIECES = `
  CREATE TABLE answer_piece (
    message_id TEXT NOT NULL REFERENCES message (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    part INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (message_id, number)
  ) STRICT, WITHOUT ROWID;
`

/** Text that was added at the end of one part. */
export interface GrownText {
  /** The part's place among the answer's parts, from 0. */
  part: number
  text: string
}

export function addPiece(database: WriteDatabase, messageId: string, grown: GrownText): void {
  database
    .prepare(
      `INSERT INTO answer_piece (message_id, number, part, text) SELECT id,
         (SELECT coalesce(max(number), 0) + 1 FROM answer_piece WHERE message_id = message.id), ?, ?
       FROM message WHERE id = ?`,
    )
    .run(grown.part, grown.text, messageId)
}

/** The row holds everything now. */
export function dropPieces(database: WriteDatabase, messageId: string): void {
  database.prepare('DELETE FROM answer_piece WHERE message_id = ?').run(messageId)
}

/** The parts with what came after the row was written; the same array where nothing did. */
export function withPieces(database: ReadDatabase, messageId: string, parts: MessagePart[]): MessagePart[] {
  const pieces = database
    .prepare<[string], GrownText>('SELECT part, text FROM answer_piece WHERE message_id = ? ORDER BY number')
    .all(messageId)
  if (pieces.length === 0) return parts
  const whole = structuredClone(parts)
  for (const { part: at, text } of pieces) {
    const part = whole[at]
    if (part?.type === 'text' || part?.type === 'reasoning') part.text += text
  }
  return whole
}
