import type { WriteDatabase } from '../../storage/database'
import { changeTexts, type NextEntries, pointAt, wayBackTo } from './book-changes'
import { type BookHead, entrySetOf, type HeadFields, readHead, rowsInSlices } from './book-rows'
import { type Breathe, newBreathing } from './breathing'
import type { EntryText } from './packed-book'
import { deleteGone, giveUp, openEntrySet } from './repository'

/** Up to this many entries one transaction is short enough. */
export const SMALL_CHANGE = 500
const ROWS_PER_WRITE = 200

export interface ChangeDeps {
  database: WriteDatabase
  ids: () => string
  breathe: Breathe
}

/** A change of any size. Bodies are entries as they are stored. */
export interface LargeChange {
  head?: HeadFields
  put: ReadonlyMap<string, string>
  /** 'others' = whatever is not put. */
  remove: ReadonlySet<string> | 'others'
  /** All ids of the book after the change. */
  order?: readonly string[] | undefined
}

interface Difference {
  put: Map<string, string>
  remove: Set<string>
  reordered: boolean
}

const sameList = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((id, at) => id === b[at])

/** What of a change would really change something. */
async function differenceTo(deps: ChangeDeps, setId: string, change: LargeChange): Promise<Difference> {
  const found: Difference = { put: new Map(change.put), remove: new Set(), reordered: false }
  const ids: string[] = []
  const goes = (id: string) => (change.remove === 'others' ? !change.put.has(id) : change.remove.has(id))
  for await (const rows of rowsInSlices(deps.database, setId, deps.breathe)) {
    for (const { entry_id: id, body } of rows) {
      if (found.put.get(id) === body) found.put.delete(id)
      if (goes(id)) found.remove.add(id)
      else ids.push(id)
    }
  }
  await deps.breathe()
  if (change.order) {
    const known = new Set(ids)
    for (const id of found.put.keys()) if (!known.has(id)) ids.push(id)
    found.reordered = !sameList(ids, change.order)
  }
  return found
}

/** The entries under `base`, changed, in a set of their own that nobody sees yet. */
async function writeSet(
  deps: ChangeDeps,
  head: BookHead,
  base: string,
  change: Pick<LargeChange, 'put' | 'order'> & { remove: ReadonlySet<string> },
): Promise<string> {
  const { database, breathe } = deps
  const setId = deps.ids()
  openEntrySet(database, setId, head)
  await breathe()
  const places = new Map(change.order?.map((id, at) => [id, at]))
  const left = new Map(change.put)
  let next = places.size
  const insert = database.prepare(
    'INSERT INTO worldbook_entry (worldbook_id, entry_id, ordinal, body) VALUES (?, ?, ?, ?)',
  )
  const write = database.transaction((rows: readonly { entry_id: string; body: string }[]) => {
    for (const { entry_id: id, body } of rows) {
      if (change.remove.has(id)) continue
      insert.run(setId, id, places.get(id) ?? next++, left.get(id) ?? body)
      left.delete(id)
    }
  })
  try {
    for await (const rows of rowsInSlices(database, base, breathe)) write(rows)
    const added = [...left].map(([entry_id, body]) => ({ entry_id, body }))
    for (let at = 0; at < added.length; at += ROWS_PER_WRITE) {
      write(added.slice(at, at + ROWS_PER_WRITE))
      const pause = breathe()
      if (pause) await pause
    }
    return setId
  } catch (error) {
    await giveUp(database, setId, newBreathing())
    throw error
  }
}

/** Points the book at its new entries, and lets go of those that only versions too old to be kept had. */
async function turnTo(deps: ChangeDeps, head: BookHead, next: NextEntries): Promise<BookHead> {
  const after = pointAt(deps.database, head, next)
  await deleteGone(deps.database, deps.breathe)
  return after
}

const textsOf = (put: ReadonlyMap<string, string>) => [...put].map(([id, body]) => ({ id, body }))

/**
 * One edit of any size = one version. Few entries are changed in place; many are written anew in slices while everybody
 * still reads the old ones, and then the book points at the new ones in one step. Not to be called twice at a time for
 * one book. Undefined when there is no such book.
 */
export async function changeLargeBook(
  deps: ChangeDeps,
  id: string,
  change: LargeChange,
  nowIso: string,
): Promise<BookHead | undefined> {
  const { database } = deps
  const head = readHead(database, id)
  if (!head) return undefined
  const live = entrySetOf(database, id)
  const real = await differenceTo(deps, live, change)
  const order = real.reordered && change.order ? change.order : undefined
  const fields = change.head ? { head: change.head } : {}
  const few = real.put.size + real.remove.size <= SMALL_CHANGE && (!order || order.length <= SMALL_CHANGE)
  if (few) {
    const small = { ...fields, put: textsOf(real.put), remove: [...real.remove], ...(order ? { order } : {}) }
    return changeTexts(database, id, small, nowIso)
  }
  const setId = await writeSet(deps, head, live, { ...real, order })
  return turnTo(deps, head, { setId, fields: change.head ?? head, nowIso })
}

/** Goes back to a version that was replaced, as a new version. Undefined when that version is not kept. */
export async function restoreVersion(
  deps: ChangeDeps,
  id: string,
  version: number,
  nowIso: string,
): Promise<BookHead | undefined> {
  const { database } = deps
  const head = readHead(database, id)
  const way = head && wayBackTo(database, head, version)
  if (!head || !way) return undefined
  if (way.base === undefined) return changeLargeBook(deps, id, way, nowIso)
  const setId = await writeSet(deps, head, way.base, way)
  return turnTo(deps, head, { setId, fields: way.head, nowIso })
}

/** Replaces a whole book; entries that are not among the new ones go. */
export async function replaceLargeBook(
  deps: ChangeDeps,
  id: string,
  book: { head: HeadFields; texts: Iterable<EntryText> },
  nowIso: string,
): Promise<BookHead | undefined> {
  const put = new Map<string, string>()
  for (const { id: entryId, body } of book.texts) {
    put.set(entryId, body)
    const pause = deps.breathe()
    if (pause) await pause
  }
  return changeLargeBook(deps, id, { head: book.head, put, remove: 'others', order: [...put.keys()] }, nowIso)
}
