import { asFlag, asNumber, asPercent, asText, type Fields, own, splitKeys } from './coerce'
import { first, foreignArrival, known } from './foreign'
import { contentProblem, type EntryReader } from './read-entries'

const FOLDER_KEY = '\uf000folder:'

export function isRisuFolder(raw: Fields): boolean {
  const key = own(raw, 'key')
  return own(raw, 'mode') === 'folder' || (typeof key === 'string' && key.startsWith(FOLDER_KEY))
}

/** One pattern is one key, commas and all. */
function keysOf(value: unknown, regex: boolean): string[] {
  const text = asText(value) ?? ''
  return regex && text.trim() !== '' ? [text.trim()] : splitKeys(text)
}

function wholeWordsOf(content: string): boolean {
  const head = content.slice(0, 2000)
  return /^@@@?match_full_word\s*$/m.test(head)
}

/** RisuAI lorebook entry: comma strings for keys, alwaysActive or mode constant, activationPercent. */
export const readRisuEntry: EntryReader = (raw) => {
  const problem = contentProblem(own(raw, 'content'))
  if (problem) return problem
  if (first(raw, 'content', 'key', 'comment') === undefined) return 'It holds neither keys nor a text.'
  const regex = asFlag(own(raw, 'useRegex')) ?? false
  const keys = keysOf(own(raw, 'key'), regex)
  const content = asText(own(raw, 'content')) ?? ''
  const off = asFlag(own(raw, 'disable'))
  const percent = asPercent(own(raw, 'activationPercent'))
  return foreignArrival(raw, {
    format: 'risuai',
    id: own(raw, 'id'),
    known: known({
      comment: asText(own(raw, 'comment')),
      content,
      keys,
      secondaryKeys: keysOf(own(raw, 'secondkey'), regex),
      selective: asFlag(own(raw, 'selective')) ?? false,
      constant: asFlag(own(raw, 'alwaysActive')) === true || own(raw, 'mode') === 'constant',
      order: asNumber(own(raw, 'insertorder')),
      probability: percent,
      enabled: asFlag(own(raw, 'enabled')) ?? (off === undefined ? undefined : !off),
      regexKeys: regex,
      wholeWords: wholeWordsOf(content),
      caseSensitive: false,
    }),
    exact: ['comment', 'content', 'alwaysActive', 'selective', 'insertorder', 'activationPercent', 'id', 'enabled'],
    changed: ['key', 'secondkey', 'useRegex', 'disable', 'mode'],
  })
}
