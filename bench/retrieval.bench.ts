import { expect, test } from 'vitest'
import { RetrievalEngine } from '../src-main/context/memory/retrieval/engine'
import {
  type LocomoConversation,
  type MemoryBankUser,
  MISSING,
  type ParaphrasePair,
  readBenchFiles,
} from './retrieval/bench-files'
import { EVERYDAY_PAIRS } from './retrieval/everyday-pairs'
import { EVERYDAY_PROMPTS, MORE_PROMPTS } from './retrieval/everyday-prompts'
import { recallAt, table } from './retrieval/measure'
import { createTextReader } from './retrieval/read-texts'
import { type BenchStore, locomoObservations, locomoTurns, memoryBank, pairs, type Read } from './retrieval/stores'

const HEAD = ['store', 'k', 'questions', 'hybrid', 'keyword', 'vector', 'aim', 'injected at top K 3']
const rows: (string | number)[][] = [HEAD]

const DIRECTIONS = [
  ['zh→zh', 'zm', 'zq'],
  ['en→zh', 'zm', 'eq'],
  ['zh→en', 'em', 'zq'],
  ['en→en', 'em', 'eq'],
] as const

async function row(name: string, k: number, aim: number | undefined, stores: readonly BenchStore[], read: Read) {
  const hybrid = await recallAt(k, stores, read)
  const keyword = await recallAt(k, stores, read, 'keyword')
  const vector = await recallAt(k, stores, read, 'vector')
  rows.push([
    name,
    String(k),
    String(hybrid.questions),
    hybrid.recall,
    keyword.recall,
    vector.recall,
    aim === undefined ? '' : `≥ ${aim}`,
    hybrid.injected,
  ])
  return hybrid
}

test('recall of the evidence with the built-in embedder', async () => {
  const reader = await createTextReader()
  const notes: string[] = []
  const paraphrases = readBenchFiles<ParaphrasePair>('paraphrases')
  if (paraphrases) {
    const { rows: all } = paraphrases
    const chinese = [all.map((pair) => pair.zm), all.map((pair) => pair.zq)] as const
    const english = [all.map((pair) => pair.em), all.map((pair) => pair.eq)] as const
    const direction = async (name: string, aim: number, texts: readonly string[], questions: readonly string[]) =>
      row(`paraphrases ${name}`, 5, aim, [await pairs(texts, questions, reader.read)], reader.read)
    await direction('zh→zh', 80, chinese[0], chinese[1])
    await direction('en→zh', 85, chinese[0], english[1])
    await direction('zh→en', 80, english[0], chinese[1])
    await direction('en→en', 90, english[0], english[1])
    notes.push(await noise(all, reader.read))
  } else notes.push(MISSING.paraphrases)
  await heldOut(reader.read)
  const bank = readBenchFiles<MemoryBankUser>('memorybank')
  if (bank) {
    const stores = await Promise.all(bank.rows.map((user) => memoryBank(user, reader.read)))
    await row('MemoryBank, Chinese', 5, 92, stores, reader.read)
  } else notes.push(MISSING.memorybank)
  const locomo = readBenchFiles<LocomoConversation>('locomo')
  if (locomo) {
    const observations: BenchStore[] = []
    const turns: BenchStore[] = []
    for (const conversation of locomo.rows) {
      observations.push(await locomoObservations(conversation, reader.read))
      turns.push(await locomoTurns(conversation, reader.read))
      reader.save()
    }
    await row('LoCoMo observations', 10, 65, observations, reader.read)
    const { groups } = await row('LoCoMo turns', 10, 76, turns, reader.read)
    for (const [group, { sum, count }] of [...groups].sort())
      rows.push([`  ${group}`, '10', String(count), (100 * sum) / count, '', '', '', ''])
  } else notes.push(MISSING.locomo)
  reader.save()
  console.log(`\nRecall in percent\n${table(rows)}\n\n${notes.join('\n')}\n`)
  expect(rows.length + notes.length).toBeGreaterThan(0)
})

/** Pairs of the project's own: the first two parts may be looked at while something is changed, the third only afterwards. */
async function heldOut(read: Read): Promise<void> {
  const all = EVERYDAY_PAIRS.flatMap(([, pairs]) => pairs)
  for (const [part, asked] of EVERYDAY_PAIRS) {
    for (const [name, text, question] of DIRECTIONS) {
      const store = await pairs(
        all.map((pair) => pair[text]),
        all.map((pair) => pair[question]),
        read,
      )
      const from = asked[0] === undefined ? 0 : all.indexOf(asked[0])
      const questions = store.questions.slice(from, from + asked.length)
      await row(`own pairs, ${part} part ${name}`, 5, undefined, [{ ...store, questions }], read)
    }
  }
}

/** How often a store of unrelated facts is asked in vain and stays silent. */
async function noise(all: readonly ParaphrasePair[], read: Read): Promise<string> {
  const lines: string[] = []
  for (const [name, texts] of [
    ['English', all.map((pair) => pair.em)],
    ['Chinese', all.map((pair) => pair.zm)],
  ] as const) {
    const store = await pairs(texts, [], read)
    const engine = new RetrievalEngine()
    for (const entry of store.memories) engine.upsert(entry)
    const prompts = [...EVERYDAY_PROMPTS, ...MORE_PROMPTS]
    const readings = await read(prompts)
    const loud = prompts.flatMap((draft, at) => {
      const reading = readings[at]
      const { candidates } = engine.search({
        draft,
        mode: 'hybrid',
        topK: 3,
        now: Date.UTC(2026, 0, 2),
        ...(reading ? { reading } : {}),
      })
      const injected = candidates.filter((entry) => entry.verdict === 'injected')
      return injected.length === 0
        ? []
        : [`    ${draft} → ${injected.map((entry) => texts[Number(entry.memoryId.slice(1))]).join(' | ')}`]
    })
    lines.push(
      `everyday prompts against ${texts.length} ${name} memories: ${loud.length} of ${prompts.length} inject something\n${loud.join('\n')}`,
    )
  }
  return lines.join('\n')
}
