import { serveThread } from '../ipc/serve-thread'
import { type CheckAnswer, type CheckTask, checkFile } from './check-task'

serveThread<CheckTask, CheckAnswer>('check-files', checkFile)
