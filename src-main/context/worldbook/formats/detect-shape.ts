import { isCard } from './character-card'
import { type Fields, isFields, own } from './coerce'

export type Shape =
  | 'strata'
  | 'lorebook_v3'
  | 'card'
  | 'novelai'
  | 'agnai'
  | 'risuai'
  | 'tavern-helper'
  | 'character_book'
  | 'plain'
  | 'sillytavern'

const SAMPLE = 64

/** SillyTavern's own template, whatever else stands beside it: a book may carry marks of the format it came from. */
function isTemplate(entry: unknown): boolean {
  return isFields(entry) && ['keysecondary', 'disable', 'displayIndex'].every((name) => Object.hasOwn(entry, name))
}

/** What one entry looks like. SillyTavern's `key` alone decides late, because Chub writes both spellings. */
function shapeOfEntry(entry: Fields): Shape | undefined {
  const has = (name: string) => Object.hasOwn(entry, name)
  if (isTemplate(entry)) return 'sillytavern'
  if (isFields(own(entry, 'strategy')) || isFields(own(entry, 'position'))) return 'tavern-helper'
  if (isFields(own(entry, 'contextConfig')) || (has('text') && has('displayName'))) return 'novelai'
  if (has('insertorder') || has('secondkey') || has('alwaysActive')) return 'risuai'
  if (has('entry') && has('keywords')) return 'agnai'
  if (has('insertion_order') || has('secondary_keys') || has('enabled')) {
    if (has('keys') || has('insertion_order')) return 'character_book'
  }
  if (has('key') || has('keysecondary') || has('disable')) return 'sillytavern'
  if (has('keys') && !has('priority')) return 'character_book'
  return has('keywords') || has('keyword') || has('keys') || has('triggers') || has('trigger') || has('text')
    ? 'plain'
    : undefined
}

/** The shape most of the first entries have; SillyTavern's when they do not say. */
export function shapeOfEntries(members: unknown[]): Shape {
  const votes = new Map<Shape, number>()
  for (const entry of members.slice(0, SAMPLE)) {
    const shape = isFields(entry) ? shapeOfEntry(entry) : undefined
    if (shape) votes.set(shape, (votes.get(shape) ?? 0) + 1)
  }
  return [...votes].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 'sillytavern'
}

/** What a parsed file is, by its own marks and then by its entries; never by its name. */
export function shapeOfRoot(root: Fields): Shape | undefined {
  const entries = own(root, 'entries')
  if (isFields(entries) && Object.values(entries).some(isTemplate)) return 'sillytavern'
  if (own(root, 'format') === 'strata-worldbook') return 'strata'
  const spec = own(root, 'spec')
  if (typeof spec === 'string' && spec.startsWith('lorebook') && isFields(own(root, 'data'))) return 'lorebook_v3'
  if (isCard(root)) return 'card'
  if (own(root, 'lorebookVersion') !== undefined && entries !== undefined) return 'novelai'
  if (own(root, 'kind') === 'memory' && entries !== undefined) return 'agnai'
  if (own(root, 'type') === 'risu' && Array.isArray(own(root, 'data'))) return 'risuai'
  if (entries === undefined) return undefined
  if (!Array.isArray(entries) && !isFields(entries)) return 'sillytavern'
  const members = Array.isArray(entries) ? entries : Object.values(entries)
  return members.length === 0 && Array.isArray(entries) ? 'character_book' : shapeOfEntries(members)
}
