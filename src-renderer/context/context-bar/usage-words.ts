import type { ContextUsage } from '../../../src-main/context/contract'
import { formatNumber, formatTime, formatTokens } from '../../i18n/format'
import { i18n } from '../../i18n/i18n'

/** `8.0k`, `812`: what is too much, to one place. */
export function formatOver(tokens: number): string {
  if (tokens < 1000) return String(tokens)
  return tokens < 1_000_000 ? `${(tokens / 1000).toFixed(1)}k` : `${(tokens / 1_000_000).toFixed(1)}M`
}

/** `5.6`, `34`, `<0.1`: a share of 0–1 as percent, without its sign. */
export function formatShare(share: number): string {
  const percent = share * 100
  if (percent >= 10) return percent.toFixed(0)
  return percent >= 0.1 || percent === 0 ? percent.toFixed(percent === 0 ? 0 : 1) : '<0.1'
}

/** The headline's percent: whole, but never a false nothing. */
export function formatPercent(percent: number | undefined): string {
  const value = percent ?? 0
  return value > 0 && value < 1 ? '<1' : String(Math.round(value))
}

/** Tokens as far as they are known: three digits, or all of them when the server counted. */
export function formatCount(tokens: number, quality: ContextUsage['quality']): string {
  return quality === 'reported' ? formatNumber(tokens) : formatTokens(tokens)
}

/** `56 thousand`, in Chinese `5.6万`, for speech. */
export function spokenTokens(tokens: number): string {
  const chinese = i18n.language === 'zh-CN'
  return new Intl.NumberFormat(i18n.language, {
    notation: 'compact',
    compactDisplay: 'long',
    ...(chinese ? { maximumSignificantDigits: 3 } : {}),
  }).format(tokens)
}

/** The whole value in one sentence, for the name of the bar's button. */
export function spokenUsage(usage: ContextUsage | null): string {
  if (!usage) return i18n.t('context:usage.nameWaiting')
  const used = spokenTokens(usage.used)
  if (usage.budget === undefined) return i18n.t('context:usage.nameUnknown', { used })
  const budget = spokenTokens(usage.budget)
  if (usage.over > 0) return i18n.t('context:usage.nameOver', { over: spokenTokens(usage.over), used, budget })
  if (usage.used > 0 && (usage.percent ?? 0) < 1) return i18n.t('context:usage.nameLow', { used, budget })
  return i18n.t('context:usage.name', { percent: Math.round(usage.percent ?? 0), used, budget })
}

/** How far the numbers can be trusted. */
export function qualityWords(usage: ContextUsage, reportedAt?: string): string {
  if (usage.quality === 'reported' && reportedAt) {
    return i18n.t('context:quality.reportedAt', { time: formatTime(reportedAt) })
  }
  return i18n.t(`context:quality.${usage.quality}`)
}

/** What a contributor is called: tags and framing have no name of their own. */
export function contributorName(sourceId: string, label: string): string {
  if (sourceId.startsWith('frame:')) return i18n.t('context:table.frame')
  if (sourceId === 'time') return i18n.t('context:table.clock')
  const when = sourceId.startsWith('landmark:') && /\d{4}-\d\d-\d\d \d\d:\d\d/.exec(label)?.[0]
  return when ? i18n.t('context:table.landmark', { when }) : label
}
