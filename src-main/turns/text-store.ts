import { createHash } from 'node:crypto'
import type { Migration, ReadDatabase, WriteDatabase } from '../storage/database'

/**
 * Long sequences of texts, stored once by hash. A sequence is a rope: its pieces are texts, its inner nodes are lists of
 * hashes cut at content-defined borders. Two requests that share most of their history share most of their nodes, so the
 * record of a thousand turns costs little more than the transcript.
 */
const NODE_PIECES = 16
const HASH_LENGTH = 32

export const textStoreMigration: Migration = {
  name: 'turns/001-text-store',
  up(database) {
    database.exec(`
      CREATE TABLE sent_text (
        hash TEXT PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('text', 'node')), text TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE sent_source (
        source_id TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (source_id, hash)
      ) STRICT, WITHOUT ROWID;
    `)
  },
}

/** A piece with a source is kept apart under that source, so that it can be blanked without touching equal texts. */
export interface RopePiece {
  text: string
  sourceId?: string
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH)

/** Stores the pieces and returns the root's hash. Same pieces, same root. */
export function putRope(database: WriteDatabase, pieces: readonly RopePiece[]): string {
  const insert = database.prepare('INSERT OR IGNORE INTO sent_text (hash, kind, text) VALUES (?, ?, ?)')
  const remember = database.prepare('INSERT OR IGNORE INTO sent_source (source_id, hash) VALUES (?, ?)')
  return database.transaction(() => {
    let level = pieces.map(({ text, sourceId }) => {
      const hash = digest(sourceId === undefined ? text : `${sourceId}\u0000${text}`)
      insert.run(hash, 'text', text)
      if (sourceId !== undefined) remember.run(sourceId, hash)
      return hash
    })
    do {
      level = cutNodes(level).map((children) => {
        const text = children.join('\n')
        const hash = digest(`node\u0000${text}`)
        insert.run(hash, 'node', text)
        return hash
      })
    } while (level.length > 1)
    return level[0] ?? ''
  })()
}

/** A border falls after every hash whose last digit is 0: on average each 16, wherever the list begins. */
function cutNodes(hashes: readonly string[]): string[][] {
  const nodes: string[][] = []
  let current: string[] = []
  for (const hash of hashes) {
    current.push(hash)
    if (current.length > 1 && (hash.endsWith('0') || current.length >= NODE_PIECES * 8)) {
      nodes.push(current)
      current = []
    }
  }
  if (current.length > 0 || nodes.length === 0) nodes.push(current)
  return nodes
}

/** The pieces of a rope, in order. A missing row throws: a record is whole or not there. */
export function readRope(database: ReadDatabase, root: string): string[] {
  const find = database.prepare<[string], { kind: string; text: string }>(
    'SELECT kind, text FROM sent_text WHERE hash = ?',
  )
  const pieces: string[] = []
  const walk = (hash: string): void => {
    const row = find.get(hash)
    if (!row) throw new Error(`The stored request lacks the piece ${hash}.`)
    if (row.kind === 'text') pieces.push(row.text)
    else if (row.text !== '') for (const child of row.text.split('\n')) walk(child)
  }
  walk(root)
  return pieces
}

/** Blanks every stored text of a source (a deleted memory). Records stay readable around it. Returns how many. */
export function tombstoneSource(database: WriteDatabase, sourceId: string, mark: string): number {
  return database.transaction(() => {
    const changed = database
      .prepare('UPDATE sent_text SET text = ? WHERE hash IN (SELECT hash FROM sent_source WHERE source_id = ?)')
      .run(mark, sourceId).changes
    database.prepare('DELETE FROM sent_source WHERE source_id = ?').run(sourceId)
    return changed
  })()
}

/** Roots followed, or texts looked at, before others get their turn on the thread: some milliseconds. */
const PER_STEP = 50
const TEXTS_PER_STEP = 500

/** Where the records begin. */
export interface Roots {
  /** All there are, some at a time. */
  pages(): Iterable<readonly string[]>
  /** Those that came since the last asking. */
  fresh(): readonly string[]
}

/**
 * Removes every text no root reaches; returns how many. Works in steps with a pause between them, so that a large store
 * never holds the thread; roots that came meanwhile are followed before each step that removes.
 */
export async function sweepTexts(database: WriteDatabase, roots: Roots, pause: () => Promise<void>): Promise<number> {
  const find = database.prepare<[string], { kind: string; text: string }>(
    'SELECT kind, text FROM sent_text WHERE hash = ?',
  )
  const reached = new Set<string>()
  const mark = (hash: string): void => {
    if (reached.has(hash)) return
    reached.add(hash)
    const row = find.get(hash)
    if (row?.kind === 'node' && row.text !== '') for (const child of row.text.split('\n')) mark(child)
  }
  for (const page of roots.pages()) {
    for (let at = 0; at < page.length; at += PER_STEP) {
      for (const root of page.slice(at, at + PER_STEP)) mark(root)
      await pause()
    }
  }
  let removed = 0
  const step = unreachedSteps(database, reached)
  for (;;) {
    for (const root of roots.fresh()) mark(root)
    const gone = step()
    if (gone === undefined) return removed
    removed += gone
    await pause()
  }
}

/** Each call looks at the next texts and removes those not reached. Undefined after the last. */
function unreachedSteps(database: WriteDatabase, reached: ReadonlySet<string>): () => number | undefined {
  const next = database.prepare<[string, number], { hash: string }>(
    'SELECT hash FROM sent_text WHERE hash > ? ORDER BY hash LIMIT ?',
  )
  const remove = database.prepare('DELETE FROM sent_text WHERE hash = ?')
  const forget = database.prepare('DELETE FROM sent_source WHERE hash = ?')
  let after = ''
  return () => {
    const rows = next.all(after, TEXTS_PER_STEP)
    const last = rows.at(-1)
    if (!last) return undefined
    after = last.hash
    return database.transaction(() =>
      rows.reduce((gone, { hash }) => {
        if (reached.has(hash)) return gone
        forget.run(hash)
        return gone + remove.run(hash).changes
      }, 0),
    )()
  }
}
