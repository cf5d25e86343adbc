import { parentPort } from 'node:worker_threads'

/** One job: texts of one encoding. The answer is `{id, counts}` in the same order, or `{id, error}`. */
export interface CountJob {
  id: number
  encoding: 'o200k' | 'cl100k'
  texts: string[]
}
export type CountAnswer = { id: number; counts: number[] } | { id: number; error: string }

type Count = (text: string, options: { disallowedSpecial: Set<string> }) => number

/** An unbroken run costs the square of its length to merge; in pieces it costs next to nothing. */
const LONGEST_RUN = 256
const LONG_RUN = /[\p{L}\p{M}\p{N}]{257,}|[^\s\p{L}\p{M}\p{N}]{257,}|\s{257,}/gu
/** Text such as <|endoftext|> is ordinary text. */
const PLAIN = { disallowedSpecial: new Set<string>() }

function cutRuns(text: string): string[] {
  const pieces: string[] = []
  let rest = 0
  for (const run of text.matchAll(LONG_RUN)) {
    pieces.push(text.slice(rest, run.index))
    const letters = [...run[0]]
    for (let at = 0; at < letters.length; at += LONGEST_RUN) pieces.push(letters.slice(at, at + LONGEST_RUN).join(''))
    rest = run.index + run[0].length
  }
  pieces.push(text.slice(rest))
  return pieces
}

const loaded = new Map<string, Promise<Count>>()

function load(encoding: CountJob['encoding']): Promise<Count> {
  const known = loaded.get(encoding)
  if (known) return known
  const loading =
    encoding === 'cl100k'
      ? import('gpt-tokenizer/encoding/cl100k_base').then((module) => module.countTokens)
      : import('gpt-tokenizer/encoding/o200k_base').then((module) => module.countTokens)
  loaded.set(encoding, loading)
  return loading
}

async function answer(job: CountJob): Promise<CountAnswer> {
  try {
    const count = await load(job.encoding)
    return {
      id: job.id,
      counts: job.texts.map((text) => cutRuns(text).reduce((sum, piece) => sum + count(piece, PLAIN), 0)),
    }
  } catch (error) {
    return { id: job.id, error: error instanceof Error ? error.message : String(error) }
  }
}

const port = parentPort
port?.on('message', (job: CountJob) => {
  answer(job).then((reply) => port.postMessage(reply))
})
