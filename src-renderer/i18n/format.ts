import { i18n } from './i18n'

const DAY_MS = 86_400_000

const dateFormats = new Map<string, Intl.DateTimeFormat>()
/** Making one costs more than using it a hundred times: lists format thousands of moments. */
function dateFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = language + JSON.stringify(options)
  const known = dateFormats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(language, options)
  dateFormats.set(key, made)
  return made
}

const numberFormats = new Map<string, Intl.NumberFormat>()
function numberFormat(language: string): Intl.NumberFormat {
  const known = numberFormats.get(language) ?? new Intl.NumberFormat(language)
  numberFormats.set(language, known)
  return known
}

/** `812`, `6.24k`, `56.0k`, `112k`, `1.31M`: three significant digits. */
export function formatTokens(count: number): string {
  if (count < 1000) return String(Math.round(count))
  if (count < 999_500) return `${three(count / 1000)}k`
  return `${three(count / 1_000_000)}M`
}

function three(value: number): string {
  if (value >= 99.95) return value.toFixed(0)
  return value >= 9.995 ? value.toFixed(1) : value.toFixed(2)
}

/** `1,204`, in the language on screen. */
export function formatNumber(value: number): string {
  return numberFormat(i18n.language).format(value)
}

/** `14 KB`, in decimal units. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} KB`
  return `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`
}

const startOfDay = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()

/** Calendar days between two moments in local time; 0 = the same day. */
export function daysBetween(iso: string, now: Date): number {
  return Math.round((startOfDay(now) - startOfDay(new Date(iso))) / DAY_MS)
}

/** `12:03`. */
export function formatTime(iso: string): string {
  return dateFormat(i18n.language, { hour: '2-digit', minute: '2-digit', hour12: false }).format(new Date(iso))
}

/** For lists: `12:03` today, `Thu` within the week, then `24 Nov`, then `24 Nov 2025`. */
export function formatWhen(iso: string, now = new Date()): string {
  const days = daysBetween(iso, now)
  const date = new Date(iso)
  if (days <= 0 && days > -1) return formatTime(iso)
  if (days === 1) return formatTime(iso)
  if (days > 1 && days < 7) return dateFormat(i18n.language, { weekday: 'short' }).format(date)
  const sameYear = date.getFullYear() === now.getFullYear()
  return dateFormat(i18n.language === 'en' ? 'en-GB' : i18n.language, {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
  }).format(date)
}

/** For messages: `12:03` today, else with its day: `24 Nov, 12:03`. */
export function formatStamp(iso: string, now = new Date()): string {
  if (daysBetween(iso, now) === 0) return formatTime(iso)
  const sameYear = new Date(iso).getFullYear() === now.getFullYear()
  return dateFormat(i18n.language === 'en' ? 'en-GB' : i18n.language, {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
  }).format(new Date(iso))
}

/** `3 d`, `2 h`, `5 min`, `now`: how long ago, for versions. */
export function formatAge(iso: string, now = new Date()): string {
  const minutes = Math.max(0, Math.round((now.getTime() - new Date(iso).getTime()) / 60_000))
  if (minutes < 1) return i18n.t('time.now')
  if (minutes < 60) return i18n.t('time.minutes', { count: minutes })
  if (minutes < 1440) return i18n.t('time.hours', { count: Math.round(minutes / 60) })
  return i18n.t('time.days', { count: Math.round(minutes / 1440) })
}

/** `24 Nov 2026, 12:03`, for tooltips. */
export function formatDateTime(iso: string): string {
  return dateFormat(i18n.language === 'en' ? 'en-GB' : i18n.language, {
    dateStyle: 'medium',
    timeStyle: 'short',
  }).format(new Date(iso))
}

const HAN = /\p{Script=Han}/u
const LATIN_WORD = /\p{Script=Latin}{2,}/gu

/** `zh-CN` or `en` where a run's script differs from the page's, so that line height and fonts follow; else nothing. */
export function langOf(text: string): Language | undefined {
  const start = text.slice(0, 400)
  const han = start.match(/\p{Script=Han}/gu)?.length ?? 0
  const script = HAN.test(start) && han * 2 >= (start.match(LATIN_WORD)?.length ?? 0) ? 'zh-CN' : 'en'
  return script === i18n.language ? undefined : script
}
type Language = 'en' | 'zh-CN'
