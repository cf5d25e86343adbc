import { AppError } from '../../../ipc/app-error'
import { phrase, type Said, said } from '../../../ipc/said-contract'
import type { Entry, Origin } from '../entry-contract'
import { readEntry } from './annex'
import { type Fields, isFields, own } from './coerce'
import type { Dialect } from './dialects'
import { isRootName, type Known } from './entry-fields'
import { IMPORT_LIMITS } from './limits'
import type { Notes } from './notes'

/** One entry on its way in. `id` is what the file says; the entry's real one is settled when all are known. */
export interface Arrival {
  id: string | undefined
  known: Known
  extra: Fields
  originFor(id: string): Origin | null
}

/** Reads one raw entry; `index` counts the entries accepted so far. */
export type EntryReader = (raw: Fields, index: number, notes: Notes) => Arrival | Said

/** The members of `entries`, list or object, in the order of the file. */
export function membersOf(entries: unknown): unknown[] {
  const members = Array.isArray(entries) ? entries : isFields(entries) ? Object.values(entries) : undefined
  if (!members) {
    throw new AppError(
      'import.unreadable',
      'The "entries" of this file are neither a list nor an object. Export the book again from the app it came from.',
    )
  }
  if (members.length > IMPORT_LIMITS.entries) {
    throw new AppError(
      'import.too_large',
      said`The book has ${members.length} entries; ${IMPORT_LIMITS.entries} is the most. Split it and import the parts.`,
    )
  }
  return members
}

const KINDS: Record<string, string> = { string: 'text', number: 'a number', boolean: 'a yes or no' }

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return KINDS[typeof value] ?? 'an object'
}

/** A text must be text: guessing at anything else would put words into the prompt that nobody wrote. */
export function contentProblem(value: unknown): Said | undefined {
  if (value === undefined || value === null || typeof value === 'string') return undefined
  return said`Its text is ${phrase(kindOf(value))} instead of text.`
}

const KEY_LISTS = ['key', 'keys', 'keysecondary', 'secondary_keys', 'secondaryKeys']

function hasBlank(list: unknown): boolean {
  return Array.isArray(list) && list.some((key) => typeof key === 'string' && key.trim() === '')
}

export function readerOf(dialect: Dialect): EntryReader {
  return (raw, index, notes) => {
    if (!Object.keys(raw).some((name) => isRootName(name) && name !== 'uid' && name !== 'id')) {
      return 'It holds neither keys nor a text.'
    }
    const problem = contentProblem(own(raw, 'content'))
    if (problem) return problem
    const name = own(raw, dialect.id)
    const label = typeof name === 'string' || typeof name === 'number' ? String(name) : undefined
    if (KEY_LISTS.some((list) => hasBlank(own(raw, list)))) {
      notes.warn('blank_key', 'It has a blank key, which is never found. Remove it in the editor.', label)
    }
    return readEntry(dialect, raw, index, (code, message) => notes.warn(code, message, label))
  }
}

/** Gives every arrival an id of its own: the file's when free, else the first free integer. */
function settleIds(arrivals: Arrival[], notes: Notes): Entry[] {
  const wanted = new Set(arrivals.map((arrival) => arrival.id))
  const taken = new Set<string>()
  let next = 0
  const fresh = () => {
    while (wanted.has(String(next)) || taken.has(String(next))) next++
    return String(next)
  }
  return arrivals.map((arrival) => {
    const free = arrival.id !== undefined && !taken.has(arrival.id)
    const id = free && arrival.id !== undefined ? arrival.id : fresh()
    taken.add(id)
    if (arrival.id !== undefined && !free) {
      notes.warn('duplicate_id', said`Two entries have the number ${arrival.id}; the later one is now ${id}.`, id)
    }
    return { id, ...arrival.known, extra: arrival.extra, origin: arrival.originFor(id) }
  })
}

/** Only editors use these; to list them as "not executed" would be noise. */
const SILENT_EXTRA = new Set(['addMemo', 'displayIndex', 'content_hash'])

/** There are no names here that a macro in a key could stand for. */
const MACRO = /\{\{[^{}]+\}\}/

function noteMacros(entry: Entry, notes: Notes): void {
  const key = [...entry.keys, ...entry.secondaryKeys].find((text) => MACRO.test(text))
  if (key === undefined) return
  const message = said`The key “${key.slice(0, 60)}” is taken as written: macros have no meaning in keys here.`
  notes.warn('macro_in_key', message, entry.id)
}

/** Nothing, an empty list, or a `characterFilter` that filters nobody. */
function saysNothing(value: unknown): boolean {
  if (value === null || value === false || value === '') return true
  if (typeof value !== 'object') return false
  return Object.values(value).every((member) => (Array.isArray(member) ? member.length === 0 : member === false))
}

function noteKept(entry: Entry, notes: Notes): void {
  for (const [name, value] of Object.entries(entry.extra)) {
    if (SILENT_EXTRA.has(name) || saysNothing(value)) continue
    if (name === 'extensions' && isFields(value))
      for (const inner of Object.keys(value)) notes.keep(`extensions.${inner}`)
    else notes.keep(name)
  }
  if (entry.automationId !== '') notes.keep('automationId')
}

/** Reads all members with one reader. What cannot be an entry is skipped with its place in the file and the reason. */
export function readEntries(members: unknown[], reader: EntryReader, notes: Notes): Entry[] {
  const arrivals: Arrival[] = []
  members.forEach((raw, index) => {
    const result = isFields(raw)
      ? reader(raw, arrivals.length, notes)
      : said`It is ${phrase(kindOf(raw))}, not an entry.`
    if (typeof result === 'string' || 'words' in result) notes.skip(index, result)
    else arrivals.push(result)
  })
  const entries = settleIds(arrivals, notes)
  for (const entry of entries) {
    noteKept(entry, notes)
    noteMacros(entry, notes)
  }
  return entries
}
