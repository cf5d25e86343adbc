import { said } from '../../ipc/said-contract'
import type { WriteDatabase } from '../../storage/database'
import type { BlockSource, TurnInput } from '../block-source'
import { absentBlock } from '../collect-blocks'
import type { BlockItem, ContextBlock, Placement, Verdict } from '../contract'
import { beforeLong, WAIT_MS } from './before-long'
import type { CompiledBook, EntryPlan } from './engine/compile'
import type { EvaluationRequest } from './engine/request'
import { type EvaluateDeps, evaluateBooks, loadBooks } from './evaluate-books'
import { askSimilar, type FindSimilar } from './similarity'
import { readBranchTimers, writeTimers } from './timer-rows'
import type { EvaluateResult, Fired, NotFiredReason, Trace } from './trace-contract'

export interface WorldbookSourceDeps extends EvaluateDeps {
  /** Where a session's timers live: in the file, or in memory for a temporary chat. */
  timersOf: (sessionId: string) => WriteDatabase
  /** Absent = no similarity. */
  findSimilar?: FindSimilar
  /** Longest wait for an index that is being built and for the embedder together, in milliseconds. */
  waitMs?: number
}

/** Entries a record lists one by one; larger books leave out who was not asked for. */
const MOST_LISTED = 2000
/** Reasons of entries nothing in the text asked for: no candidates. */
const NOT_ASKED: ReadonlySet<NotFiredReason> = new Set(['disabled', 'no_keys', 'no_key_matched'])
const STILL_BUILDING =
  'The index of a large worldbook is still being built. The worldbook was left out of this turn; the next one has it.'
/** Rounds of counting exactly what came in by estimate. */
const COUNT_ROUNDS = 2

function placementOf(fired: Fired): Placement {
  switch (fired.position) {
    case 'before':
      return { at: 'worldbook_before' }
    case 'after':
      return { at: 'worldbook_after' }
    case 'an-top':
      return { at: 'worldbook_an_top' }
    case 'an-bottom':
      return { at: 'worldbook_an_bottom' }
    case 'examples-top':
      return { at: 'examples_top' }
    case 'examples-bottom':
      return { at: 'examples_bottom' }
    case 'outlet':
      return { at: 'outlet', name: fired.outletName ?? '' }
    case 'at-depth':
      return { at: 'depth', depth: fired.depth ?? 0, role: fired.role ?? 'system' }
  }
}

const idOf = (entry: { worldbookId: string; entryId: string }) => `${entry.worldbookId}/${entry.entryId}`
const labelOf = (entry: { comment: string; entryId: string }) => entry.comment || entry.entryId

/** Fires in every turn, whatever is said and drawn: its text may stand in the part of a request that is cached. */
function isCertain({ entry, probability, groups, decorations }: EntryPlan): boolean {
  const { onlyAfter, onlyEvery, dontAfterMatch, additionalKeys = [], excludeKeys = [] } = decorations ?? {}
  const conditions = onlyAfter ?? onlyEvery ?? dontAfterMatch ?? additionalKeys[0] ?? excludeKeys[0]
  const gated = entry.triggers.length > 0 || Number(entry.cooldown ?? 0) > 0 || Boolean(entry.delayUntilRecursion)
  return probability >= 100 && groups.length === 0 && conditions === undefined && !gated
}

function itemOf(fired: Fired, plan: EntryPlan | undefined): BlockItem {
  const { kind, text, words } = fired.why
  const score = fired.why.kind === 'similarity' ? { score: fired.why.score } : {}
  return {
    id: idOf(fired),
    label: labelOf(fired),
    text: fired.content,
    placement: placementOf(fired),
    cacheHint: kind === 'constant' && plan && isCertain(plan) ? 'stable' : 'dynamic',
    order: fired.order,
    why: { code: kind, detail: text, ...(words && { words }), ...score },
  }
}

/** In book order, which settles ties of `order`. */
function itemsOf(result: EvaluateResult, books: readonly CompiledBook[]): BlockItem[] {
  return books.flatMap((book) =>
    result.fired
      .filter(({ worldbookId, content }) => worldbookId === book.id && content !== '')
      .sort((a, b) => (book.indexOf.get(a.entryId) ?? 0) - (book.indexOf.get(b.entryId) ?? 0))
      .map((fired) => itemOf(fired, book.plans[book.indexOf.get(fired.entryId) ?? -1])),
  )
}

function rejectedOf(result: EvaluateResult): Verdict[] {
  return result.notFired
    .filter(({ reason }) => !NOT_ASKED.has(reason))
    .map((entry) => ({
      block: 'worldbook',
      sourceId: idOf(entry),
      label: labelOf(entry),
      reason: entry.reason,
      detail: entry.detail,
      ...(entry.words && { words: entry.words }),
    }))
}

/** The trace as it is kept with the turn. */
export function recordOf(result: EvaluateResult): Trace {
  if (result.notFired.length <= MOST_LISTED) return result
  const omitted: Partial<Record<NotFiredReason, number>> = {}
  const notFired = result.notFired.filter(({ reason }) => {
    if (!NOT_ASKED.has(reason)) return true
    omitted[reason] = (omitted[reason] ?? 0) + 1
    return false
  })
  return { ...result, notFired, omitted }
}

function requestOf(turn: TurnInput, books: CompiledBook[], deps: WorldbookSourceDeps): EvaluationRequest {
  const isIsolated = turn.isolated || (turn.session.isolation && turn.session.worldbookIds.length > 0)
  return {
    books,
    messages: turn.branch.map(({ role, text, isolated }) => ({
      role,
      text,
      ...(isIsolated || isolated ? { staysHere: true } : {}),
    })),
    settings: turn.settings.worldbook,
    timers: readBranchTimers(
      deps.timersOf(turn.sessionId),
      turn.sessionId,
      turn.branch.map((message) => message.id),
    ),
    seed: String(turn.seed),
    countTokens: (text) => turn.counter.count(text),
    window: turn.contextWindow,
    topicPrompt: turn.session.topicPrompt,
    forced: [],
    trigger: turn.trigger,
  }
}

/** A budget decided on estimates is decided again once the texts that matter are counted exactly. */
async function evaluateExactly(
  deps: EvaluateDeps,
  request: EvaluationRequest,
  turn: TurnInput,
): Promise<EvaluateResult> {
  let result = await evaluateBooks(deps, request)
  const { limit } = result.budget
  if (limit === null) return result
  const books = new Map(request.books.map((book) => [book.id, book]))
  const textOf = ({ worldbookId, entryId }: { worldbookId: string; entryId: string }) => {
    const book = books.get(worldbookId)
    return book?.plans[book.indexOf.get(entryId) ?? -1]?.content ?? ''
  }
  let counted = 0
  for (let round = 0; round < COUNT_ROUNDS; round += 1) {
    const over = result.notFired.filter(({ reason }) => reason === 'over_budget')
    // Estimates are off by less than half: with room left, exact counts change nothing.
    if (over.length === 0 && result.budget.used * 2 < limit) return result
    const wanted = [...result.fired, ...over].map(textOf)
    if (wanted.length <= counted || !(await turn.counter.prime(wanted))) return result
    counted = wanted.length
    result = await evaluateBooks(deps, request)
  }
  return result
}

/** The worldbook's part of a turn: every bound book, evaluated together. Timers are written when the turn is sent. */
export function createWorldbookSource(deps: WorldbookSourceDeps): BlockSource {
  return {
    block: 'worldbook',
    async collect(turn, signal): Promise<ContextBlock> {
      const until = performance.now() + (deps.waitMs ?? WAIT_MS)
      const left = () => Math.max(0, until - performance.now())
      const loaded = await beforeLong(loadBooks(deps, turn.session.worldbookIds), left())
      if (!loaded) return absentBlock('worldbook', 'timed_out', STILL_BUILDING)
      const { books, missing } = loaded
      if (books.length === 0) {
        const detail = missing.length > 0 ? 'The bound worldbooks have been removed.' : undefined
        return absentBlock('worldbook', 'none_bound', detail)
      }
      const request = requestOf(turn, books, deps)
      const { forced, warnings } = await askSimilar(deps.findSimilar, request, { signal, waitMs: left() })
      const result = await evaluateExactly(deps, { ...request, forced }, turn)
      const items = itemsOf(result, books)
      const empty = absentBlock(
        'worldbook',
        'no_entry_fired',
        said`${result.notFired.length} entries, none of them fired.`,
      )
      return {
        ...(items.length === 0 ? empty : { block: 'worldbook', ownText: false }),
        items,
        rejected: rejectedOf(result),
        record: recordOf({ ...result, warnings: [...result.warnings, ...warnings] }),
        commit: ({ replyMessageId }) =>
          writeTimers(deps.timersOf(turn.sessionId), {
            sessionId: turn.sessionId,
            messageId: replyMessageId,
            before: request.timers,
            after: result.timers,
          }),
      }
    },
  }
}
