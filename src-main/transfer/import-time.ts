const FIRST = Date.parse('0001-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

/** The stored form of a time from a file: ISO text, or seconds or milliseconds since 1970. Undefined when it is none. */
export function importedTime(value: unknown): string | undefined {
  const epochMs = toEpochMs(value)
  return epochMs !== undefined && epochMs >= FIRST && epochMs <= LAST ? new Date(epochMs).toISOString() : undefined
}

function toEpochMs(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) {
    // beyond the year 5138 in seconds: milliseconds
    return Math.abs(value) < 1e11 ? Math.round(value * 1000) : Math.round(value)
  }
  if (typeof value !== 'string') return undefined
  const parsed = Date.parse(value)
  if (!Number.isNaN(parsed)) return parsed
  return tavernTime(value)
}

/** `2024-2-3 @12h 30m 15s 123ms` and `February 3, 2024 5:30pm`, as SillyTavern writes them, in local time. */
function tavernTime(text: string): number | undefined {
  const file = /^(\d{4})-(\d{1,2})-(\d{1,2})\s*@\s*(\d{1,2})h\s*(\d{1,2})m\s*(\d{1,2})s(?:\s*(\d{1,3})ms)?/.exec(text)
  if (file) {
    const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0, ms = 0] = file
      .slice(1)
      .map((part) => Number(part ?? 0))
    return new Date(year, month - 1, day, hour, minute, second, ms).getTime()
  }
  const parsed = Date.parse(text.replace(/(\d)(am|pm)$/i, '$1 $2'))
  return Number.isNaN(parsed) ? undefined : parsed
}
