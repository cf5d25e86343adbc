import type { Origin } from '../entry-contract'
import { asNumber, type Fields, own } from './coerce'
import { isRootName, KNOWN_DEFAULTS, type Known } from './entry-fields'
import type { Arrival } from './read-entries'

interface Mapping {
  format: string
  known: Partial<Known>
  id?: unknown
  /** Fields taken over exactly: the entry gives them back. */
  exact: readonly string[]
  /** Fields taken over with a change, or ignored although they have a name here: kept as they were. */
  changed: readonly string[]
}

/**
 * An entry of a format that this app reads and does not write. Unmapped fields are carried under their own names;
 * those whose names mean something else in the formats that are written go to the origin.
 */
export function foreignArrival(raw: Fields, mapping: Mapping): Arrival {
  const exact = new Set(mapping.exact)
  const changed = new Set(mapping.changed)
  const rest = Object.entries(raw).filter(([name]) => !exact.has(name))
  const kept = rest.filter(([name]) => changed.has(name) || isRootName(name))
  const extra = rest.filter(([name]) => !changed.has(name) && !isRootName(name))
  const origin: Origin | null = kept.length > 0 ? { format: mapping.format, fields: Object.fromEntries(kept) } : null
  const given = mapping.id
  const number = asNumber(given)
  return {
    id: typeof given === 'string' && given !== '' ? given : number === undefined ? undefined : String(number),
    known: { ...KNOWN_DEFAULTS, ...defined(mapping.known) },
    extra: Object.fromEntries(extra),
    originFor: () => origin,
  }
}

/** `undefined` means "not in the file": the usual value stands. */
function defined(known: Partial<Known>): Partial<Known> {
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined))
}

/** A record of possibly missing values, for the readers. */
export type Found = { [K in keyof Known]?: Known[K] | undefined }

export function known(found: Found): Partial<Known> {
  return defined(found as Partial<Known>)
}

/** A field that may be spelled in several ways. */
export function first(raw: Fields, ...names: string[]): unknown {
  for (const name of names) {
    const value = own(raw, name)
    if (value !== undefined && value !== null) return value
  }
  return undefined
}
