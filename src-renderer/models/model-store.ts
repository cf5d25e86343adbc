import { create } from 'zustand'
import type { Connection, Model } from '../../src-main/models/contract'
import { call, on } from '../api/client'

interface ModelState {
  connections: Connection[]
  models: Model[]
  loaded: boolean
}

export const useModels = create<ModelState>(() => ({ connections: [], models: [], loaded: false }))

let readings = 0
/** The reading asked for last is the one shown. */
export async function loadModels(): Promise<void> {
  const mine = ++readings
  const [connections, models] = await Promise.all([call('connections.list', {}), call('models.list', {})])
  if (mine === readings) useModels.setState({ connections, models, loaded: true })
}

/** What to call a model on screen; an id nobody knows any more shows its last part. */
export function modelName(modelId: string | null | undefined, models: readonly Model[]): string {
  if (!modelId) return ''
  return models.find((model) => model.id === modelId)?.name ?? modelId.slice(modelId.indexOf('/') + 1)
}

export function wireModels(): void {
  for (const name of ['connections.changed', 'models.changed', 'resync'] as const) on(name, () => void loadModels())
}
