import { type Said, said, storedSaid } from '../../ipc/said-contract'
import type { Embedder, Embedding } from '../../models/embedding/contract'
import type { WriteDatabase } from '../../storage/database'
import { embedAll } from './read-texts'
import { bytesOf } from './spaces'

/** Ordinary sentences, handed in because they belong to the embedding room. */
export interface EverydayTexts {
  statements: readonly string[]
  questions: readonly string[]
  pairs: readonly (readonly [question: string, answer: string])[]
}

export interface Calibration {
  /** What all texts of the space have in common. */
  middle: Float32Array
  /** Cosine that divides answers from the rest; absent where the space cannot. */
  threshold?: number
  note: Said
}

const CENTRING = 0.75
const PERCENT_KEPT = 0.85
const PERCENT_REFUSED = 0.9

/** Measures a space on ordinary sentences: its middle, and whether a similarity threshold can mean anything in it. */
export async function calibrate(
  embedder: Embedder,
  texts: EverydayTexts,
  signal: AbortSignal,
): Promise<Calibration | undefined> {
  const read = (list: readonly string[], purpose: 'query' | 'memory') =>
    embedAll({ embedder, signal, onRefused: () => undefined }, list, purpose)
  const statements = vectorsOf(await read(texts.statements, 'memory'))
  const questions = vectorsOf(await read(texts.questions, 'query'))
  const asked = await read(
    texts.pairs.map(([question]) => question),
    'query',
  )
  const answers = await read(
    texts.pairs.map(([, answer]) => answer),
    'memory',
  )
  const first = statements[0]
  if (first === undefined) return undefined
  const middle = meanOf(statements, first.length)
  const centre = (vector: Float32Array) => centred(vector, middle)
  const store = statements.map(centre)
  const unanswered = questions.map((vector) => Math.max(...store.map((row) => dot(centre(vector), row))))
  const answered = asked.flatMap((question, at) => {
    const answer = answers[at]
    return question.vector && answer?.vector ? [dot(centre(question.vector), centre(answer.vector))] : []
  })
  return { middle, ...divide(answered, unanswered) }
}

/** A threshold is honest only when it keeps most answers and refuses most of the rest. */
export function divide(answered: readonly number[], unanswered: readonly number[]): { threshold?: number; note: Said } {
  const kept = quantile(answered, 1 - PERCENT_KEPT)
  const refused = quantile(unanswered, PERCENT_REFUSED)
  const figures = [kept.toFixed(2), refused.toFixed(2)] as const
  if (answered.length === 0 || unanswered.length === 0)
    return { note: 'Not measured: the embedder could not read the trial texts.' }
  if (kept <= refused) {
    return {
      note: said`In a trial, answers scored ${figures[0]} or more and unrelated questions up to ${figures[1]}: this embedder cannot tell them apart by similarity, so no threshold is used. A memory without a common word must stand out clearly instead.`,
    }
  }
  return {
    threshold: (kept + refused) / 2,
    note: said`In a trial, answers scored ${figures[0]} or more and unrelated questions up to ${figures[1]}.`,
  }
}

export function storeCalibration(database: WriteDatabase, space: number, calibration: Calibration): void {
  database
    .prepare('UPDATE memory_space SET middle = ?, threshold = ?, threshold_note = ? WHERE id = ?')
    .run(bytesOf(calibration.middle), calibration.threshold ?? null, storedSaid(calibration.note), space)
}

function vectorsOf(readings: readonly Embedding[]): Float32Array[] {
  return readings.flatMap((reading) =>
    reading.vector !== undefined && reading.channel === 'sentence' ? [reading.vector] : [],
  )
}

function meanOf(vectors: readonly Float32Array[], dimensions: number): Float32Array {
  const mean = new Float32Array(dimensions)
  for (const vector of vectors)
    for (let at = 0; at < dimensions; at += 1) mean[at] = (mean[at] ?? 0) + (vector[at] ?? 0) / vectors.length
  return mean
}

function centred(vector: Float32Array, middle: Float32Array): Float32Array {
  const moved = vector.map((value, at) => value - CENTRING * (middle[at] ?? 0))
  const length = Math.sqrt(dot(moved, moved))
  return length > 0 ? moved.map((value) => value / length) : moved
}

function dot(one: Float32Array, two: Float32Array): number {
  return one.reduce((sum, value, at) => sum + value * (two[at] ?? 0), 0)
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}
