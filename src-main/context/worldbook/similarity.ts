import { AppError, saidBy } from '../../ipc/app-error'
import { asMessage, phrase, said } from '../../ipc/said-contract'
import { type Embedder, readsHere } from '../../models/embedding/contract'
import { beforeLong } from './before-long'
import type { CompiledBook } from './engine/compile'
import type { EvaluationRequest, ForcedEntry, ScanMessage } from './engine/request'
import type { WorldbookWarning } from './trace-contract'

/** Messages that make the query, newest last. */
const QUERY_MESSAGES = 2
const TEXTS_PER_CALL = 64
const MOST_KEPT = 20_000

/** Scores of vectorised entries against what was said last; empty without an embedder or when it fails. */
export type FindSimilar = (
  books: readonly CompiledBook[],
  messages: readonly ScanMessage[],
  signal: AbortSignal,
) => Promise<ForcedEntry[]>

interface Wanted {
  worldbookId: string
  entryId: string
  text: string
}

function vectorised(books: readonly CompiledBook[]): Wanted[] {
  return books.flatMap((book) =>
    book.plans
      .filter(
        ({ entry, content, malformed }) =>
          entry.vectorized && entry.enabled && malformed === undefined && content.trim() !== '',
      )
      .map(({ entry, content }) => ({ worldbookId: book.id, entryId: entry.id, text: content })),
  )
}

/** Unit vectors: the dot product is the cosine. */
function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}

/** `embedder` is asked each time, since it can be changed or switched off in Settings. Vectors are kept by text. */
export function createFindSimilar(embedder: () => Embedder | undefined): FindSimilar {
  const kept = new Map<string, Float32Array | null>()

  const vectorsOf = async (
    source: Embedder,
    texts: readonly string[],
    { purpose, signal }: { purpose: 'query' | 'memory'; signal: AbortSignal },
  ) => {
    const space = `${purpose} ${JSON.stringify(source.space)}`
    const fresh = [...new Set(texts)].filter((text) => !kept.has(`${space}\n${text}`))
    for (let at = 0; at < fresh.length; at += TEXTS_PER_CALL) {
      const batch = fresh.slice(at, at + TEXTS_PER_CALL)
      const embeddings = await source.embed(batch, { purpose, signal })
      for (const [index, text] of batch.entries()) {
        const embedding = embeddings[index]
        kept.set(`${space}\n${text}`, (embedding?.channel === 'sentence' ? embedding.vector : undefined) ?? null)
      }
    }
    while (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value ?? '')
    return (text: string) => kept.get(`${space}\n${text}`) ?? undefined
  }

  return async (books, messages, signal) => {
    const source = embedder()
    const wanted = vectorised(books)
    if (!source || wanted.length === 0) return []
    const newest = messages.slice(-QUERY_MESSAGES)
    const sendable = newest.filter((message) => !message.staysHere || readsHere(source))
    const query = sendable
      .map((message) => message.text)
      .join('\n')
      .trim()
    if (query === '' && sendable.length < newest.length)
      throw new AppError(
        'isolated',
        said`This was written under isolation, so it is not sent to the embedder “${phrase(source.label)}”; only words were searched.`,
      )
    if (query === '') return []
    // Kept like the others: a preview asks what the turn will ask.
    const asked = (await vectorsOf(source, [query], { purpose: 'query', signal }))(query)
    if (!asked) return []
    const texts = wanted.map(({ text }) => text)
    const vectorOf = await vectorsOf(source, texts, { purpose: 'memory', signal })
    return wanted.flatMap(({ worldbookId, entryId, text }) => {
      const vector = vectorOf(text)
      return vector ? [{ worldbookId, entryId, score: cosine(asked, vector) }] : []
    })
  }
}

const SIMILARITY_LATE: WorldbookWarning = {
  code: 'similarity_late',
  message: 'The embedder has not answered in time. Entries found by meaning were left out of this turn.',
}

/** The scores for one evaluation, or a warning why there are none. Without the embedder the keys still work. */
export async function askSimilar(
  findSimilar: FindSimilar | undefined,
  request: Pick<EvaluationRequest, 'books' | 'messages'>,
  limits: { signal: AbortSignal; waitMs: number },
): Promise<{ forced: ForcedEntry[]; warnings: WorldbookWarning[] }> {
  if (!findSimilar) return { forced: [], warnings: [] }
  try {
    const asked = findSimilar(request.books, request.messages, limits.signal)
    const forced = await beforeLong(asked, limits.waitMs)
    return forced ? { forced, warnings: [] } : { forced: [], warnings: [SIMILARITY_LATE] }
  } catch (error) {
    const message = said`Similarity was not asked: ${saidBy(error)}`
    return { forced: [], warnings: [{ code: 'similarity_failed', ...asMessage(message) }] }
  }
}
