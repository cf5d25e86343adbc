import type { EngineAnswer, RetrievalEngine } from './retrieval/engine'
import type { IndexedMemory, RetrievalQuery, VectorChannel } from './retrieval/model'

/** What the engine can be asked across a thread border. */
export type EngineTask =
  | { do: 'upsert'; memories: IndexedMemory[] }
  | { do: 'remove'; ids: string[] }
  | { do: 'forgetReadings' }
  | { do: 'middle'; channel: VectorChannel; middle: Float32Array | undefined }
  | { do: 'search'; query: RetrievalQuery }
  | { do: 'count' }

export function runEngineTask(engine: RetrievalEngine, task: EngineTask): EngineAnswer | number | undefined {
  switch (task.do) {
    case 'upsert':
      for (const memory of task.memories) engine.upsert(memory)
      return undefined
    case 'remove':
      for (const id of task.ids) engine.remove(id)
      return undefined
    case 'forgetReadings':
      engine.clearReadings()
      return undefined
    case 'middle':
      engine.setMiddle(task.channel, task.middle)
      return undefined
    case 'search':
      return engine.search(task.query)
    case 'count':
      return engine.vectorCount
    default:
      return task satisfies never
  }
}
