/**
 * What must be there after any end of the app. A value that was acknowledged must be found; one whose call was cut off
 * may be found or not; one that was refused must not.
 */
export function createTruth() {
  const values = new Map()
  const messages = new Map()
  return {
    values,
    messages,
    /** What was typed in the windows, and whether a message of that was left unfinished. */
    typed: [],
    unfinished: false,
    /** The one value of a thing: `key` names it, `write` makes the call. */
    async change(key, value, write) {
      const entry = values.get(key) ?? { allowed: [undefined] }
      values.set(key, entry)
      const before = entry.allowed
      entry.allowed = [...before, value]
      const reply = await write()
      entry.allowed = reply.ok ? [value] : before
      return reply
    },
    /** A message with a token of its own: `acknowledged`, `open` (cut off) or `refused`. */
    async message(token, sessionId, write) {
      const entry = { sessionId, state: 'open' }
      messages.set(token, entry)
      const reply = await write()
      entry.state = reply.ok ? 'acknowledged' : 'refused'
      return reply
    },
  }
}
