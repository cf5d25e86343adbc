import type { TFunction } from 'i18next'
import type { EntryRef, FiredWhy, KeyPlace, NotFired } from '../../../src-main/context/worldbook/trace-contract'
import { formatTokens } from '../../i18n/format'
import { inWords } from '../../i18n/said'

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

const figure = (facts: NotFired['facts'], name: string): number => Number(facts?.[name] ?? 0)
const word = (facts: NotFired['facts'], name: string): string => String(facts?.[name] ?? '')

type Refused = Pick<NotFired, 'reason' | 'detail' | 'words' | 'facts'>

/** Why an entry did not fire, in one line with its figures. */
export function notFiredWords(t: T, { reason, detail, words, facts }: Refused): string {
  switch (reason) {
    case 'outside_scan_depth':
      return t('notFired.outside_scan_depth', {
        key: word(facts, 'key'),
        message: -figure(facts, 'message'),
        depth: figure(facts, 'depth'),
      })
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
    case 'secondary_failed':
    case 'malformed':
      return inWords(detail, words)
    case 'decorator':
    case 'trigger':
      return `${t(`notFired.${reason}`)}${t('lint.colon')}${inWords(detail, words)}`
    default:
      return t(`notFired.${reason}`)
  }
}
