import { type Said, type Sentence, said } from '../../../ipc/said-contract'
import { BLANK, type EntryPlan, type KeyList } from './compile'
import { type BookScan, type Found, findKey, ranOutOfTime, type View } from './hits'

export type Match =
  | { matched: true; key: string; found: Found; secondary: string[] }
  | { matched: false; because: 'no_keys' | 'no_key' | 'secondary' | 'out_of_time'; detail: Said }

const quote = (key: string) => `“${key.trim()}”`

const NONE: boolean[] = []

function foundKeys(scan: BookScan, list: KeyList, view: View): boolean[] {
  if (list.refs.length === 0) return NONE
  return list.refs.map((_ref, index) => findKey(scan, list, index, view) !== undefined)
}

const namesOf = (list: KeyList, found: boolean[], wanted: boolean) =>
  list.raw.filter((_key, index) => found[index] === wanted)

/** Undefined = passed. */
function secondaryFailure(plan: EntryPlan, found: boolean[]): Sentence | undefined {
  const { secondary, entry } = plan
  if (found.length === 0) return undefined
  const present = namesOf(secondary, found, true).map(quote).join(', ')
  const missing = namesOf(secondary, found, false).map(quote).join(', ')
  const any = found.includes(true)
  const all = !found.includes(false)
  switch (entry.selectiveLogic) {
    case 'and-any':
      return any ? undefined : said`secondary keys (and-any): none of ${missing} was found`
    case 'and-all':
      return all ? undefined : said`secondary keys (and-all): ${missing} was not found`
    case 'not-any':
      return any ? said`secondary keys (not-any): ${present} was found` : undefined
    case 'not-all':
      return all ? said`secondary keys (not-all): all of ${present} were found` : undefined
  }
}

/** Primary hits, plus secondary hits where they speak for the entry. No primary keys = 0. */
function scoreOf(plan: EntryPlan, primary: number, secondary: boolean[]): number {
  const hits = secondary.filter(Boolean).length
  if (plan.entry.selectiveLogic === 'and-any') return primary + hits
  return plan.entry.selectiveLogic === 'and-all' && hits === secondary.length ? primary + hits : primary
}

export function groupScore(scan: BookScan, plan: EntryPlan, view: View): number {
  const primary = foundKeys(scan, plan.keys, view).filter(Boolean).length
  return plan.keys.refs.length === 0 ? 0 : scoreOf(plan, primary, foundKeys(scan, plan.secondary, view))
}

function decoratorFailure(scan: BookScan, plan: EntryPlan, view: View): Sentence | undefined {
  for (const list of plan.additional) {
    if (!foundKeys(scan, list, view).includes(true))
      return said`none of its additional keys ${list.raw.map(quote).join(', ')} was found`
  }
  const excluded = namesOf(plan.exclude, foundKeys(scan, plan.exclude, view), true)
  return excluded.length > 0 ? said`its exclude key ${excluded.map(quote).join(', ')} was found` : undefined
}

const NO_KEYS: Match = { matched: false, because: 'no_keys', detail: 'it has no keys' }
const NO_KEY: Match = { matched: false, because: 'no_key', detail: 'no key matched' }
const LATE: Match = {
  matched: false,
  because: 'out_of_time',
  detail: 'a pattern ran out of time and counts as not found',
}

function withSecondary(scan: BookScan, plan: EntryPlan, view: View, key: string, found: Found): Match {
  const { secondary } = plan
  const present = foundKeys(scan, secondary, view)
  const failure = secondaryFailure(plan, present) ?? decoratorFailure(scan, plan, view)
  if (failure === undefined)
    return { matched: true, key: key.trim(), found, secondary: namesOf(secondary, present, true) }
  const because = ranOutOfTime(scan, secondary) ? 'out_of_time' : 'secondary'
  return { matched: false, because, detail: said`key ${quote(key)} was found, but ${failure}` }
}

/** Asks an entry's keys against everything the view sees. */
export function matchEntry(scan: BookScan, plan: EntryPlan, view: View): Match {
  const { keys } = plan
  for (let index = 0; index < keys.refs.length; index += 1) {
    const found = findKey(scan, keys, index, view)
    if (found) return withSecondary(scan, plan, view, String(keys.raw[index]), found)
  }
  if (ranOutOfTime(scan, keys)) return LATE
  return keys.refs.every((ref) => ref === BLANK) ? NO_KEYS : NO_KEY
}
