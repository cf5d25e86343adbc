import { AppError } from '../../ipc/app-error'
import { phrase, said } from '../../ipc/said-contract'
import type { Embedder, Embedding, HalfAnswer } from '../../models/embedding/contract'
import type { WriteDatabase } from '../../storage/database'
import { chunkText, SEARCHED_CHARACTERS } from './chunk-text'
import { type PendingText, type SpaceRow, storeReadings } from './spaces'

const CHUNKS_AT_ONCE = 32

export interface ReadingTask {
  space: SpaceRow
  embedder: Embedder
  pending: readonly PendingText[]
  signal: AbortSignal
  /** A single text the model refuses: it is left without a vector. */
  onRefused: (error: unknown) => void
}

/**
 * Embeds these texts into a space and stores what comes back; a text that changed meanwhile is skipped.
 * @throws embedder.dimension when the vectors have another length than the space: nothing of the batch is stored then
 */
export async function readTexts(database: WriteDatabase, task: ReadingTask): Promise<void> {
  const { space, embedder, pending } = task
  const pieces = pending.flatMap((memory) =>
    chunkText(memory.text.slice(0, SEARCHED_CHARACTERS)).map((text) => ({ memory, text })),
  )
  const readings: Embedding[] = []
  for (let at = 0; at < pieces.length; at += CHUNKS_AT_ONCE) {
    const batch = pieces.slice(at, at + CHUNKS_AT_ONCE).map((piece) => piece.text)
    readings.push(...(await embedAll(task, batch, 'memory')))
  }
  for (const { vector } of readings) {
    if (vector === undefined || vector.length === space.dimensions) continue
    throw new AppError(
      'embedder.dimension',
      said`${phrase(embedder.label)} answered with ${vector.length} dimensions instead of ${space.dimensions}. A new index is begun.`,
    )
  }
  for (const memory of pending) {
    const own = readings.filter((_, at) => pieces[at]?.memory === memory)
    storeReadings(database, space.id, memory, own)
  }
}

/**
 * A batch the model refuses, or answers in part or with no numbers, is tried text by text. A single text that is refused,
 * or answered with no numbers, is left without a vector, so that it does not hold up all others for ever.
 */
export async function embedAll(
  task: Pick<ReadingTask, 'embedder' | 'signal' | 'onRefused'>,
  texts: readonly string[],
  purpose: 'query' | 'memory',
): Promise<Embedding[]> {
  try {
    return await task.embedder.embed(texts, { purpose, signal: task.signal })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const ofTheText = error.code === 'model.rejected' || error.code === 'embedder.dimension'
    if (!ofTheText && !isHalfAnswer(error)) throw error
    if (texts.length <= 1) {
      if (!ofTheText) throw error
      task.onRefused(error)
      return texts.map(() => ({ channel: 'sentence' }))
    }
    const all: Embedding[] = []
    for (const text of texts) all.push(...(await embedAll(task, [text], purpose)))
    return all
  }
}

const isHalfAnswer = ({ code, details }: AppError): boolean =>
  code === 'embedder.unreachable' && (details as Partial<HalfAnswer> | undefined)?.answered !== undefined
