import { saidBy } from '../../ipc/app-error'
import { type Said, textOf } from '../../ipc/said-contract'
import type { ReadDatabase } from '../../storage/database'
import type { MemorySelfTest } from './contract'
import type { EngineHost } from './engine-host'
import { holdingMemories } from './repository'
import type { RetrievalQuery } from './retrieval/model'

const LOOKED_AT = 3
const MISSES_SHOWN = 20

/** What the self-test asks: how a text reads, without the words a question would not repeat. */
export interface SelfTestDeps {
  database: ReadDatabase
  engine: EngineHost
  embedder: string
  nowIso: () => string
  now: () => number
  read: (text: string) => Promise<RetrievalQuery['reading']>
}

/**
 * Asks for each of a sample of memories with every second of its longer words, and looks whether it comes back among
 * the first three. Shows what the embedder reads on the user's own texts; it is no measure of answers.
 */
export async function selfTest(deps: SelfTestDeps, sample: number): Promise<MemorySelfTest> {
  const started = performance.now()
  const all = holdingMemories(deps.database, deps.nowIso(), 10_000)
  const step = Math.max(1, Math.floor(all.length / sample))
  const chosen = all.filter((_, at) => at % step === 0).slice(0, sample)
  const scripts = new Map<string, { memories: number; readable: boolean }>()
  const missed: MemorySelfTest['missed'] = []
  let problem: Said | undefined
  let foundFirst = 0
  let foundInTopK = 0
  for (const row of chosen) {
    const query = questionFrom(row.text)
    const reading = await deps.read(query).catch((error: unknown) => {
      problem = saidBy(error)
      return undefined
    })
    const script = scriptName(row.text)
    const seen = scripts.get(script) ?? { memories: 0, readable: false }
    const readable = reading?.channel === 'sentence' && reading.vectors.length > 0
    scripts.set(script, { memories: seen.memories + 1, readable: seen.readable || readable })
    const { candidates } = await deps.engine.search({
      draft: query,
      mode: 'hybrid',
      topK: LOOKED_AT,
      now: deps.now(),
      ...(reading === undefined ? {} : { reading }),
    })
    const rank = candidates.find((candidate) => candidate.memoryId === row.id)?.rank
    if (rank === 1) foundFirst += 1
    if (rank !== undefined && rank <= LOOKED_AT) foundInTopK += 1
    else missed.push({ memoryId: row.id, query, ...(rank === undefined ? {} : { rank }) })
  }
  return {
    embedder: deps.embedder,
    tested: chosen.length,
    foundFirst,
    foundInTopK,
    scripts: [...scripts].map(([script, counts]) => ({ script, ...counts })),
    missed: missed.slice(0, MISSES_SHOWN),
    elapsedMs: Math.round(performance.now() - started),
    ...(problem === undefined ? {} : { problem: textOf(problem) }),
    ...(typeof problem === 'object' ? { problemWords: problem.words } : {}),
  }
}

/** Every second longer word, or for a script without spaces the middle half of the text. */
function questionFrom(text: string): string {
  const words = text.slice(0, 600).match(/[\p{L}\p{N}]+/gu) ?? []
  const long = words.filter((word) => word.length > 3)
  if (long.length >= 4 && !/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(text)) {
    return long.filter((_, at) => at % 2 === 0).join(' ')
  }
  const chars = [...text.slice(0, 200)]
  return chars.slice(Math.floor(chars.length / 4), Math.ceil((3 * chars.length) / 4)).join('') || text
}

function scriptName(text: string): string {
  const names = [
    'Han',
    'Hiragana',
    'Katakana',
    'Hangul',
    'Cyrillic',
    'Arabic',
    'Hebrew',
    'Devanagari',
    'Thai',
    'Greek',
  ] as const
  const found = names.find((name) => new RegExp(`\\p{Script=${name}}`, 'u').test(text))
  return found ?? (/\p{Script=Latin}/u.test(text) ? 'Latin' : 'none')
}
