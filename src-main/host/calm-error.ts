const MOST_MESSAGE = 300
const MOST_FRAMES = 20

/** What the log may hold of an error nobody expected: names and places, never a quoted piece of what somebody wrote. */
export interface CalmError {
  name: string
  code?: string
  message: string
  stack: string[]
}

/** Parsers and libraries quote what they stumbled over. */
const withoutQuotes = (text: string): string =>
  text.replaceAll(/"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”/gs, '“…”').slice(0, MOST_MESSAGE)

export function calmError(error: unknown): CalmError {
  if (!(error instanceof Error)) return { name: typeof error, message: '', stack: [] }
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    name: error.name,
    ...('code' in error && error.code !== undefined ? { code: String(error.code) } : {}),
    message: withoutQuotes(error.message),
    stack: frames.slice(0, MOST_FRAMES).map((line) => line.trim().slice(0, MOST_MESSAGE)),
  }
}
