import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Where the data sets may lie. They are not part of the project: LoCoMo's licence forbids commercial use. */
function folders(): string[] {
  const chosen = process.env.STRATA_BENCH_DATA
  return chosen ? [resolve(chosen)] : [resolve('bench/data'), resolve('../data'), resolve('../shared/data')]
}

/** Every file `<prefix>*.json`, parsed; undefined when there is none. */
export function readBenchFiles<T>(prefix: string): { name: string; rows: T[] } | undefined {
  for (const folder of folders()) {
    if (!existsSync(folder)) continue
    const names = readdirSync(folder)
      .filter((name) => name.startsWith(prefix) && name.endsWith('.json'))
      .sort()
    if (names.length === 0) continue
    return {
      name: names.join(', '),
      rows: names.flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8'))),
    }
  }
  return undefined
}

export const MISSING = {
  locomo:
    'skipped: no locomo*.json. Get the conversations from github.com/snap-research/locomo (data/locomo10.json, CC BY-NC 4.0), put them into a folder of their own and name it in STRATA_BENCH_DATA.',
  memorybank:
    'skipped: no memorybank*.json (dialogues and questions of github.com/zhongwanjun/MemoryBank-SiliconFriend, with the evidence of each question in qs[].ev). Name their folder in STRATA_BENCH_DATA.',
  paraphrases: 'skipped: no paraphrases*.json (rows of zm, zq, em, eq). Name their folder in STRATA_BENCH_DATA.',
} as const

export interface LocomoTurn {
  speaker: string
  dia_id: string
  text: string
  blip_caption?: string
}
export interface LocomoConversation {
  sample_id: string
  qa: { question: string; evidence?: string[]; category: number }[]
  conversation: Record<string, string | LocomoTurn[]>
  observation: Record<string, Record<string, [text: string, evidence: string | string[]][]>>
}
export interface MemoryBankUser {
  user: string
  docs: { id: string; day: string; u: string; a: string }[]
  qs: { q: string; ev: string[] }[]
}
export interface ParaphrasePair {
  zm: string
  zq: string
  em: string
  eq: string
}
