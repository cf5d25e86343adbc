import { BOOK_SETTINGS_DEFAULTS, type BookDraft, type BookInput, type BookSettings } from './book-contract'
import { ENTRY_DEFAULTS, type Entry, type EntryInput } from './entry-contract'

/** Leaves out what was not given, so that it does not overwrite. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

/** The lowest number no entry uses, in decimal, again and again. */
export function freeEntryIds(taken: Iterable<string>): () => string {
  const used = new Set(taken)
  let next = 0
  return () => {
    while (used.has(String(next))) next += 1
    used.add(String(next))
    return String(next)
  }
}

/** A place that somebody has chosen is no longer one that nobody could read in a file. */
function withoutSettled(entry: Entry, input: EntryInput): Entry {
  const { origin } = entry
  const settled = (['position', 'depth'] as const).filter(
    (name) => input[name] !== undefined && origin !== null && Object.hasOwn(origin.fields, name),
  )
  if (origin === null || settled.length === 0) return entry
  const fields = Object.entries(origin.fields).filter(([name]) => !settled.some((done) => done === name))
  return { ...entry, origin: fields.length > 0 ? { ...origin, fields: Object.fromEntries(fields) } : null }
}

export function entryFrom(input: EntryInput, id: string, before: Omit<Entry, 'id'> = ENTRY_DEFAULTS): Entry {
  const entry: Entry = { ...before, ...given(input), id }
  return input.origin === undefined ? withoutSettled(entry, input) : entry
}

/** Fills in what was left out; an id that is missing or already used in the book becomes a free one. */
export function draftFrom(input: BookInput): BookDraft {
  const ids = input.entries.flatMap((entry) => entry.id ?? [])
  const nextId = freeEntryIds(ids)
  const seen = new Set<string>()
  const entries = input.entries.map((entry) => {
    const id = entry.id === undefined || seen.has(entry.id) ? nextId() : entry.id
    seen.add(id)
    return entryFrom(entry, id)
  })
  const settings: BookSettings = { ...BOOK_SETTINGS_DEFAULTS, ...given(input.settings) }
  return {
    name: input.name,
    description: input.description,
    settings,
    entries,
    extra: input.extra,
    origin: input.origin,
  }
}
