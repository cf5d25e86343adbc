import { Script } from 'node:vm'

export interface PatternTest {
  source: string
  flags: string
  /** Indexes into `texts`; each is tried alone. */
  texts: number[]
  /** Indexes of texts also tried as one, each led by U+0001, with line feeds between. */
  joined: number[]
}

export interface PatternRequest {
  texts: string[]
  tests: PatternTest[]
  keyMillis: number
  totalMillis: number
}

/** `hits`: the first match of each text that has one; the span is within that text. */
export interface PatternResult {
  hits: { text: number; start: number; end: number }[]
  timedOut: boolean
}

export interface PatternReply {
  results: PatternResult[]
  usedMillis: number
}

/** Compiled patterns by flags and source; dropped all at once when there are very many. */
const compiled = new Map<string, RegExp>()
const MOST_COMPILED = 20_000

function patternOf({ source, flags }: PatternTest): RegExp {
  const name = `${flags}/${source}`
  let pattern = compiled.get(name)
  if (!pattern) {
    if (compiled.size >= MOST_COMPILED) compiled.clear()
    pattern = new RegExp(source, flags)
    compiled.set(name, pattern)
  }
  return pattern
}

function testOne(request: PatternRequest, test: PatternTest): PatternResult {
  const pattern = patternOf(test)
  const hits: PatternResult['hits'] = []
  for (const index of test.texts) {
    pattern.lastIndex = 0
    const match = pattern.exec(request.texts[index] as string)
    if (match) hits.push({ text: index, start: match.index, end: match.index + match[0].length })
  }
  if (hits.length > 0 || test.joined.length === 0) return { hits, timedOut: false }
  pattern.lastIndex = 0
  const match = pattern.exec(test.joined.map((index) => `\u0001${request.texts[index] as string}`).join('\n'))
  if (!match) return { hits, timedOut: false }
  // Booked on the oldest text the match touches: an entry that sees less far back does not see the match.
  const end = match.index + match[0].length
  let start = 0
  for (const index of test.joined) {
    const length = (request.texts[index] as string).length
    if (end <= start + length + 2) {
      const from = Math.max(0, match.index - start - 1)
      return {
        hits: [{ text: index, start: from, end: Math.min(Math.max(from, end - start - 1), length) }],
        timedOut: false,
      }
    }
    start += length + 2
  }
  return { hits, timedOut: false }
}

const ENTRY_POINT = '__worldbookPatterns'
const script = new Script(`globalThis.${ENTRY_POINT}()`)

/** Milliseconds this thread has worked; on a busy machine far fewer than have passed. */
function workedMillis(): number {
  // Electron's Node may be older than the call.
  const { user, system } = process.threadCpuUsage?.() ?? { user: performance.now() * 1000, system: 0 }
  return (user + system) / 1000
}

/** A key that was interrupted without having had its time is tried again this often, with twice the wait each time. */
const MOST_RETRIES = 3

/**
 * Runs patterns under deadlines: V8 interrupts a backtracking pattern when the script's time is over. Many quick keys
 * share one script; a key interrupted behind others is tried again with the whole of its own time.
 */
export function runPatterns(request: PatternRequest): PatternReply {
  const results: PatternResult[] = []
  const scope = globalThis as unknown as Record<string, () => void>
  let used = 0
  let retries = 0
  while (results.length < request.tests.length && used < request.totalMillis) {
    const first = results.length
    const started = workedMillis()
    const allowed = Math.max(1, Math.ceil(Math.min(request.keyMillis, request.totalMillis - used)))
    scope[ENTRY_POINT] = () => {
      while (results.length < request.tests.length) {
        results.push(testOne(request, request.tests[results.length] as PatternTest))
      }
    }
    try {
      script.runInThisContext({ timeout: allowed * 2 ** retries })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      const starved = workedMillis() - started < allowed / 2
      if (results.length > first) retries = 0
      else if (starved && retries < MOST_RETRIES) retries += 1
      else {
        results.push({ hits: [], timedOut: true })
        retries = 0
      }
    }
    used += workedMillis() - started
  }
  while (results.length < request.tests.length) results.push({ hits: [], timedOut: true })
  return { results, usedMillis: used }
}
