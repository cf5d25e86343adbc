import { type Sentence, said } from '../../../ipc/said-contract'
import type { Entry } from '../entry-contract'
import { asNumber, isFields, own } from '../formats/coerce'
import { asPosition } from '../formats/entry-fields'

const shown = (value: unknown) => JSON.stringify(value).slice(0, 40)

/** A value as the file had it, beside its mirror; undefined = none, or nothing that would be a value. */
function originalOf(entry: Entry, name: string): unknown {
  const fields = entry.origin?.fields
  if (!fields) return undefined
  const extensions = own(fields, 'extensions')
  const value = (isFields(extensions) ? own(extensions, name) : undefined) ?? own(fields, name)
  return typeof value === 'object' || value === '' ? undefined : value
}

/** What the file said of an entry's place and nobody could read, as long as the usual place stands in for it. */
export function oddPlace(entry: Entry): { code: string; message: Sentence } | undefined {
  const position = originalOf(entry, 'position')
  if (position !== undefined && entry.position === 'before' && asPosition(position) === undefined) {
    const message = said`“${entry.comment}” has the unknown position ${shown(position)} in its file and stands before.`
    return { code: 'unknown_position', message }
  }
  const depth = originalOf(entry, 'depth')
  if (depth === undefined || entry.position !== 'at-depth' || entry.depth !== 4 || asNumber(depth) !== undefined)
    return undefined
  const message = said`“${entry.comment}” has the depth ${shown(depth)} in its file, which is no number; 4 is used.`
  return { code: 'unknown_depth', message }
}
