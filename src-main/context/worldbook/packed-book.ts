import type { BookDraft } from './book-contract'
import type { Entry } from './entry-contract'

/** A stored entry: its id and the rest of it as JSON. */
export interface EntryText {
  id: string
  body: string
}

/** A whole book on its way between threads: the entries as JSON in one block of memory that both sides share. */
export interface PackedBook {
  head: Omit<BookDraft, 'entries'>
  ids: string[]
  bodies: SharedArrayBuffer
  /** Byte behind each entry's JSON. */
  ends: Uint32Array
}

export function bodyOf({ id: _id, ...body }: Entry): string {
  return JSON.stringify(body)
}

export const textOf = (entry: Entry): EntryText => ({ id: entry.id, body: bodyOf(entry) })

export const entryOf = ({ id, body }: EntryText): Entry => ({ id, ...(JSON.parse(body) as Omit<Entry, 'id'>) })

export function packBook(head: PackedBook['head'], texts: readonly EntryText[]): PackedBook {
  const ends = new Uint32Array(texts.length)
  let size = 0
  for (const [at, { body }] of texts.entries()) {
    size += Buffer.byteLength(body)
    ends[at] = size
  }
  const bodies = new SharedArrayBuffer(size)
  const bytes = Buffer.from(bodies)
  let start = 0
  for (const { body } of texts) start += bytes.write(body, start)
  return { head, ids: texts.map(({ id }) => id), bodies, ends }
}

export function* unpackTexts({ ids, bodies, ends }: PackedBook): Generator<EntryText> {
  const bytes = Buffer.from(bodies)
  let start = 0
  for (const [at, id] of ids.entries()) {
    const end = ends[at] ?? start
    yield { id, body: bytes.toString('utf8', start, end) }
    start = end
  }
}
