import { asDetail, type Said, textOf } from '../../../ipc/said-contract'
import type { EntryRef, FiredWhy, NotFired, WorldbookWarning } from '../trace-contract'
import type { EntryPlan } from './compile'
import { type Draw, drawsFrom } from './draws'
import { type BookScan, newBookScan, scanPiece, type View } from './hits'
import { makePiece, type Piece } from './pieces'
import type { Placed } from './place'
import { budgetLimit, type EvaluationRequest, effectiveForced, type ForcedEntry } from './request'
import type { Steps } from './steps'
import { type ActiveEffects, effectKey, effectsAt } from './timers'

/** Messages looked at beyond the scan depth, only to say “the key occurs further back”. */
const LOOK_BACK = 200

export type SweepKind = 'initial' | 'recursion' | 'min-activations'
export type Refusal = Pick<NotFired, 'reason' | 'detail' | 'words' | 'facts'>

export function refusal(reason: NotFired['reason'], sentence: Said, facts?: Record<string, unknown>): Refusal {
  return { reason, detail: textOf(sentence), ...asDetail(sentence), ...(facts && { facts }) }
}

/** The moving parts of one evaluation. Entries are numbered over all books: book order, then file order. */
export interface Run {
  request: EvaluationRequest
  scans: BookScan[]
  total: number
  /** Messages of the branch, and how many of them are the assistant's. */
  count: number
  assistants: number
  effects: ActiveEffects
  forced: Map<number, ForcedEntry>
  /** By entry: how near vectorised entries are to what was said last. */
  scores: Map<number, number>
  draw: Draw
  recursionOn: boolean

  sweep: number
  kind: SweepKind
  /** Messages min activations went further back. */
  skew: number
  /** Recursion level that is open, and those still closed, low first. */
  level: number
  levels: number[]

  messages: Piece[]
  topic: Piece | undefined
  /** Contents of fired entries, in firing order; those from `unread` on are not scanned yet. */
  texts: Piece[]
  unread: number
  /** Entries with a key in message n from the end. */
  touchedBy: number[][]
  /** By entry: the last piece that touched it, as 1 + its ordinal; 0 = none. */
  touched: Int32Array
  pieces: number
  /** Entries to ask in the next sweep; those that wait for a recursion level; those to ask again with recursion text. */
  dirty: Set<number>
  waiting: Set<number>
  again: Set<number>

  limit: number | null
  used: number
  usedByBook: Map<BookScan, number>
  /** The list is closed: only entries that ignore the budget come in. */
  closed: boolean
  closedBooks: Set<BookScan>
  patternMillis: number
  patternProgress: Map<string, { messages: number; topic: boolean; texts: number }>

  /** By entry: 1 = fired or refused for good. */
  settled: Uint8Array
  fired: Map<number, Placed & { plan: EntryPlan; scan: BookScan }>
  refused: Map<number, Refusal>
  groupsTaken: Map<string, string>
  warnings: WorldbookWarning[]
}

export function locate(run: Pick<Run, 'scans'>, number: number): { scan: BookScan; plan: EntryPlan } {
  for (const scan of run.scans) {
    const plan = number >= scan.offset ? scan.book.plans[number - scan.offset] : undefined
    if (plan) return { scan, plan }
  }
  throw new Error(`No entry has the number ${number}.`)
}

export const refOf = (scan: BookScan, plan: EntryPlan): EntryRef => ({
  worldbookId: scan.book.id,
  entryId: plan.entry.id,
  comment: plan.entry.comment,
})

export const keyOf = (scan: BookScan, plan: EntryPlan) => effectKey(scan.book.id, plan.entry.id)

export function refuse(run: Run, number: number, refusal: Refusal): void {
  run.settled[number] = 1
  run.refused.set(number, refusal)
}

export const isRecursive = (run: Run, scan: BookScan) => scan.book.settings.recursive ?? run.request.settings.recursive

/** With recursion off everywhere, a later recursion level still reads what has fired; a book that says no never does. */
export const readsTexts = (run: Run, scan: BookScan) =>
  isRecursive(run, scan) || (scan.book.settings.recursive === null && !run.recursionOn)

export function depthOf(run: Run, scan: BookScan, plan: EntryPlan): number {
  if (plan.scanDepth !== null) return Math.max(0, plan.scanDepth)
  return Math.max(0, scan.book.settings.scanDepth ?? run.request.settings.scanDepth) + run.skew
}

export function viewOf(run: Run, scan: BookScan, plan: EntryPlan, kind: SweepKind = run.kind): View {
  const depth = depthOf(run, scan, plan)
  const texts = kind !== 'min-activations' && readsTexts(run, scan)
  return {
    wholeWords: plan.entry.wholeWords ?? scan.book.settings.wholeWords ?? run.request.settings.wholeWords,
    caseSensitive: plan.entry.caseSensitive ?? scan.book.settings.caseSensitive ?? run.request.settings.caseSensitive,
    sees(piece) {
      if (piece.kind === 'message') return piece.distance < depth
      return piece.kind === 'entry' ? texts : scan.book.settings.scanTopicPrompt
    },
  }
}

function scanEverywhere(run: Run, piece: Piece): number[] {
  const touched: number[] = []
  run.pieces += 1
  for (const scan of run.scans) {
    scanPiece(scan, piece, (number) => {
      if (run.touched[number] === run.pieces) return
      run.touched[number] = run.pieces
      touched.push(number)
    })
  }
  return touched
}

/** Makes sure the newest `depth` messages are scanned. */
export function* scanMessages(run: Run, depth: number): Steps<void> {
  const { messages, settings } = run.request
  for (let distance = run.messages.length; distance < Math.min(depth, messages.length); distance += 1) {
    const message = messages[messages.length - 1 - distance]
    if (!message) return
    const name = settings.includeNames && message.name !== undefined ? { name: message.name } : {}
    const piece = makePiece({ kind: 'message', distance, text: message.text, ...name })
    run.messages.push(piece)
    run.touchedBy.push(scanEverywhere(run, piece))
    yield 'pause'
  }
}

/** Scans the contents that came in since the last time and marks who is touched. */
export function* scanTexts(run: Run): Steps<void> {
  for (const piece of run.texts.slice(run.unread)) {
    for (const number of scanEverywhere(run, piece)) run.dirty.add(number)
    yield 'pause'
  }
  run.unread = run.texts.length
}

function* firstLook(run: Run): Steps<void> {
  const depths = [LOOK_BACK]
  const levels = new Set<number>()
  for (const { book, offset } of run.scans) {
    for (const index of book.always) run.dirty.add(offset + index)
    for (const level of book.levels) levels.add(level)
    depths.push(book.deepest, book.settings.scanDepth ?? run.request.settings.scanDepth)
  }
  run.levels = [...levels].sort((a, b) => a - b)
  run.level = run.levels.shift() ?? 0
  yield* scanMessages(
    run,
    depths.reduce((a, b) => Math.max(a, b), 0),
  )
  for (const [distance, touched] of run.touchedBy.entries()) {
    for (const number of touched) {
      const { scan, plan } = locate(run, number)
      if (distance < depthOf(run, scan, plan)) run.dirty.add(number)
    }
  }
  if (run.topic) for (const number of scanEverywhere(run, run.topic)) run.dirty.add(number)
}

function numberOf(scans: readonly BookScan[]): (worldbookId: string, entryId: string) => number | undefined {
  const byBook = new Map(scans.map((scan) => [scan.book.id, scan]))
  return (worldbookId, entryId) => {
    const scan = byBook.get(worldbookId)
    const at = scan?.book.indexOf.get(entryId)
    return scan === undefined || at === undefined ? undefined : scan.offset + at
  }
}

/** Numbers the books' entries one after the other. */
function scansOf(request: EvaluationRequest): { scans: BookScan[]; total: number } {
  const scans: BookScan[] = []
  let total = 0
  for (const book of request.books) {
    const caseSensitive = book.settings.caseSensitive ?? request.settings.caseSensitive
    const wholeWords = book.settings.wholeWords ?? request.settings.wholeWords
    scans.push(newBookScan(book, total, { caseSensitive, wholeWords }))
    total += book.plans.length
  }
  return { scans, total }
}

function emptyRun(
  request: EvaluationRequest,
  patternMillis: number,
  { scans, total, effects }: Pick<Run, 'scans' | 'total' | 'effects'>,
): Run {
  const topic = request.topicPrompt?.trim() ? request.topicPrompt : undefined
  return {
    request,
    scans,
    total,
    effects,
    patternMillis,
    count: request.messages.length,
    assistants: request.messages.filter((message) => message.role === 'assistant').length,
    draw: drawsFrom(request.seed, request.roll),
    recursionOn: scans.some((scan) => scan.book.settings.recursive ?? request.settings.recursive),
    topic: topic === undefined ? undefined : makePiece({ kind: 'topic_prompt', text: topic }),
    limit: budgetLimit(request.settings, request.window),
    warnings: request.books.flatMap((book) => book.warnings),
    sweep: 0,
    kind: 'initial',
    skew: 0,
    level: 0,
    levels: [],
    messages: [],
    texts: [],
    unread: 0,
    touchedBy: [],
    pieces: 0,
    touched: new Int32Array(total),
    settled: new Uint8Array(total),
    dirty: new Set(),
    waiting: new Set(),
    again: new Set(),
    forced: new Map(),
    scores: new Map(),
    used: 0,
    usedByBook: new Map(),
    closed: false,
    closedBooks: new Set(),
    patternProgress: new Map(),
    fired: new Map(),
    refused: new Map(),
    groupsTaken: new Map(),
  }
}

/** Everything is scanned once and those who may fire in the first sweep are marked. */
export function* newRun(request: EvaluationRequest, patternMillis: number): Steps<Run> {
  const { scans, total } = scansOf(request)
  const find = numberOf(scans)
  const effects = effectsAt(request.timers, request.messages.length, (effect) => {
    const number = find(effect.worldbookId, effect.entryId)
    return number === undefined ? undefined : locate({ scans }, number).plan
  })
  const run = emptyRun(request, patternMillis, { scans, total, effects })
  yield* firstLook(run)
  for (const { worldbookId, entryId, score } of request.forced) {
    const number = score === undefined ? undefined : find(worldbookId, entryId)
    if (number !== undefined && score !== undefined) run.scores.set(number, score)
  }
  for (const entry of effectiveForced(request.forced)) {
    const number = find(entry.worldbookId, entry.entryId)
    if (number === undefined) continue
    if (entry.score !== undefined && !locate(run, number).plan.entry.vectorized) continue
    run.forced.set(number, entry)
    run.dirty.add(number)
  }
  for (const effect of effects.sticky.values()) {
    const number = find(effect.worldbookId, effect.entryId)
    if (number !== undefined) run.dirty.add(number)
  }
  return run
}

/** Links a chain shows; of a longer one the first and the last. */
const MOST_LINKS = 50

/** From the first entry of the recursion to this one. */
export function chainTo(run: Run, number: number): EntryRef[] {
  const from = run.fired.get(number)
  if (!from) return []
  const why: FiredWhy = from.fired.why
  const chain = [...(why.kind === 'recursion' ? why.chain : []), refOf(from.scan, from.plan)]
  return chain.length > MOST_LINKS ? chain.toSpliced(1, chain.length - MOST_LINKS) : chain
}
