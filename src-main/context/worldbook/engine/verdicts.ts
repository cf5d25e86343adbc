import { asText, phrase, type Said, type Sentence, said } from '../../../ipc/said-contract'
import type { FiredWhy, KeyPlace, NotFired } from '../trace-contract'
import { BLANK, type EntryPlan } from './compile'
import type { BookScan, Found } from './hits'
import { matchEntry } from './match'
import { originalSpan, type Piece } from './pieces'
import { SIMILARITY_MOST, SIMILARITY_THRESHOLD } from './request'
import { chainTo, depthOf, keyOf, locate, type Refusal, type Run, readsTexts, refOf, refusal, viewOf } from './run'
import type { Steps } from './steps'

const NO_KEYS: Refusal = { reason: 'no_keys', detail: 'it has no keys and is not constant' }
const NO_KEY_MATCHED: Refusal = { reason: 'no_key_matched', detail: 'no key matched' }
const DISABLED: Refusal = { reason: 'disabled', detail: 'disabled' }

const ENTRIES_PER_PAUSE = 256

/** Links of a recursion that the one-line reason names. */
const SHOWN_LINKS = 5

const messageNumber = (piece: Piece) => -(piece.distance + 1)

function decoratorGate(run: Run, plan: EntryPlan): Refusal | undefined {
  const { decorations } = plan
  if (!decorations) return undefined
  const refuse = (detail: Said): Refusal => refusal('decorator', detail)
  if (decorations.dontActivate && !decorations.activate) return refuse('switched off by its @@dont_activate line')
  if (decorations.onlyAfter !== undefined && run.assistants < decorations.onlyAfter) {
    return refuse(said`only after ${decorations.onlyAfter} answers; there are ${run.assistants}`)
  }
  if (decorations.onlyEvery !== undefined && run.assistants % decorations.onlyEvery !== 0) {
    return refuse(said`only every ${decorations.onlyEvery} answers; there are ${run.assistants}`)
  }
  return undefined
}

function timeGate(run: Run, scan: BookScan, plan: EntryPlan): Refusal | undefined {
  const delay = Number(plan.entry.delay ?? 0)
  if (run.count < delay) {
    const left = delay - run.count
    return refusal('delay', said`delay: ${left} messages left until message ${delay}`, { left, until: delay })
  }
  const cooldown = run.effects.cooldown.get(keyOf(scan, plan))
  if (!cooldown || run.effects.sticky.has(keyOf(scan, plan))) return undefined
  if (cooldown.end === null) return { reason: 'cooldown', detail: 'cooldown: it fires once only' }
  const left = cooldown.end - run.count
  const until = cooldown.end
  return refusal('cooldown', said`cooldown: ${left} messages left until message ${until}`, { left, until })
}

/** What keeps an entry out whatever the text says. */
export function gateOf(run: Run, scan: BookScan, plan: EntryPlan): Refusal | undefined {
  if (plan.malformed !== undefined) return refusal('malformed', said`malformed: ${plan.malformed}`)
  if (!plan.entry.enabled) return DISABLED
  const { triggers } = plan.entry
  if (triggers.length > 0 && !triggers.includes(run.request.trigger)) {
    return refusal('trigger', said`only for ${triggers.join(', ')}; this is ${run.request.trigger}`)
  }
  return decoratorGate(run, plan) ?? timeGate(run, scan, plan)
}

function placeOf(run: Run, { piece, start, end }: Found): KeyPlace {
  const span = originalSpan(piece, start, end)
  if (piece.kind === 'message') return { in: 'message', message: messageNumber(piece), span }
  if (piece.kind === 'topic_prompt') return { in: 'topic_prompt', span }
  const { scan, plan } = locate(run, piece.entry)
  return { in: 'entry', entry: refOf(scan, plan), span }
}

export function whyMatched(run: Run, key: string, found: Found, secondary: string[]): FiredWhy {
  const place = placeOf(run, found)
  const matched = found.piece.text.slice(found.start, found.end)
  const common = { key, matched, place, secondary }
  if (place.in === 'entry') {
    const chain = chainTo(run, found.piece.entry)
    const names = chain.map((entry) => entry.comment || entry.entryId)
    const path = (names.length > SHOWN_LINKS ? names.toSpliced(1, names.length - SHOWN_LINKS, '…') : names).join(' → ')
    return { kind: 'recursion', ...asText(said`recursion from ${path}: key “${key}”`), chain, ...common }
  }
  const where = place.in === 'message' ? said`message −${-place.message}` : said`the topic prompt`
  return { kind: 'key', ...asText(said`key “${key}” in ${where}`), ...common }
}

/** Why an entry that nothing kept out has not fired. */
function explain(run: Run, scan: BookScan, plan: EntryPlan, number: number): Refusal {
  const waiting = (): Refusal => {
    const level = Number(plan.entry.delayUntilRecursion)
    return refusal('delay_until_recursion', said`waits for recursion level ${level}, which was not reached`, { level })
  }
  const excluded = (why: Sentence): Refusal => refusal('excluded_from_recursion', said`excluded from recursion: ${why}`)
  const dead = plan.entry.excludeRecursion && run.level >= Number(plan.entry.delayUntilRecursion)
  if (plan.entry.constant)
    return run.waiting.has(number) && !dead ? waiting() : excluded(said`it is delayed until recursion too`)
  const view = viewOf(run, scan, plan, 'recursion')
  const match = matchEntry(scan, plan, view)
  if (match.matched) {
    if (match.found.piece.kind === 'entry' && plan.entry.excludeRecursion)
      return excluded(said`key “${match.key}” stands in an entry only`)
    if (run.waiting.has(number)) return dead ? excluded(said`it is delayed until recursion too`) : waiting()
    return NO_KEY_MATCHED
  }
  if (match.because === 'secondary') return refusal('secondary_failed', match.detail)
  if (match.because === 'out_of_time') return refusal('out_of_time', said`out of time: ${match.detail}`)
  if (match.because === 'no_keys') return NO_KEYS
  const anywhere = matchEntry(scan, plan, {
    ...view,
    sees: (piece) => piece.kind !== 'topic_prompt' || view.sees(piece),
  })
  if (!anywhere.matched) return NO_KEY_MATCHED
  const { piece } = anywhere.found
  if (piece.kind === 'entry')
    return readsTexts(run, scan) ? NO_KEY_MATCHED : excluded(said`its book does not take part`)
  const depth = depthOf(run, scan, plan)
  const message = messageNumber(piece)
  const { key } = anywhere
  return refusal(
    'outside_scan_depth',
    said`outside scan depth: key “${key}” occurs in message −${-message}, the depth is ${depth}`,
    { key, message, depth },
  )
}

function refusalOf(run: Run, scan: BookScan, plan: EntryPlan, number: number): Refusal {
  const known = (run.settled[number] === 1 ? run.refused.get(number) : undefined) ?? gateOf(run, scan, plan)
  if (known) return known
  if (run.touched[number] !== 0 || run.waiting.has(number)) return explain(run, scan, plan, number)
  return plan.keys.refs.every((ref) => ref === BLANK) && !plan.entry.constant ? NO_KEYS : NO_KEY_MATCHED
}

/** Of an entry that could have come in by its meaning: how near it was. */
function withScore(run: Run, number: number, known: Refusal): Refusal {
  const score = run.scores.get(number)
  if (score === undefined || (known !== NO_KEYS && known !== NO_KEY_MATCHED)) return known
  const shown = score.toFixed(2)
  const why =
    score < SIMILARITY_THRESHOLD
      ? said`similarity ${shown} is under ${SIMILARITY_THRESHOLD}`
      : said`similarity ${shown}, but ${SIMILARITY_MOST} entries are nearer`
  return refusal(known.reason, said`${phrase(known.detail)}; ${why}`, { score })
}

/** One verdict for every entry that has not fired, in book order. */
export function* notFired(run: Run): Steps<NotFired[]> {
  const out: NotFired[] = []
  for (const scan of run.scans) {
    for (const [index, plan] of scan.book.plans.entries()) {
      const number = scan.offset + index
      if (number % ENTRIES_PER_PAUSE === 0) yield 'pause'
      if (run.settled[number] === 1 && run.fired.has(number)) continue
      const { reason, detail, words, facts } = withScore(run, number, refusalOf(run, scan, plan, number))
      const entry: NotFired = {
        worldbookId: scan.book.id,
        entryId: plan.entry.id,
        comment: plan.entry.comment,
        reason,
        detail,
      }
      if (words) entry.words = words
      if (facts) entry.facts = facts
      out.push(entry)
    }
  }
  return out
}
