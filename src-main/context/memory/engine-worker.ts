import { serveThread } from '../../ipc/serve-thread'
import { type EngineTask, runEngineTask } from './engine-task'
import { RetrievalEngine } from './retrieval/engine'

const engine = new RetrievalEngine()

serveThread<EngineTask, unknown>('memory-engine', (task) => runEngineTask(engine, task))
