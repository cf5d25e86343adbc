import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { BOOK_SETTINGS_DEFAULTS, type BookDraft, type BookSettings, bookSettingsSchema } from '../book-contract'
import { type Annex, difference, lostFields, takeAnnex, withAnnex } from './annex'
import { asFlag, asNumber, asText, type Fields, isFields, own } from './coerce'

/** What a book says apart from its entries. */
export type BookHead = Omit<BookDraft, 'entries'>

const SETTING_NAMES: readonly [keyof BookSettings, string, string, (value: unknown) => number | boolean | undefined][] =
  [
    ['scanDepth', 'scan_depth', 'scanDepth', asNumber],
    ['tokenBudget', 'token_budget', 'tokenBudget', asNumber],
    ['recursive', 'recursive_scanning', 'recursiveScanning', asFlag],
  ]
const HEAD_NAMES = new Set([
  'entries',
  'name',
  'description',
  ...SETTING_NAMES.flatMap(([, snake, camel]) => [snake, camel]),
])

interface Plain {
  name: string
  description: string
  settings: BookSettings
  extra: Fields
}

function readPlain(raw: Fields): Plain {
  const settings: Fields = { ...BOOK_SETTINGS_DEFAULTS }
  for (const [field, snake, camel, read] of SETTING_NAMES) {
    settings[field] = read(own(raw, snake) ?? own(raw, camel)) ?? null
  }
  const extensions = own(raw, 'extensions')
  const empty = isFields(extensions) && Object.keys(extensions).length === 0
  const carried = Object.entries(raw).filter(
    ([name]) => !HEAD_NAMES.has(name) && !(name === 'extensions' && (empty || extensions === null)),
  )
  return {
    name: (asText(own(raw, 'name')) ?? '').trim(),
    description: asText(own(raw, 'description')) ?? '',
    settings: bookSettingsSchema.parse(settings),
    extra: Object.fromEntries(carried),
  }
}

/** The card specification demands `extensions` of every book. */
function writePlain({ name, description, settings, extra }: Plain, format: string): Fields {
  const limits = SETTING_NAMES.flatMap(([field, snake]) => (settings[field] === null ? [] : [[snake, settings[field]]]))
  return {
    ...(name === '' ? {} : { name }),
    ...(description === '' ? {} : { description }),
    ...Object.fromEntries(limits),
    ...(format === 'character_book' ? { extensions: {} } : {}),
    ...Object.fromEntries(Object.entries(extra).filter(([member]) => !HEAD_NAMES.has(member))),
  }
}

const headPatch = z.object({
  name: z.string().optional(),
  description: z.string().optional(),
  settings: bookSettingsSchema.optional(),
})

/** Reads what stands beside the entries. `format` names the dialect for the origin; `fallback` is used for a missing name. */
export function readBookHead(source: Fields, format: string, fallback: string): BookHead {
  const { entries: _, ...root } = source
  const { bare, annex } = takeAnnex(root)
  const plain = readPlain(bare)
  const patch = headPatch.safeParse(annex?.fields ?? {})
  const fields = patch.success ? patch.data : {}
  const lost = lostFields(bare, writePlain(plain, format), plain.extra)
  const origin = Object.keys(lost).length > 0 ? { format, fields: lost } : null
  return {
    name: (fields.name ?? plain.name) || fallback,
    description: fields.description ?? plain.description,
    settings: restoredSettings(plain.settings, fields.settings),
    extra: { ...plain.extra, ...annex?.extra },
    origin: annex?.origin === undefined ? origin : annex.origin,
  }
}

/** The annex tells what the file has no field for; what the file has a field for may have been changed there since. */
function restoredSettings(plain: BookSettings, kept: BookSettings | undefined): BookSettings {
  if (!kept) return plain
  return { ...kept, scanDepth: plain.scanDepth, tokenBudget: plain.tokenBudget, recursive: plain.recursive }
}

/** The counterpart of `readBookHead`, without entries. */
export function writeBookHead(head: BookHead, format: string): Fields {
  const { origin, ...plain } = head
  const written = writePlain(plain, format)
  const base = readPlain(written)
  const original = origin?.format === format ? { ...written, ...origin.fields } : written
  const raw = isDeepStrictEqual(readPlain(original), base) ? original : written
  const back = readBookHead(raw, format, '')
  const annex: Annex = {}
  const { name, description, settings } = plain
  const { extra: carried, origin: found, ...said } = back
  const fields = difference({ name, description, settings }, { ...said })
  if (fields) annex.fields = fields
  const extra = difference(plain.extra, carried)
  if (extra) annex.extra = extra
  if (Object.keys(annex).length === 0 && isDeepStrictEqual(found, origin)) return raw
  annex.origin = origin
  const pushed = difference(plain.extra, readBookHead(withAnnex(raw, annex), format, '').extra)
  return withAnnex(raw, pushed ? { ...annex, extra: { ...annex.extra, ...pushed } } : annex)
}
