import { createBuiltInEmbedder } from './built-in-embedder'
import type { Embedder, EmbeddingSpace } from './contract'
import { createRemoteEmbedder, type RemoteEmbedderKind } from './remote-embedder'

export interface EmbedderChoice {
  kind: 'built-in' | RemoteEmbedderKind | 'none'
  connectionId: string | null
  model: string
}

export interface EmbedderSource {
  /** Address and plain headers of a connection; undefined when it is gone or has no address. */
  /** `query` belongs to every request; '' for none. */
  endpointOf(
    connectionId: string,
  ): { baseUrl: string; query?: string; headers: Readonly<Record<string, string>> } | undefined
  secretsOf(connectionId: string): Promise<{ apiKey?: string; secretHeaders?: Readonly<Record<string, string>> }>
  fetch?: typeof fetch
}

export interface Embedders {
  /** The same object as long as the choice and its connection stay the same. Undefined = words only. */
  choose(choice: EmbedderChoice): Embedder | undefined
  /** The built-in one is always at hand for vectors it made before. */
  forSpace(space: EmbeddingSpace): Embedder | undefined
  close(): Promise<void>
}

export function createEmbedders(source: EmbedderSource): Embedders {
  let builtIn: Embedder | undefined
  let remote: { key: string; embedder: Embedder } | undefined
  const ownOne = (): Embedder => {
    builtIn ??= createBuiltInEmbedder()
    return builtIn
  }
  return {
    choose(choice) {
      if (choice.kind === 'none') return undefined
      if (choice.kind === 'built-in') return ownOne()
      const { connectionId, kind, model } = choice
      if (connectionId === null || model.trim() === '') return undefined
      const endpoint = source.endpointOf(connectionId)
      if (endpoint === undefined) return undefined
      const key = JSON.stringify([kind, connectionId, model, endpoint])
      if (remote?.key !== key) {
        const embedder = createRemoteEmbedder({
          kind,
          baseUrl: endpoint.baseUrl,
          query: endpoint.query ?? '',
          headers: endpoint.headers,
          model: model.trim(),
          secrets: () => source.secretsOf(connectionId),
          ...(source.fetch === undefined ? {} : { fetch: source.fetch }),
        })
        remote = { key, embedder }
      }
      return remote.embedder
    },
    forSpace(space) {
      if (remote !== undefined && JSON.stringify(remote.embedder.space) === JSON.stringify(space))
        return remote.embedder
      const own = ownOne()
      return JSON.stringify(own.space) === JSON.stringify(space) ? own : undefined
    },
    async close() {
      await builtIn?.close()
      await remote?.embedder.close()
    },
  }
}
