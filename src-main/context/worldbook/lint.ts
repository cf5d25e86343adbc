import { asMessage, type Said, type Sentence, said } from '../../ipc/said-contract'
import type { WorldbookSettings } from './book-contract'
import { type Breathe, newBreathing } from './breathing'
import type { LintCode, LintFinding } from './contract'
import { scanUnits } from './engine/automaton'
import { BLANK, type CompiledBook, type EntryPlan } from './engine/compile'
import { makePiece } from './engine/pieces'
import { budgetLimit } from './engine/request'
import type { PatternReply, PatternRequest } from './engine/run-patterns'
import { isBounded } from './engine/words'
import { strongComponents } from './strong-components'

export interface LintDeps {
  settings: WorldbookSettings
  window: number | undefined
  countTokens: (text: string) => number
  runPatterns: (request: PatternRequest) => Promise<PatternReply>
}

/** Words that stand in nearly every English message. */
const EVERYWHERE = new Set(['the', 'a', 'an', 'and', 'of', 'to', 'in', 'is', 'it', 'i', 'you', 'that', 'he', 'she'])
/** Texts on which patterns with nested repeats take exponential time. */
const HARD_TEXTS = [
  `${'a'.repeat(32)}!`,
  `${'ab '.repeat(16)}!`,
  `${'1'.repeat(32)}x`,
  `${' '.repeat(40)}!`,
  `${'x'.repeat(32)}\n`,
]
const MOST_DUPLICATES = 200

const titleOf = ({ entry }: EntryPlan) => `“${entry.comment || entry.keys[0] || entry.id}”`
const isOn = ({ entry }: EntryPlan) => entry.enabled

function finding(
  code: LintCode,
  severity: LintFinding['severity'],
  plans: readonly EntryPlan[],
  message: Said,
  key?: string,
): LintFinding {
  const entryIds = plans.map(({ entry }) => entry.id)
  return { code, severity, entryIds, ...asMessage(message), ...(key !== undefined && { key }) }
}

/** Undefined = it can fire. */
function deadReason(plan: EntryPlan): Sentence | undefined {
  const { entry, decorations } = plan
  if (plan.malformed !== undefined) return plan.malformed
  if (decorations?.dontActivate && !decorations.activate) return said`its @@dont_activate line switches it off`
  if (plan.probability <= 0) return said`its probability is 0`
  if (Number(entry.delayUntilRecursion) > 0 && entry.excludeRecursion && !entry.sticky) {
    return said`it waits for recursion and is excluded from it`
  }
  if (entry.constant || entry.vectorized || decorations?.activate) return undefined
  if (plan.keys.refs.every((ref) => ref === BLANK)) return said`it has no keys and is not constant`
  if (entry.selectiveLogic === 'and-all' && plan.secondary.refs.includes(BLANK)) {
    return said`all secondary keys must be found, and one of them is blank`
  }
  return plan.scanDepth !== null && plan.scanDepth <= 0 && entry.excludeRecursion
    ? said`it scans no messages and no entries`
    : undefined
}

function matchesEverything(key: string): Sentence | undefined {
  const text = key.trim()
  if (EVERYWHERE.has(text.toLowerCase())) return said`stands in nearly every text`
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(text) && !/^[\p{scx=Han}\p{Extended_Pictographic}]$/u.test(text)
    ? said`is a single character`
    : undefined
}

function lintEntry(plan: EntryPlan, book: CompiledBook, deps: LintDeps, limit: number): LintFinding[] {
  const found: LintFinding[] = []
  const title = titleOf(plan)
  const dead = deadReason(plan)
  const unnamed = plan.entry.position === 'outlet' && plan.entry.outletName.trim() === ''
  if (unnamed)
    found.push(finding('unnamed_outlet', 'error', [plan], said`${title} stands in an outlet without a name.`))
  else if (dead !== undefined)
    found.push({
      ...finding('never_fires', 'error', [plan], said`${title} can never fire: ${dead}.`),
      because: dead.text,
    })
  if (plan.malformed === undefined && plan.content.trim() === '')
    found.push(finding('empty_content', 'note', [plan], said`${title} has nothing to say.`))
  const tokens = plan.content === '' ? 0 : deps.countTokens(plan.content)
  const cap = Math.min(limit, book.settings.tokenBudget ?? Number.POSITIVE_INFINITY)
  if (!plan.entry.ignoreBudget && tokens >= cap) {
    found.push(
      finding('never_fits_budget', 'error', [plan], said`${title} needs ${tokens} tokens; the budget is ${cap}.`),
    )
  }
  if (plan.entry.constant) return found
  for (const [index, key] of plan.keys.raw.entries()) {
    const ref = plan.keys.refs[index] ?? BLANK
    const pattern = ref < BLANK ? book.patterns[-2 - ref] : undefined
    const reason = pattern
      ? new RegExp(pattern.source, pattern.flags).test('')
        ? said`matches even an empty text`
        : undefined
      : ref >= 0
        ? matchesEverything(String(key))
        : undefined
    if (reason)
      found.push(
        finding('matches_everything', 'warning', [plan], said`The key “${key}” of ${title} ${reason}.`, String(key)),
      )
  }
  return found
}

function duplicateKeys(book: CompiledBook): LintFinding[] {
  const users = new Map<number, { plans: Set<EntryPlan>; key: string }>()
  for (const plan of book.plans) {
    if (!isOn(plan)) continue
    for (const [index, ref] of plan.keys.refs.entries()) {
      if (ref === BLANK) continue
      const known = users.get(ref)
      if (known) known.plans.add(plan)
      else users.set(ref, { plans: new Set([plan]), key: String(plan.keys.raw[index]).trim() })
    }
  }
  return [...users.values()]
    .filter(({ plans }) => plans.size > 1)
    .slice(0, MOST_DUPLICATES)
    .map(({ plans, key }) =>
      finding('duplicate_key', 'note', [...plans], said`${plans.size} entries share the key “${key}”.`, key),
    )
}

/** Who calls whom by recursion, by literal keys: entry → entries with a key in its content. */
async function recursionEdges(
  book: CompiledBook,
  settings: WorldbookSettings,
  breathe: Breathe,
): Promise<Map<number, Set<number>>> {
  const wholeWords = (plan: EntryPlan) => plan.entry.wholeWords ?? book.settings.wholeWords ?? settings.wholeWords
  const edges = new Map<number, Set<number>>()
  for (const [from, plan] of book.plans.entries()) {
    if (!isOn(plan) || plan.entry.preventRecursion || plan.content === '') continue
    const pause = breathe()
    if (pause) await pause
    const piece = makePiece({ kind: 'entry', text: plan.content })
    const targets = new Set<number>()
    scanUnits(book.automaton, piece.units, (term, end) => {
      const start = end - (book.termLengths[term] ?? 0)
      const stop = book.postingStart[term + 1] ?? 0
      for (let at = book.postingStart[term] ?? 0; at < stop; at += 1) {
        const to = book.postings[at] ?? 0
        const target = book.plans[to]
        if (to === from || targets.has(to) || !target || !isOn(target) || target.entry.excludeRecursion) continue
        if (!target.keys.refs.includes(term) || target.entry.constant) continue
        if (!wholeWords(target) || isBounded(piece.text, start, end)) targets.add(to)
      }
    })
    if (targets.size > 0) edges.set(from, targets)
  }
  return edges
}

async function recursionLoops(
  book: CompiledBook,
  settings: WorldbookSettings,
  breathe: Breathe,
): Promise<LintFinding[]> {
  if (!(book.settings.recursive ?? settings.recursive)) return []
  return strongComponents(await recursionEdges(book, settings, breathe)).map((members) => {
    const plans = members.flatMap((number) => book.plans[number] ?? [])
    const names = plans.slice(0, 5).map(titleOf).join(', ')
    const more = plans.length > 5 ? said` and ${plans.length - 5} more` : ''
    return finding(
      'recursion_loop',
      'warning',
      plans,
      said`${names}${more} set each other off: one of them brings in all.`,
    )
  })
}

async function slowPatterns(book: CompiledBook, deps: LintDeps): Promise<LintFinding[]> {
  const found: LintFinding[] = []
  for (const pattern of book.patterns) {
    const users = pattern.entries.flatMap((index) => book.plans[index] ?? []).filter(isOn)
    if (users.length === 0) continue
    const test = {
      source: pattern.source,
      flags: pattern.flags,
      texts: HARD_TEXTS.map((_text, index) => index),
      joined: [],
    }
    const reply = await deps.runPatterns({ texts: HARD_TEXTS, tests: [test], keyMillis: 50, totalMillis: 100 })
    if (!reply.results[0]?.timedOut) continue
    const key = `/${pattern.source}/${pattern.flags}`
    found.push(
      finding(
        'slow_pattern',
        'error',
        users,
        said`The pattern ${key} can take very long; it is stopped after 50 ms.`,
        key,
      ),
    )
  }
  return found
}

function brokenPatterns(book: CompiledBook): LintFinding[] {
  return book.warnings
    .filter((warning) => warning.code === 'broken_pattern')
    .map(({ entryId, message, words }) => ({
      code: 'broken_pattern',
      severity: 'warning',
      entryIds: entryId ? [entryId] : [],
      message,
      ...(words && { words }),
    }))
}

/** Looks a compiled book over. Disabled entries are left alone. */
export async function lintBook(book: CompiledBook, deps: LintDeps): Promise<LintFinding[]> {
  const limit = budgetLimit(deps.settings, deps.window) ?? Number.POSITIVE_INFINITY
  const breathe = newBreathing()
  const byEntry: LintFinding[] = []
  for (const plan of book.plans.filter(isOn)) {
    byEntry.push(...lintEntry(plan, book, deps, limit))
    const pause = breathe()
    if (pause) await pause
  }
  return [
    ...byEntry,
    ...brokenPatterns(book),
    ...(await slowPatterns(book, deps)),
    ...(await recursionLoops(book, deps.settings, breathe)),
    ...duplicateKeys(book),
  ]
}
