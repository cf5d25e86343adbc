import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type Entry, entryInputSchema, type Origin } from '../entry-contract'
import { type Fields, isFields, own } from './coerce'
import type { Body, Dialect } from './dialects'
import type { Complain, Known } from './entry-fields'

/**
 * What a format has no place for travels under this name in `extensions`, where both families of formats let
 * applications keep what is theirs. Written only when there is something to say.
 */
const ANNEX = 'strata'

const annexSchema = z.object({
  id: z.string().min(1).optional(),
  fields: z.record(z.string(), z.unknown()).optional(),
  extra: z.record(z.string(), z.unknown()).optional(),
  origin: z
    .strictObject({ format: z.string(), fields: z.record(z.string(), z.unknown()) })
    .nullable()
    .optional(),
})

export interface Annex {
  id?: string
  fields?: Fields
  extra?: Fields
  origin?: Origin | null
}

const silent: Complain = () => {}

/** Parts an entry, or a book, from its annex. Something else under the annex's name stays where it is. */
export function takeAnnex(raw: Fields): { bare: Fields; annex: Annex | undefined } {
  const extensions = own(raw, 'extensions')
  const found = isFields(extensions) ? own(extensions, ANNEX) : undefined
  if (!isFields(extensions) || !isFields(found) || !annexSchema.safeParse(found).success) {
    return { bare: raw, annex: undefined }
  }
  const { [ANNEX]: _, ...rest } = extensions
  const { extensions: __, ...bare } = raw
  return { bare: Object.keys(rest).length > 0 ? { ...bare, extensions: rest } : bare, annex: found }
}

export function withAnnex(raw: Fields, annex: Annex): Fields {
  if (Object.keys(annex).length === 0) return raw
  const extensions = own(raw, 'extensions')
  return { ...raw, extensions: { ...(isFields(extensions) ? extensions : {}), [ANNEX]: annex } }
}

/** Members of `wanted` that `got` lacks or has otherwise. */
export function difference(wanted: Fields, got: Fields): Fields | undefined {
  const missing = Object.entries(wanted).filter(([name, value]) => !isDeepStrictEqual(value, own(got, name)))
  return missing.length > 0 ? Object.fromEntries(missing) : undefined
}

/** Raw members that neither `written` nor `extra` would give back; `extensions` member by member. */
export function lostFields(raw: Fields, written: Fields, extra: Fields): Fields {
  const lost: [string, unknown][] = []
  for (const [name, value] of Object.entries(raw)) {
    const again = own(written, name)
    if (value === again || isDeepStrictEqual(value, again) || isDeepStrictEqual(value, own(extra, name))) continue
    if (name !== 'extensions') lost.push([name, value])
    else if (isFields(value)) {
      const inner = difference(value, isFields(again) ? again : {}) ?? (again === undefined ? {} : undefined)
      if (inner) lost.push([name, inner])
    }
  }
  return Object.fromEntries(lost)
}

/** The number a decimal id stands for, as both families write it; other ids stay text. */
export function numericId(id: string): number | undefined {
  const number = Number(id)
  return Number.isSafeInteger(number) && number >= 0 && String(number) === id ? number : undefined
}

export interface ReadEntry extends Body {
  /** Undefined = the file has none that could serve. */
  id: string | undefined
  /** Given the id the entry really gets: a duplicate's own number is kept in the origin. */
  originFor(id: string): Origin | null
}

function rawId(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Fields of the annex hold only while the rest of the entry still is what this app wrote. */
function restored(dialect: Dialect, body: Body, index: number, fields: Fields): Known {
  const parsed = entryInputSchema.safeParse(fields)
  if (!parsed.success) return body.known
  const { id: _, extra: __, origin: ___, ...known } = parsed.data
  const candidate = { ...body.known, ...(known as Partial<Known>) }
  const again = dialect.read(dialect.write({ known: candidate, extra: body.extra }, index), index, silent)
  return isDeepStrictEqual(again.known, body.known) ? candidate : body.known
}

/** Reads one entry of a file, its annex included. */
export function readEntry(dialect: Dialect, raw: Fields, index: number, complain: Complain): ReadEntry {
  const { bare, annex } = takeAnnex(raw)
  const body = dialect.read(bare, index, complain)
  const known = annex?.fields ? restored(dialect, body, index, annex.fields) : body.known
  const extra = annex?.extra ? { ...body.extra, ...annex.extra } : body.extra
  return {
    known,
    extra,
    id: annex?.id ?? rawId(own(bare, dialect.id)) ?? rawId(own(bare, dialect.id === 'id' ? 'uid' : 'id')),
    originFor(id) {
      if (annex?.origin !== undefined) return annex.origin
      const fields = lostFields(
        bare,
        { ...dialect.write(body, index), [dialect.id]: own(bare, dialect.id) },
        body.extra,
      )
      const given = own(bare, dialect.id)
      const kept = given === undefined || annex?.id === id || given === (numericId(id) ?? id)
      const all = kept ? fields : { ...fields, [dialect.id]: given }
      return Object.keys(all).length > 0 ? { format: dialect.name, fields: all } : null
    },
  }
}

function overlay(written: Fields, fields: Fields): Fields {
  const from = own(written, 'extensions')
  const inner = own(fields, 'extensions')
  const merged = { ...written, ...fields }
  if (isFields(inner)) merged.extensions = { ...(isFields(from) ? from : {}), ...inner }
  return merged
}

/** Puts original values back where they still mean what the entry says: all at once, else one by one. */
function withOrigin(dialect: Dialect, written: Fields, entry: Entry, index: number): Fields {
  if (entry.origin?.format !== dialect.name) return written
  const { [dialect.id]: id, ...fields } = entry.origin.fields
  const base = dialect.read(written, index, silent)
  const same = (raw: Fields) => isDeepStrictEqual(dialect.read(raw, index, silent), base)
  let result = overlay(written, fields)
  if (!same(result)) {
    result = Object.entries(fields).reduce((sofar, [name, value]) => {
      const next = overlay(sofar, Object.fromEntries([[name, value]]))
      return same(next) ? next : sofar
    }, written)
  }
  return rawId(id) === String(written[dialect.id]) ? { ...result, [dialect.id]: id } : result
}

/** Writes one entry so that reading it gives the same entry again. */
export function writeEntry(dialect: Dialect, entry: Entry, id: number | string, index: number): Fields {
  const { id: _, extra, origin, ...known } = entry
  const written = { ...dialect.write({ known, extra }, index), [dialect.id]: id }
  const raw = withOrigin(dialect, written, entry, index)
  const back = readEntry(dialect, raw, index, silent)
  const annex: Annex = {}
  if (back.id !== entry.id) annex.id = entry.id
  const fields = difference(known, back.known)
  if (fields) annex.fields = fields
  const carried = difference(extra, back.extra)
  if (carried) annex.extra = carried
  const plain = Object.keys(annex).length === 0 && isDeepStrictEqual(back.originFor(entry.id), origin)
  if (plain) return raw
  annex.origin = origin
  // The annex itself may push something aside: an `extensions` that is no object, a foreign member of its name.
  const pushed = difference(extra, readEntry(dialect, withAnnex(raw, annex), index, silent).extra)
  return withAnnex(raw, pushed ? { ...annex, extra: { ...annex.extra, ...pushed } } : annex)
}
