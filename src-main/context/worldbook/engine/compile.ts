import { asMessage, type Said, type Sentence, said } from '../../../ipc/said-contract'
import type { Book } from '../book-contract'
import type { Entry, EntryRole, Position } from '../entry-contract'
import type { WorldbookWarning } from '../trace-contract'
import { type Automaton, buildAutomaton } from './build-automaton'
import { type Decorations, readDecorators } from './decorators'
import { exactKey, parseKey } from './keys'
import { oddPlace } from './odd-fields'

/** 0 and up: a term; −1: blank; −2 and down: pattern −2 − n. */
export type KeyRef = number
export const BLANK: KeyRef = -1
export const patternRef = (pattern: number): KeyRef => -2 - pattern

export interface KeyList {
  refs: KeyRef[]
  raw: readonly string[]
}

/** An entry ready to be asked: keys resolved, decorators read, numbers cleaned. */
export interface EntryPlan {
  entry: Entry
  content: string
  keys: KeyList
  /** Empty when the secondary keys are not asked. */
  secondary: KeyList
  decorations: Decorations | undefined
  additional: KeyList[]
  exclude: KeyList
  position: Position
  depth: number
  role: EntryRole
  scanDepth: number | null
  order: number
  probability: number
  groups: readonly string[]
  /** Why this entry can never take part. */
  malformed: Sentence | undefined
}

export interface CompiledBook {
  id: string
  name: string
  version: number
  settings: Book['settings']
  plans: EntryPlan[]
  /** Index of each entry in `plans`. */
  indexOf: ReadonlyMap<string, number>
  /** Units of each term; a hit's start is its end minus this. */
  termLengths: Uint32Array
  /** Entries that use term t: postings[postingStart[t]] up to postings[postingStart[t + 1]]. */
  postingStart: Uint32Array
  postings: Uint32Array
  /** 1 = an entry asks this term with its case. */
  termCase: Uint8Array
  /** 1 = an entry takes this term inside a word too. */
  termLoose: Uint8Array
  /** Entries that need no key to be asked; recursion levels of enabled entries, low first; deepest scan depth of an entry. */
  always: number[]
  levels: number[]
  deepest: number
  patterns: { source: string; flags: string; entries: number[] }[]
  automaton: Automaton
  warnings: WorldbookWarning[]
}

interface Draft {
  book: Book
  plans: EntryPlan[]
  indexOf: Map<string, number>
  terms: Map<string, number>
  patterns: Map<string, number>
  patternList: CompiledBook['patterns']
  pairTerms: number[]
  pairEntries: number[]
  caseTerms: Set<number>
  looseTerms: Set<number>
  warnings: WorldbookWarning[]
}

const NO_KEYS: KeyList = { refs: [], raw: [] }
const NO_GROUPS: readonly string[] = []

function addKeys(draft: Draft, index: number, entry: Entry, raw: readonly string[]): KeyList {
  if (raw.length === 0) return NO_KEYS
  const refs = raw.map((key): KeyRef => {
    const parsed = parseKey(String(key), entry.regexKeys, entry.caseSensitive === true)
    if (parsed.kind === 'blank') return BLANK
    if (parsed.kind === 'literal') {
      if (parsed.broken !== undefined) {
        const message = said`The pattern ${parsed.exact} does not compile (${parsed.broken}) and is taken as plain text.`
        draft.warnings.push({
          worldbookId: draft.book.id,
          entryId: entry.id,
          code: 'broken_pattern',
          ...asMessage(message),
        })
      }
      let term = draft.terms.get(parsed.folded)
      if (term === undefined) {
        term = draft.terms.size
        draft.terms.set(parsed.folded, term)
      }
      draft.pairTerms.push(term)
      draft.pairEntries.push(index)
      if (entry.caseSensitive === true) draft.caseTerms.add(term)
      if (entry.wholeWords === false) draft.looseTerms.add(term)
      return term
    }
    const name = `${parsed.flags}/${parsed.source}`
    let pattern = draft.patterns.get(name)
    if (pattern === undefined) {
      pattern = draft.patternList.push({ source: parsed.source, flags: parsed.flags, entries: [] }) - 1
      draft.patterns.set(name, pattern)
    }
    draft.patternList[pattern]?.entries.push(index)
    return patternRef(pattern)
  })
  return { refs, raw }
}

function malformedReason(entry: Entry): Sentence | undefined {
  if (typeof entry.content !== 'string') return said`its content is not text`
  if (!Array.isArray(entry.keys) || !Array.isArray(entry.secondaryKeys)) return said`its keys are not a list`
  if (entry.position === 'outlet' && entry.outletName.trim() === '') return said`it stands in an outlet without a name`
  return undefined
}

/** Missing = 4, negative = 0; kept whole. */
function cleanDepth(depth: unknown): number {
  const number = typeof depth === 'string' && depth.trim() !== '' ? Number(depth) : depth
  return typeof number === 'number' && !Number.isNaN(number) ? Math.max(0, Math.trunc(number)) : 4
}

const groupsOf = (group: string) =>
  [...new Set(group.split(',').map((name) => name.trim()))].filter((name) => name !== '')

function planEntry(draft: Draft, entry: Entry): void {
  const index = draft.plans.length
  const malformed = malformedReason(entry)
  const read = malformed === undefined ? readDecorators(entry.content) : undefined
  const decorations = read?.decorations
  const say = (code: string, message: Said) =>
    draft.warnings.push({ worldbookId: draft.book.id, entryId: entry.id, code, ...asMessage(message) })
  if (malformed !== undefined) say('malformed', said`“${entry.comment}” is left out: ${malformed}.`)
  for (const line of read?.ignored ?? [])
    say('decorator_ignored', said`The line ${line} has no effect here and is not sent.`)
  const odd = entry.origin === null ? undefined : oddPlace(entry)
  if (odd) say(odd.code, odd.message)
  const keys = (raw: readonly string[] | undefined) =>
    malformed === undefined && raw !== undefined ? addKeys(draft, index, entry, raw) : NO_KEYS
  if (malformed === undefined && entry.selective && entry.secondaryKeys.some((key) => exactKey(String(key)) === ''))
    say('blank_key', said`“${entry.comment}” has a blank secondary key, which counts as not found.`)
  const placed = decorations?.position ?? (decorations?.depth === undefined ? undefined : 'at-depth')
  draft.indexOf.set(entry.id, index)
  draft.plans.push({
    entry,
    content: read?.content ?? '',
    keys: keys(entry.keys),
    secondary: keys(entry.selective ? entry.secondaryKeys : undefined),
    decorations,
    additional: (decorations?.additionalKeys ?? []).map((list) => keys(list)),
    exclude: keys(decorations?.excludeKeys),
    position: placed ?? entry.position,
    depth: cleanDepth(decorations?.depth ?? entry.depth),
    role: decorations?.role ?? entry.role,
    scanDepth: decorations?.scanDepth ?? entry.scanDepth,
    order: Number.isFinite(entry.order) ? entry.order : 100,
    probability: decorations?.probability ?? (entry.useProbability ? (entry.probability ?? 100) : 100),
    groups: entry.group === '' ? NO_GROUPS : groupsOf(entry.group),
    malformed,
  })
}

function newDraft(book: Book): Draft {
  return {
    book,
    plans: [],
    indexOf: new Map(),
    terms: new Map(),
    patterns: new Map(),
    patternList: [],
    pairTerms: [],
    pairEntries: [],
    caseTerms: new Set(),
    looseTerms: new Set(),
    warnings: [],
  }
}

/** Counting sort of the (term, entry) pairs; an entry stands once per term. */
function postingsOf(draft: Draft): { postingStart: Uint32Array; postings: Uint32Array } {
  const postingStart = new Uint32Array(draft.terms.size + 1)
  for (const term of draft.pairTerms) postingStart[term + 1] = (postingStart[term + 1] ?? 0) + 1
  for (let term = 0; term < draft.terms.size; term += 1) {
    postingStart[term + 1] = (postingStart[term + 1] ?? 0) + (postingStart[term] ?? 0)
  }
  const next = postingStart.slice()
  const postings = new Uint32Array(draft.pairTerms.length)
  for (const [pair, term] of draft.pairTerms.entries()) {
    const at = next[term] ?? 0
    postings[at] = draft.pairEntries[pair] ?? 0
    next[term] = at + 1
  }
  return { postingStart, postings }
}

function summaryOf(plans: readonly EntryPlan[]): Pick<CompiledBook, 'always' | 'levels' | 'deepest'> {
  const always: number[] = []
  const levels = new Set<number>()
  let deepest = 0
  for (const [index, { entry, decorations, scanDepth }] of plans.entries()) {
    if (entry.constant || decorations?.activate) always.push(index)
    const level = Number(entry.delayUntilRecursion)
    if (level > 0 && entry.enabled) levels.add(level)
    if (scanDepth !== null && scanDepth > deepest) deepest = scanDepth
  }
  return { always, levels: [...levels].sort((a, b) => a - b), deepest }
}

function marks(size: number, marked: ReadonlySet<number>): Uint8Array {
  const table = new Uint8Array(size)
  for (const at of marked) table[at] = 1
  return table
}

function finish(draft: Draft, automaton: Automaton): CompiledBook {
  const { book } = draft
  return {
    id: book.id,
    name: book.name,
    version: book.version,
    settings: book.settings,
    plans: draft.plans,
    indexOf: draft.indexOf,
    termLengths: Uint32Array.from(draft.terms.keys(), (term) => term.length),
    ...postingsOf(draft),
    termCase: marks(draft.terms.size, draft.caseTerms),
    termLoose: marks(draft.terms.size, draft.looseTerms),
    ...summaryOf(draft.plans),
    patterns: draft.patternList,
    automaton,
    warnings: draft.warnings,
  }
}

/** At once, on this thread: for tests and small looks. */
export function compileBook(book: Book): CompiledBook {
  const draft = newDraft(book)
  for (const entry of book.entries) planEntry(draft, entry)
  return finish(draft, buildAutomaton([...draft.terms.keys()]))
}

export interface CompileSteps {
  /** Builds the automaton elsewhere. */
  build(terms: string[]): Promise<Automaton>
  /** A promise when other work on this thread should have its turn. */
  breathe(): Promise<void> | undefined
}

const ENTRIES_PER_STEP = 50

export async function compileBookInSteps(book: Book, steps: CompileSteps): Promise<CompiledBook> {
  const draft = newDraft(book)
  for (let at = 0; at < book.entries.length; at += ENTRIES_PER_STEP) {
    for (const entry of book.entries.slice(at, at + ENTRIES_PER_STEP)) planEntry(draft, entry)
    const pause = steps.breathe()
    if (pause) await pause
  }
  return finish(draft, await steps.build([...draft.terms.keys()]))
}

/** The key as it must stand in the text when case counts. */
export const keyText = (list: KeyList, index: number) => exactKey(String(list.raw[index] ?? ''))
