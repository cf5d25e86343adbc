import type { TurnTime } from '../context/block-source'

/** Minutes east of UTC in a zone at an instant. */
function offsetMinutes(epochMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(epochMs)
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? 'GMT'
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(name)
  if (!match) return 0
  const minutes = Number(match[2]) * 60 + Number(match[3])
  return match[1] === '-' ? -minutes : minutes
}

/** ISO 8601 with offset, to the second, as the zone's clocks show it. */
export function isoInZone(epochMs: number, timeZone: string): string {
  const offset = offsetMinutes(epochMs, timeZone)
  const local = new Date(epochMs + offset * 60_000).toISOString().slice(0, 19)
  const sign = offset < 0 ? '-' : '+'
  const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0')
  const minutes = String(Math.abs(offset) % 60).padStart(2, '0')
  return `${local}${sign}${hours}:${minutes}`
}

export function turnTime(epochMs: number, timeZone: string): TurnTime {
  return { epochMs, timeZone, iso: isoInZone(epochMs, timeZone) }
}
