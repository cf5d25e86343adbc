import { serveThread } from '../../ipc/serve-thread'
import { type BuiltInReader, loadBuiltInReader } from './built-in-reader'
import type { Embedding } from './contract'

export const BUILT_IN_ROOM = 'built-in-embedder'

/** No texts: load the model and answer nothing. */
export interface ReadTask {
  texts: readonly string[]
}

let reader: Promise<BuiltInReader> | undefined

serveThread<ReadTask, Embedding[]>(BUILT_IN_ROOM, async ({ texts }) => {
  reader ??= loadBuiltInReader()
  return (await reader).read(texts)
})
