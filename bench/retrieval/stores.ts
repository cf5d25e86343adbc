import type { IndexedMemory, TextReading } from '../../src-main/context/memory/retrieval/model'
import type { LocomoConversation, LocomoTurn, MemoryBankUser } from './bench-files'

/** A store to search and the questions to ask it: `evidence` names what each document proves. */
export interface BenchStore {
  memories: IndexedMemory[]
  evidence: Map<string, string[]>
  questions: { text: string; evidence: string[]; group: string }[]
}
export type Read = (texts: readonly string[]) => Promise<TextReading[]>

const AT = Date.UTC(2026, 0, 1)

function memory(fields: Pick<IndexedMemory, 'id' | 'text'> & Partial<IndexedMemory>): IndexedMemory {
  return {
    revision: 1,
    neighbours: [],
    entities: [],
    rawTurn: false,
    importance: 0.5,
    confidence: 1,
    updatedAt: AT,
    superseded: false,
    archived: false,
    ...fields,
  }
}

async function withReadings(memories: IndexedMemory[], read: Read): Promise<IndexedMemory[]> {
  const readings = await read(memories.map((entry) => entry.text))
  return memories.map((entry, at) => {
    const reading = readings[at]
    return reading ? { ...entry, reading } : entry
  })
}

/** Previous, next, second previous, second next: the order of the neighbour weights. */
function around(texts: readonly string[], at: number): string[] {
  return [at - 1, at + 1, at - 2, at + 2].map((place) => texts[place] ?? '')
}

function evidenceOf(question: LocomoConversation['qa'][number]): string[] {
  return (question.evidence ?? []).flatMap((entry) => entry.split(/[;,\s]+/)).filter((id) => /^D\d+:\d+$/.test(id))
}

function sessionsOf(source: LocomoConversation): { key: string; day: string; turns: LocomoTurn[] }[] {
  return Object.entries(source.conversation).flatMap(([key, turns]) =>
    /^session_\d+$/.test(key) && Array.isArray(turns)
      ? [{ key, day: String(source.conversation[`${key}_date_time`] ?? '').replace(/^.* on /, ''), turns }]
      : [],
  )
}

/** Each turn is a document: `speaker: text [caption]`, with the day of its session beside it. */
export async function locomoTurns(source: LocomoConversation, read: Read): Promise<BenchStore> {
  const memories = sessionsOf(source).flatMap(({ day, turns }) => {
    const texts = turns.map((turn) => (turn.blip_caption ? `${turn.text} [${turn.blip_caption}]` : turn.text))
    return turns.map((turn, at) =>
      memory({
        id: turn.dia_id,
        text: `${turn.speaker}: ${texts[at]}`,
        neighbours: [...around(texts, at), day],
        entities: [turn.speaker],
        rawTurn: true,
      }),
    )
  })
  const known = new Set(memories.map((entry) => entry.id))
  return {
    memories: await withReadings(memories, read),
    evidence: new Map(memories.map((entry) => [entry.id, [entry.id]])),
    questions: questionsOf(source, known),
  }
}

/** Each observation is a stated fact; the facts next to it in its session are its neighbours. */
export async function locomoObservations(source: LocomoConversation, read: Read): Promise<BenchStore> {
  const evidence = new Map<string, string[]>()
  const memories = Object.entries(source.observation).flatMap(([key, people]) => {
    const day = String(source.conversation[`${key.replace('_observation', '')}_date_time`] ?? '').replace(/^.* on /, '')
    const facts = Object.values(people).flat()
    const texts = facts.map(([text]) => text)
    return facts.map(([text, from], at) => {
      const id = `${key}/${at}`
      evidence.set(
        id,
        [from].flat().flatMap((entry) => entry.split(/[;,\s]+/)),
      )
      return memory({ id, text, neighbours: [...around(texts, at), day] })
    })
  })
  const turns = new Set(sessionsOf(source).flatMap(({ turns: list }) => list.map((turn) => turn.dia_id)))
  return { memories: await withReadings(memories, read), evidence, questions: questionsOf(source, turns) }
}

function questionsOf(source: LocomoConversation, known: ReadonlySet<string>): BenchStore['questions'] {
  return source.qa
    .map((entry) => ({
      text: entry.question,
      evidence: evidenceOf(entry).filter((id) => known.has(id)),
      group: `category ${entry.category}`,
    }))
    .filter((entry) => entry.evidence.length > 0)
}

/** Each exchange is a document, with its day. */
export async function memoryBank(source: MemoryBankUser, read: Read): Promise<BenchStore> {
  const texts = source.docs.map((entry) => `${entry.u}\n${entry.a}`)
  const memories = source.docs.map((entry, at) =>
    memory({ id: entry.id, text: texts[at] ?? '', neighbours: [...around(texts, at), entry.day], rawTurn: true }),
  )
  return {
    memories: await withReadings(memories, read),
    evidence: new Map(memories.map((entry) => [entry.id, [entry.id]])),
    questions: source.qs.map((entry) => ({ text: entry.q, evidence: entry.ev, group: 'all' })),
  }
}

/** Question `i` is answered by text `i` and by no other. */
export async function pairs(texts: readonly string[], questions: readonly string[], read: Read): Promise<BenchStore> {
  const memories = texts.map((text, at) => memory({ id: `p${at}`, text }))
  return {
    memories: await withReadings(memories, read),
    evidence: new Map(memories.map((entry) => [entry.id, [entry.id]])),
    questions: questions.map((text, at) => ({ text, evidence: [`p${at}`], group: 'all' })),
  }
}
