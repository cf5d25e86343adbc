import type { PromptLanguage } from '../templates-contract'
import { framingFor } from './templates'

export interface LocalTime {
  /** `2026-11-30` */
  date: string
  /** `19:37` */
  clock: string
  /** In the prompt language. */
  weekday: string
  /** IANA name. */
  zone: string
  /** ISO 8601 with offset, whole seconds. */
  iso: string
}

const weekdays: Record<PromptLanguage, readonly string[]> = {
  en: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  'zh-CN': ['星期日', '星期一', '星期二', '星期三', '星期四', '星期五', '星期六'],
}

/** Making a formatter costs more than a hundred uses of it. */
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'longOffset',
    })
    formatters.set(zone, formatter)
  }
  return formatter
}

/** @throws RangeError for a zone this machine does not know. */
export function localTime(epochMs: number, zone: string, language: PromptLanguage): LocalTime {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const part of formatterOf(zone).formatToParts(epochMs)) parts[part.type] = part.value
  const date = `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}`
  const offset = parts.timeZoneName === 'GMT' ? '+00:00' : (parts.timeZoneName ?? '').replace('GMT', '')
  return {
    date,
    clock: `${parts.hour}:${parts.minute}`,
    weekday: weekdays[language][new Date(`${date}T00:00:00Z`).getUTCDay()] ?? '',
    zone,
    iso: `${date}T${parts.hour}:${parts.minute}:${parts.second}${offset}`,
  }
}

/** How a session tells the time. */
export interface LocalClock {
  zone: string
  language: PromptLanguage
  templates: Readonly<Record<string, string>>
}

/** The body of the time block and of every landmark; '' where the user's template says nothing. */
export function timeText(epochMs: number, clock: LocalClock): string {
  return framingFor('time', clock.language, clock.templates, { ...localTime(epochMs, clock.zone, clock.language) })
}
