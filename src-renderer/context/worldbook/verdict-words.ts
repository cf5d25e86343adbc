import type { TFunction } from 'i18next'
import type { EntryRef, FiredWhy, KeyPlace, NotFired } from '../../../src-main/context/worldbook/contract'
import { formatTokens } from '../../i18n/format'

type T = TFunction<'worldbook'>

export const refName = (ref: EntryRef): string => ref.comment.trim() || `#${ref.entryId}`

export interface PlaceOptions {
  /** The newest message is what is being typed, not yet one of the chat. */
  draft?: boolean
  /** There is one message only: it need not be named. */
  single?: boolean
}

/** `in message −2`, `in the draft`, `in the topic prompt`, `in Tides`. */
export function keyPlaceWords(t: T, place: KeyPlace, { draft = false }: PlaceOptions = {}): string {
  switch (place.in) {
    case 'message':
      return draft && place.message === -1 ? t('where.draft') : t('where.message', { number: -place.message })
    case 'topic_prompt':
      return t('where.topicPrompt')
    case 'entry':
      return t('where.entry', { name: refName(place.entry) })
  }
}

/** Why an entry fired, in one line. */
export function firedWords(t: T, why: FiredWhy, options: PlaceOptions = {}): string {
  switch (why.kind) {
    case 'constant':
      return t('fired.constant')
    case 'key':
      if (options.single && why.place.in === 'message') return t('fired.keyOnly', { key: why.matched || why.key })
      return t('fired.key', { key: why.matched || why.key, place: keyPlaceWords(t, why.place, options) })
    case 'recursion':
      return t('fired.recursion', { chain: why.chain.map(refName).join(' → '), key: why.matched || why.key })
    case 'sticky':
      return t('fired.sticky', { until: why.until })
    case 'forced':
      return t('fired.forced')
    case 'similarity':
      return t('fired.similarity', { score: why.score.toFixed(2) })
  }
}

const SECONDARY = /secondary keys \((and-any|and-all|not-any|not-all)\)/
const figure = (facts: NotFired['facts'], name: string): number => Number(facts?.[name] ?? 0)
const word = (facts: NotFired['facts'], name: string): string => String(facts?.[name] ?? '')

/** Why an entry did not fire, in one line with its figures. */
export function notFiredWords(t: T, { reason, detail, facts }: Pick<NotFired, 'reason' | 'detail' | 'facts'>): string {
  switch (reason) {
    case 'outside_scan_depth':
      return t('notFired.outside_scan_depth', {
        key: word(facts, 'key'),
        message: -figure(facts, 'message'),
        depth: figure(facts, 'depth'),
      })
    case 'secondary_failed':
      return secondaryWords(t, detail)
    case 'delay':
      return t('notFired.delay', { count: figure(facts, 'left'), until: figure(facts, 'until') })
    case 'cooldown':
      return facts ? t('notFired.cooldown', { count: figure(facts, 'left') }) : t('notFired.onceOnly')
    case 'delay_until_recursion':
      return t('notFired.delay_until_recursion', { level: figure(facts, 'level') })
    case 'lost_group':
      return t('notFired.lost_group', { group: word(facts, 'group'), to: word(facts, 'to') })
    case 'probability':
      return figure(facts, 'probability') <= 0
        ? t('notFired.neverRolls')
        : t('notFired.probability', {
            rolled: Math.round(figure(facts, 'rolled') * 10) / 10,
            probability: figure(facts, 'probability'),
          })
    case 'over_budget':
      return t('notFired.over_budget', {
        needs: formatTokens(figure(facts, 'needs')),
        left: formatTokens(figure(facts, 'left')),
      })
    case 'decorator':
    case 'malformed':
    case 'trigger':
      return `${t(`notFired.${reason}`)}${t('lint.colon')}${detail.replace(/^malformed: /, '')}`
    default:
      return t(`notFired.${reason}`)
  }
}

/** Names the condition that failed and its keys, which the engine quotes in its own sentence. */
function secondaryWords(t: T, detail: string): string {
  const logic = SECONDARY.exec(detail)?.[1] as 'and-any' | 'and-all' | 'not-any' | 'not-all' | undefined
  const [key, ...keys] = [...detail.matchAll(/“([^”]*)”/g)].map((match) => match[1] ?? '')
  if (!logic || key === undefined || keys.length === 0) return detail
  return t(`secondary.${logic}`, { key, keys: keys.map((each) => t('quoted', { text: each })).join(t('comma')) })
}
