import { said } from '../../../ipc/said-contract'
import { BOOK_SETTINGS_DEFAULTS, type BookDraft, bookSettingsSchema } from '../book-contract'
import { ENTRY_DEFAULTS, type Entry, entryInputSchema } from '../entry-contract'
import type { BookHead } from './book-fields'
import { asNumber, asText, type Fields, isFields, own } from './coerce'
import type { Notes } from './notes'
import type { EntryReader } from './read-entries'

const FORMAT = 'strata-worldbook'
const VERSION = 1

/** Our own file: the book as it is. */
export function strataFile(book: BookDraft): Fields {
  const { name, description, settings, entries, extra, origin } = book
  return { format: FORMAT, version: VERSION, name, description, settings, extra, origin, entries }
}

const ENTRY_NAMES = new Set(['id', ...Object.keys(ENTRY_DEFAULTS)])

/** Fields a newer version may have added are carried. */
export const readStrataEntry: EntryReader = (raw) => {
  const { extra: given, origin, ...rest } = raw
  const members = Object.entries(rest)
  const known = Object.fromEntries(members.filter(([name]) => ENTRY_NAMES.has(name)))
  const unknown = Object.fromEntries(members.filter(([name]) => !ENTRY_NAMES.has(name)))
  const parsed = entryInputSchema.safeParse({ ...known, origin: origin ?? null })
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return said`Its field "${issue?.path.join('.') ?? ''}" cannot be read: ${issue?.message ?? 'unknown reason'}.`
  }
  const { id, extra: _, origin: __, ...fields } = parsed.data
  const { extra: ___, origin: ____, ...defaults } = ENTRY_DEFAULTS
  // Taken from the file and not from the schema, which may leave names like `__proto__` out.
  const carried = { ...(isFields(given) ? given : {}), ...unknown }
  const kept = isFields(origin) ? (origin as Entry['origin']) : null
  return {
    id,
    known: { ...defaults, ...(fields as Partial<typeof defaults>) },
    extra: carried,
    originFor: () => kept,
  }
}

export function readStrataHead(root: Fields, fallback: string, notes: Notes): BookHead {
  if ((asNumber(own(root, 'version')) ?? VERSION) > VERSION) {
    notes.warn('newer_version', 'The file was written by a newer version of this app. What is known was read.')
  }
  const settings = bookSettingsSchema.partial().safeParse(own(root, 'settings') ?? {})
  if (!settings.success) notes.warn('field_unread', 'The settings of the book could not be read; they are inherited.')
  const given = settings.success ? (settings.data as Partial<typeof BOOK_SETTINGS_DEFAULTS>) : {}
  const { format: _, version: __, name, description, settings: ___, extra, origin, entries: ____, ...rest } = root
  return {
    name: asText(name)?.trim() || fallback,
    description: asText(description) ?? '',
    settings: { ...BOOK_SETTINGS_DEFAULTS, ...given },
    extra: { ...(isFields(extra) ? extra : {}), ...rest },
    origin: originOf(origin),
  }
}

function originOf(origin: unknown): BookHead['origin'] {
  if (!isFields(origin)) return null
  const [format, fields] = [own(origin, 'format'), own(origin, 'fields')]
  return typeof format === 'string' && isFields(fields) ? { format, fields } : null
}
