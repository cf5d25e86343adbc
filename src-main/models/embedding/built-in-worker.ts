import { serveThread } from '../../ipc/serve-thread'
import { type BuiltInReader, loadBuiltInReader } from './built-in-reader'
import type { Embedding } from './contract'

export const BUILT_IN_ROOM = 'built-in-embedder'

/** No texts: load the model and answer nothing. */
export interface ReadTask {
  texts: readonly string[]
}

let reader: BuiltInReader | undefined

serveThread<ReadTask, Embedding[]>(BUILT_IN_ROOM, async ({ texts }) => {
  // Tasks come one after another; what failed to load is tried again with the next.
  reader ??= await loadBuiltInReader()
  return reader.read(texts)
})
