import { asFlag, asKeys, asNumber, asText, own } from './coerce'
import { first, foreignArrival, known } from './foreign'
import { contentProblem, type EntryReader } from './read-entries'

const escaped = (text: string) => text.replace(/[.+^${}()|[\]\\/]/g, '\\$&')
/** A bare star would match every word. */
const ONLY_WILD = /^[*?\s]*$/

/** `dr*gon` as a pattern: `*` stands for any letters, `?` for one or none; other keys stay as they are. */
export function wildcardKey(key: string): string {
  if (!/[*?]/.test(key) || ONLY_WILD.test(key)) return key
  const ascii = /^[\x20-\x7e]*$/.test(key)
  const letter = ascii ? '\\w' : '[\\p{L}\\p{N}\\p{M}_]'
  const inner = escaped(key).replace(/\*+/g, `${letter}*`).replace(/\?/g, `${letter}?`)
  if (!ascii) return `/${inner}/iu`
  const start = /^[\w*?]/.test(key) ? '\\b' : ''
  const end = /[\w*?]$/.test(key) ? '\\b' : ''
  return `/${start}${inner}${end}/i`
}

/** Agnai memory-book entry: name, entry, keywords, priority (choice), weight (place), enabled. */
export const readAgnaiEntry: EntryReader = (raw) => {
  const problem = contentProblem(own(raw, 'entry'))
  if (problem) return problem
  if (first(raw, 'entry', 'keywords', 'name') === undefined) return 'It holds neither keys nor a text.'
  const given = asKeys(own(raw, 'keywords')) ?? []
  const keys = given.map(wildcardKey)
  const untouched = keys.join('\n') === given.join('\n')
  return foreignArrival(raw, {
    format: 'agnai',
    id: own(raw, 'id'),
    known: known({
      comment: asText(own(raw, 'name')),
      content: asText(own(raw, 'entry')),
      keys,
      enabled: asFlag(own(raw, 'enabled')),
      order: asNumber(own(raw, 'weight')),
      wholeWords: true,
      caseSensitive: false,
    }),
    exact: ['name', 'entry', 'enabled', 'weight', 'id', ...(untouched ? ['keywords'] : [])],
    // Written by Agnai beside its own fields and not used by it.
    changed: ['keywords', 'comment', 'selective', 'secondaryKeys', 'constant', 'position'],
  })
}
