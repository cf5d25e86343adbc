import { serveThread } from '../../ipc/serve-thread'
import { type FileAnswer, type FileTask, runFileTask } from './file-task'

serveThread<FileTask, FileAnswer>('worldbook-files', runFileTask)
