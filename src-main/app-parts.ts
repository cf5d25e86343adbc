import type { Emit, Events } from './app-contract'
import type { EventMessage } from './ipc/contract'
import type { ModelClient } from './models/client'
import { firstAnsweringModel, learnFacts, splitModelId } from './models/repository'
import type { TokenCounters } from './models/tokens/counters'
import type { Settings } from './settings/contract'
import type { WriteDatabase } from './storage/database'
import type { TurnModels } from './turns/ports'

export interface EventHub {
  emit: Emit
  subscribe(listener: (event: EventMessage) => void): () => void
}

/** One place every event passes. A listener that throws is a bug of that host and must not stop the others. */
export function createEventHub(onBug: (error: unknown) => void): EventHub {
  const listeners = new Set<(event: EventMessage) => void>()
  return {
    emit<Name extends keyof Events>(name: Name, payload: Events[Name]) {
      for (const listener of listeners) {
        try {
          listener({ name, payload })
        } catch (error) {
          onBug(error)
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The models room as turns see it. */
export function turnModels(
  client: ModelClient,
  counters: TokenCounters,
  ground: { database: WriteDatabase; emit: Emit },
): TurnModels<Awaited<ReturnType<ModelClient['target']>>> {
  const { database, emit } = ground
  return {
    target: (modelId) => client.target(modelId),
    buildWire: (request, target, readFile) => client.buildWire(request, target, readFile),
    stream: (request, target, options) => client.stream(request, target, options),
    learn: (target, error) => client.learn(target, error),
    counterFor: (modelId) => counters.forModel(modelId),
    calibrate: (modelId, sent, reported) => counters.calibrate(modelId, sent, reported),
    learnFacts(modelId, facts) {
      learnFacts(database, splitModelId(modelId), facts)
      emit('models.changed', { ids: [modelId] })
    },
    fallbackModel: () => firstAnsweringModel(database)?.id,
  }
}

/** Which language people read: the setting, else the system's. */
export function interfaceLanguage(settings: Settings, locale: string): 'en' | 'zh-CN' {
  const { language } = settings.general
  if (language !== 'system') return language
  return locale.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en'
}
