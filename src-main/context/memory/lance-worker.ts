import { serveThread } from '../../ipc/serve-thread'
import { createLanceTable } from './lance-table'
import type { LanceAnswer, LanceTask } from './lance-task'

const table = createLanceTable()

serveThread<LanceTask, LanceAnswer>('memory-lance', (task) => table.run(task))
