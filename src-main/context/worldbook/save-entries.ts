import type { z } from 'zod'
import { AppError } from '../../ipc/app-error'
import { phrase, said } from '../../ipc/said-contract'
import type { ReadDatabase } from '../../storage/database'
import { changeBook } from './book-changes'
import type { BookHeadPatch } from './book-contract'
import { bodiesOf, entrySetOf, type HeadFields, idsInOrder, readHead, rowsInSlices } from './book-rows'
import { entryFrom, freeEntryIds, given } from './drafts'
import { type Entry, type EntryInput, entryInputSchema } from './entry-contract'
import { type ChangeDeps, changeLargeBook, SMALL_CHANGE } from './large-changes'
import { bodyOf, entryOf } from './packed-book'

export interface SaveEntries {
  worldbookId: string
  /** Not checked yet. */
  entries?: readonly unknown[] | undefined
  remove?: readonly string[] | undefined
  order?: readonly string[] | undefined
  head?: BookHeadPatch | undefined
}

export interface SavedEntries {
  worldbookId: string
  version: number
  saved: Entry[]
  removed: string[]
}

export const missingBook = (id: string) =>
  new AppError('not_found', said`There is no worldbook ${id}. It may have been removed; reload the list.`)

/** The patches, checked in slices. @throws bad_input as for any other input that does not fit */
async function checked(deps: ChangeDeps, entries: readonly unknown[]): Promise<EntryInput[]> {
  const patches: EntryInput[] = []
  for (const [at, entry] of entries.entries()) {
    const parsed = entryInputSchema.safeParse(entry)
    if (!parsed.success) throw badEntry(at, parsed.error)
    patches.push(parsed.data)
    const pause = deps.breathe()
    if (pause) await pause
  }
  return patches
}

function badEntry(at: number, error: z.ZodError): AppError {
  const issues = error.issues.map(({ path, message }) => ({ path: ['entries', at, ...path].join('.'), message }))
  const [first] = issues
  return new AppError(
    'bad_input',
    said`${'worldbook.save-entries'}: ${first?.path ?? ''} was refused. ${phrase(first?.message ?? '')}`,
    { details: { path: first?.path ?? '', issues } },
  )
}

interface Stored {
  ids: readonly string[]
  bodies: ReadonlyMap<string, string>
}

/** All ids in order, and the bodies of the entries that are named. */
async function readStored(deps: ChangeDeps, id: string, named: ReadonlySet<string>): Promise<Stored> {
  const database: ReadDatabase = deps.database
  const ids = idsInOrder(database, id)
  if (named.size <= SMALL_CHANGE) return { ids, bodies: bodiesOf(database, id, [...named]) }
  const bodies = new Map<string, string>()
  for await (const rows of rowsInSlices(database, entrySetOf(database, id), deps.breathe)) {
    for (const row of rows) if (named.has(row.entry_id)) bodies.set(row.entry_id, row.body)
  }
  return { ids, bodies }
}

/** How many entries would have to be given another place. */
const displaced = (ids: readonly string[], order: readonly string[]) =>
  order.reduce((count, id, at) => (ids[at] === id ? count : count + 1), 0)

/** The head with the patch; settings that say `undefined` stay. */
function headAfter({ database }: ChangeDeps, { worldbookId, head: patch }: SaveEntries): { head?: HeadFields } {
  const head = patch && readHead(database, worldbookId)
  if (!patch || !head) return {}
  const settings = { ...head.settings, ...given(patch.settings ?? {}) }
  return { head: { ...head, ...given({ name: patch.name, description: patch.description }), settings } }
}

/** One edit = one version: patches, additions, removals and a new order together. */
export async function saveEntries(deps: ChangeDeps, input: SaveEntries, nowIso: string): Promise<SavedEntries> {
  const { worldbookId, remove = [], order } = input
  const entries = await checked(deps, input.entries ?? [])
  const named = new Set(entries.flatMap((entry) => entry.id ?? []))
  const { ids, bodies } = await readStored(deps, worldbookId, named)
  await deps.breathe()
  const known = new Set(ids)
  const removed = [...new Set(remove)].filter((id) => known.has(id))
  const gone = new Set(removed)
  const nextId = freeEntryIds([...ids, ...named])
  await deps.breathe()
  const saved: Entry[] = []
  const put = new Map<string, string>()
  const all = new Set(ids)
  for (const patch of entries) {
    const id = patch.id ?? nextId()
    const before = put.get(id) ?? bodies.get(id)
    const entry = entryFrom(patch, id, before === undefined ? undefined : entryOf({ id, body: before }))
    if (!gone.has(id)) {
      saved.push(entry)
      put.set(id, bodyOf(entry))
      all.add(id)
    }
    const pause = deps.breathe()
    if (pause) await pause
  }
  await deps.breathe()
  for (const id of removed) all.delete(id)
  const first = (order ?? []).filter((id) => all.has(id))
  const whole = first.length > 0 ? [...new Set([...first, ...all])] : undefined
  const fields = headAfter(deps, input)
  const few = put.size + removed.length + (whole ? displaced(ids, whole) : 0) <= SMALL_CHANGE
  const head = few
    ? changeBook(
        deps.database,
        worldbookId,
        { ...fields, put: saved, remove: removed, ...(whole && { order: whole }) },
        nowIso,
      )
    : await changeLargeBook(deps, worldbookId, { ...fields, put, remove: gone, order: whole }, nowIso)
  if (!head) throw missingBook(worldbookId)
  return { worldbookId, version: head.version, saved, removed }
}
