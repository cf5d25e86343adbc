import { Thread } from '../../ipc/thread'
import { type EngineTask, runEngineTask } from './engine-task'
import bundled from './engine-worker?modulePath'
import { type EngineAnswer, RetrievalEngine } from './retrieval/engine'
import type { IndexedMemory, RetrievalQuery, VectorChannel } from './retrieval/model'

/** The search engine wherever it lives. Tasks run in the order they were given. */
export interface EngineHost {
  upsert(memories: IndexedMemory[]): Promise<void>
  remove(ids: string[]): Promise<void>
  forgetReadings(): Promise<void>
  setMiddle(channel: VectorChannel, middle: Float32Array | undefined): Promise<void>
  search(query: RetrievalQuery): Promise<EngineAnswer>
  vectorCount(): Promise<number>
  close(): Promise<void>
}

/** In a thread of its own: a scan of 10,000 vectors and their words must not hold up the window. */
export function createThreadEngine(): EngineHost {
  const thread = new Thread<EngineTask, unknown>({
    bundled,
    source: new URL('./engine-worker.ts', import.meta.url),
    room: 'memory-engine',
  })
  return hostOf(
    (task) => thread.ask(task),
    () => thread.stop('The memory search was closed.'),
  )
}

/** In this thread, for small stores and tests. */
export function createLocalEngine(): EngineHost {
  const engine = new RetrievalEngine()
  return hostOf(
    async (task) => runEngineTask(engine, task),
    async () => undefined,
  )
}

function hostOf(ask: (task: EngineTask) => Promise<unknown>, close: () => Promise<void>): EngineHost {
  return {
    async upsert(memories) {
      await ask({ do: 'upsert', memories })
    },
    async remove(ids) {
      await ask({ do: 'remove', ids })
    },
    async forgetReadings() {
      await ask({ do: 'forgetReadings' })
    },
    async setMiddle(channel, middle) {
      await ask({ do: 'middle', channel, middle })
    },
    search: async (query) => (await ask({ do: 'search', query })) as EngineAnswer,
    vectorCount: async () => (await ask({ do: 'count' })) as number,
    close,
  }
}
