export interface FixedClock {
  /** Milliseconds since 1970, as the app's rooms take their clock. */
  now: () => number
  advance(milliseconds: number): void
  set(iso: string): void
}

/** A clock that stands still until a test moves it. */
export function fixedClock(startIso = '2026-11-30T12:00:00.000Z'): FixedClock {
  let time = Date.parse(startIso)
  return {
    now: () => time,
    advance(milliseconds) {
      time += milliseconds
    },
    set(iso) {
      time = Date.parse(iso)
    },
  }
}
