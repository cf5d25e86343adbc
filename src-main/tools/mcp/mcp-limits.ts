/** Milliseconds. */
export interface McpLimits {
  start: number
  list: number
  call: number
  /** Progress and a person's answers prolong a call up to this. */
  longestCall: number
  /** A person has this long to answer a server's form, or to sign in. */
  person: number
  /** Pauses before the next start, by the number of failures in a row. */
  backOff: readonly number[]
  /** Up for this long, a server counts as sound again. */
  sound: number
  /** Between two readings of a list a server says has changed. */
  relist: number
}

export const MCP_LIMITS: McpLimits = {
  start: 20_000,
  list: 15_000,
  call: 120_000,
  longestCall: 30 * 60_000,
  person: 10 * 60_000,
  backOff: [0, 1000, 3000, 10_000, 30_000],
  sound: 30_000,
  relist: 300,
}
