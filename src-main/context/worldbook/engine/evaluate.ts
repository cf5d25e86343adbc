import { asMessage, asText, said } from '../../../ipc/said-contract'
import type { EvaluateResult, Fired, FiredWhy } from '../trace-contract'
import { type Candidate, type GroupRules, settleGroups } from './groups'
import { groupScore, matchEntry } from './match'
import { askPatterns, SCAN_MILLIS } from './patterns'
import { makePiece } from './pieces'
import { placeAll } from './place'
import type { EvaluationRequest } from './request'
import {
  isRecursive,
  keyOf,
  locate,
  newRun,
  type Refusal,
  type Run,
  readsTexts,
  refOf,
  refusal,
  refuse,
  scanMessages,
  scanTexts,
  viewOf,
} from './run'
import type { PatternReply, PatternRequest } from './run-patterns'
import { RESUME, type Steps } from './steps'
import { nextTimers } from './timers'
import { gateOf, notFired, whyMatched } from './verdicts'

/** Small enough to end within a few milliseconds, large enough not to look at the clock all the time. */
const ENTRIES_PER_PAUSE = 64

export type Evaluation = Omit<EvaluateResult, 'elapsedMs'>

/** Why an entry wants in without its keys being asked. */
function whyWithoutKeys(run: Run, number: number, candidate: Omit<Candidate, 'why'>): FiredWhy | undefined {
  const { scan, plan } = candidate
  if (plan.decorations?.activate) return { kind: 'forced', text: 'forced by its @@activate line' }
  const forced = run.forced.get(number)
  if (forced?.score !== undefined) {
    return { kind: 'similarity', score: forced.score, ...asText(said`similarity ${forced.score.toFixed(2)}`) }
  }
  if (forced) return { kind: 'forced', text: 'forced from outside' }
  if (plan.entry.constant) return { kind: 'constant', text: 'constant' }
  const sticky = run.effects.sticky.get(keyOf(scan, plan))
  if (!sticky) return undefined
  const until = sticky.end ?? Number.MAX_SAFE_INTEGER
  return {
    kind: 'sticky',
    until,
    ...asText(sticky.end === null ? 'sticky for good' : said`sticky until message ${sticky.end}`),
  }
}

function candidateOf(run: Run, number: number): Candidate | undefined {
  if (run.settled[number] === 1) return undefined
  const { scan, plan } = locate(run, number)
  if (gateOf(run, scan, plan)) return undefined
  const sticky = run.effects.sticky.has(keyOf(scan, plan))
  if (!sticky) {
    const level = Number(plan.entry.delayUntilRecursion)
    if (level > 0) {
      run.waiting.add(number)
      if (run.kind !== 'recursion' || level > run.level) return undefined
    }
    if (run.kind === 'recursion' && isRecursive(run, scan) && plan.entry.excludeRecursion) return undefined
  }
  const base = { number, scan, plan, sticky }
  const why = whyWithoutKeys(run, number, base)
  if (why) return { ...base, why }
  const match = matchEntry(scan, plan, viewOf(run, scan, plan))
  if (match.matched) return { ...base, why: whyMatched(run, match.key, match.found, match.secondary) }
  if (run.kind === 'min-activations') run.again.add(number)
  return undefined
}

/** Sticky first, then high order first, ties in book order; `@@ignore_on_max_context` entries are the first to go. */
function byRank(a: Candidate, b: Candidate): number {
  const lastA = a.plan.decorations?.ignoreOnMaxContext ? 1 : 0
  const lastB = b.plan.decorations?.ignoreOnMaxContext ? 1 : 0
  return lastA - lastB || Number(b.sticky) - Number(a.sticky) || b.plan.order - a.plan.order || a.number - b.number
}

function groupRules(run: Run): GroupRules {
  return {
    taken: run.groupsTaken,
    draw: run.draw,
    scores: ({ plan }) => plan.entry.groupScoring ?? run.request.settings.groupScoring,
    score: ({ scan, plan }) => groupScore(scan, plan, viewOf(run, scan, plan)),
  }
}

/** Undefined = passed. A sticky entry is not rolled again. */
function probabilityRefusal(run: Run, { scan, plan, sticky }: Candidate): Refusal | undefined {
  const { probability } = plan
  if (sticky || probability >= 100) return undefined
  const rolled = run.draw(`probability ${scan.book.id} ${plan.entry.id}`) * 100
  if (rolled < probability) return undefined
  const detail =
    probability <= 0 ? said`probability 0 never fires` : said`rolled ${Math.round(rolled * 10) / 10} > ${probability}`
  return refusal('probability', said`probability: ${detail}`, { rolled, probability })
}

/** The entry that would reach the limit closes the list; of its own book's cap, the book's list. */
function budgetRefusal(run: Run, candidate: Candidate, tokens: number): Refusal | undefined {
  const { scan, plan } = candidate
  if (plan.entry.ignoreBudget) return undefined
  const cap = scan.book.settings.tokenBudget ?? Number.POSITIVE_INFINITY
  const usedByBook = run.usedByBook.get(scan) ?? 0
  const limit = run.limit ?? Number.POSITIVE_INFINITY
  if (run.used + tokens >= limit) run.closed = true
  else if (usedByBook + tokens >= cap) run.closedBooks.add(scan)
  if (!run.closed && !run.closedBooks.has(scan)) return undefined
  const left = Math.max(0, Math.min(limit - run.used, cap - usedByBook))
  const whose = run.closed ? '' : said` of its book`
  if (plan.entry.constant) {
    const message = said`“${plan.entry.comment || plan.entry.id}” is always on but did not fit the budget${whose} (needs ${tokens}, ${left} left).`
    run.warnings.push({ ...refOf(scan, plan), code: 'constant_over_budget', ...asMessage(message) })
  }
  return refusal('over_budget', said`over budget${whose}: needs ${tokens}, ${left} left`, { needs: tokens, left })
}

function fire(run: Run, candidate: Candidate, tokens: number): void {
  const { number, scan, plan, why } = candidate
  const position = plan.position
  const fired: Fired = {
    ...refOf(scan, plan),
    content: plan.content,
    why,
    sweep: run.sweep,
    position,
    ...(position === 'at-depth' ? { depth: plan.depth, role: plan.role } : {}),
    ...(position === 'outlet' ? { outletName: plan.entry.outletName.trim() } : {}),
    order: plan.order,
    tokens,
  }
  run.used += tokens
  run.usedByBook.set(scan, (run.usedByBook.get(scan) ?? 0) + tokens)
  run.settled[number] = 1
  run.fired.set(number, { number, fired, plan, scan })
  for (const group of plan.groups) run.groupsTaken.set(group, plan.entry.comment || plan.entry.id)
}

/** Groups, then probability, then budget. Gives the candidates that came in. */
function* admit(run: Run, candidates: Candidate[]): Steps<Candidate[]> {
  const lost = settleGroups(candidates, groupRules(run))
  const admitted: Candidate[] = []
  for (const [at, candidate] of candidates.entries()) {
    if (at % ENTRIES_PER_PAUSE === 0) yield 'pause'
    const loss = lost.get(candidate)
    if (loss) {
      const detail = said`lost group ${loss.group} to ${loss.to}`
      refuse(run, candidate.number, refusal('lost_group', detail, { ...loss }))
      continue
    }
    const { plan, scan } = candidate
    const tokens = plan.content === '' ? 0 : run.request.countTokens(plan.content)
    const shut = !plan.entry.ignoreBudget && (run.closed || run.closedBooks.has(scan))
    const refused = (shut ? undefined : probabilityRefusal(run, candidate)) ?? budgetRefusal(run, candidate, tokens)
    if (refused) refuse(run, candidate.number, refused)
    else {
      fire(run, candidate, tokens)
      admitted.push(candidate)
    }
  }
  return admitted
}

function wantsMore(run: Run): boolean {
  const { minActivations, minActivationsDepthMax, scanDepth } = run.request.settings
  if (run.closed || minActivations <= 0 || run.fired.size >= minActivations) return false
  const depth = Math.max(0, scanDepth) + run.skew
  return !((minActivationsDepthMax > 0 && depth > minActivationsDepthMax) || depth > run.count)
}

/** Decides what kind of sweep follows, if any, and opens what it needs. */
function nextKind(run: Run, admitted: Candidate[]): Run['kind'] | undefined {
  const feeds = admitted.some(({ scan, plan }) => !plan.entry.preventRecursion && isRecursive(run, scan))
  const unreadText = run.kind === 'min-activations' && run.recursionOn && run.texts.length > 0
  if (!run.closed && (feeds || unreadText)) return 'recursion'
  if (wantsMore(run)) {
    run.skew += 1
    return 'min-activations'
  }
  const level = run.levels.shift()
  if (level === undefined) return undefined
  run.level = level
  return 'recursion'
}

/** Who has to be asked in the sweep that begins. */
function* prepare(run: Run): Steps<void> {
  if (run.kind === 'min-activations') {
    const depth = Math.max(0, run.request.settings.scanDepth) + run.skew
    yield* scanMessages(run, depth)
    for (const scan of run.scans) {
      const own = (scan.book.settings.scanDepth ?? run.request.settings.scanDepth) + run.skew
      for (const number of run.touchedBy[Math.max(0, own) - 1] ?? []) run.dirty.add(number)
    }
  }
  if (run.kind !== 'recursion') return
  yield* scanTexts(run)
  for (const number of run.waiting) run.dirty.add(number)
  for (const number of run.again) run.dirty.add(number)
  run.again.clear()
}

function* sweep(run: Run): Steps<Candidate[]> {
  run.sweep += 1
  yield* prepare(run)
  yield* askPatterns(run)
  const candidates: Candidate[] = []
  let asked = 0
  for (const number of run.dirty) {
    const candidate = candidateOf(run, number)
    if (candidate) candidates.push(candidate)
    asked += 1
    if (asked % ENTRIES_PER_PAUSE === 0) yield 'pause'
  }
  run.dirty.clear()
  return yield* admit(run, candidates.sort(byRank))
}

/**
 * Evaluates all bound books together. Pure but for the clock that stops patterns: yields what the patterns are to be
 * tried on and resumes with what they found. In between it offers pauses.
 */
function* evaluationSteps(request: EvaluationRequest): Steps<Evaluation> {
  const run = yield* newRun(request, SCAN_MILLIS)
  const { maxRecursionSteps } = request.settings
  for (;;) {
    const admitted = yield* sweep(run)
    const next = nextKind(run, admitted)
    if (next === undefined) break
    for (const { number, scan, plan } of admitted) {
      if (plan.entry.preventRecursion || !readsTexts(run, scan) || plan.content === '') continue
      run.texts.push(makePiece({ kind: 'entry', entry: number, text: plan.content }))
    }
    if (maxRecursionSteps > 0 && run.sweep >= maxRecursionSteps) break
    run.kind = next
  }
  const placed = [...run.fired.values()]
  return {
    fired: placed.map(({ fired }) => fired),
    notFired: yield* notFired(run),
    placements: placeAll(placed, request.messages),
    timers: nextTimers(
      run.effects,
      placed.map(({ scan, plan }) => ({ worldbookId: scan.book.id, plan })),
      run.count,
    ),
    warnings: run.warnings,
    seed: request.seed,
    sweeps: run.sweep,
    budget: { limit: run.limit, used: run.used },
  }
}

/** The whole evaluation at once, patterns run by `runPatterns` on this thread. */
export function evaluate(
  request: EvaluationRequest,
  runPatterns: (patterns: PatternRequest) => PatternReply,
): Evaluation {
  const steps = evaluationSteps(request)
  let step = steps.next()
  while (!step.done) step = steps.next(step.value === 'pause' ? RESUME : runPatterns(step.value))
  return step.value
}

/** As `evaluate`, with the patterns run elsewhere and pauses taken when `breathe` asks for one. */
export async function evaluateElsewhere(
  request: EvaluationRequest,
  runPatterns: (patterns: PatternRequest) => Promise<PatternReply>,
  breathe: () => Promise<void> | undefined,
): Promise<Evaluation> {
  const steps = evaluationSteps(request)
  let step = steps.next()
  while (!step.done) {
    if (step.value === 'pause') {
      const pause = breathe()
      if (pause) await pause
      step = steps.next(RESUME)
    } else step = steps.next(await runPatterns(step.value))
  }
  return step.value
}
