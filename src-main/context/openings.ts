/** What is read once per opening of a session and then stays as it is, so that the head of its requests stays too. */
export interface Openings {
  /** What `read` gave the first time since the session was opened. A chat that does not exist yet is never open. */
  frozen<T>(sessionId: string, what: string, read: () => T): T
  /** A window shows this session. Coming back to it after another one opens it anew; so does a restart. */
  opened(sessionId: string): void
}

/** Sessions remembered at once; the one untouched longest goes first. */
const MOST_SESSIONS = 200

export function createOpenings(): Openings {
  const kept = new Map<string, Map<string, unknown>>()
  let shown: string | undefined
  return {
    frozen<T>(sessionId: string, what: string, read: () => T): T {
      if (sessionId === '') return read()
      const values = kept.get(sessionId) ?? new Map<string, unknown>()
      kept.delete(sessionId)
      kept.set(sessionId, values)
      for (const oldest of kept.keys()) {
        if (kept.size <= MOST_SESSIONS) break
        kept.delete(oldest)
      }
      if (!values.has(what)) values.set(what, read())
      return values.get(what) as T
    },
    opened(sessionId) {
      if (sessionId === shown) return
      shown = sessionId
      kept.delete(sessionId)
    },
  }
}
