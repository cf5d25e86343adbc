import { asFlag, asKeys, asNumber, asPercent, asText, own } from './coerce'
import { first, foreignArrival, known } from './foreign'
import { contentProblem, type EntryReader } from './read-entries'

const TITLES = ['name', 'title', 'comment']
const TEXTS = ['content', 'text', 'entry', 'description']
const KEYS = ['keywords', 'keys', 'key', 'triggers', 'keyword', 'trigger']
const ORDERS = ['priority', 'order', 'insertion_order', 'weight']

const opposite = (off: boolean | undefined) => (off === undefined ? undefined : !off)

/** A book someone made by hand: the usual words for a title, a text, keys and an order. */
export const readPlainEntry: EntryReader = (raw) => {
  const text = first(raw, ...TEXTS)
  const problem = contentProblem(text)
  if (problem) return problem
  const title = first(raw, ...TITLES)
  const keys = first(raw, ...KEYS)
  if (text === undefined && keys === undefined) return 'It holds neither keys nor a text.'
  const used = (names: readonly string[], value: unknown) =>
    names.filter((name) => own(raw, name) === value).slice(0, 1)
  const order = first(raw, ...ORDERS)
  return foreignArrival(raw, {
    format: 'plain',
    id: first(raw, 'id', 'uid'),
    known: known({
      comment: asText(title),
      content: asText(text),
      keys: asKeys(keys),
      order: asNumber(order),
      enabled: asFlag(own(raw, 'enabled')) ?? opposite(asFlag(first(raw, 'disabled', 'disable'))),
      constant: asFlag(first(raw, 'constant', 'always', 'alwaysActive')),
      probability: asPercent(own(raw, 'probability')),
    }),
    exact: [
      ...used(TITLES, title),
      ...used(TEXTS, text),
      ...(Array.isArray(keys) ? used(KEYS, keys) : []),
      ...(typeof order === 'number' ? used(ORDERS, order) : []),
      'id',
      'enabled',
      'constant',
      'probability',
    ],
    changed: Array.isArray(keys) ? [] : used(KEYS, keys),
  })
}
