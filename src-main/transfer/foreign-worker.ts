import { serveThread } from '../ipc/serve-thread'
import { type ForeignAnswer, type ForeignTask, foreignReader } from './foreign-task'

serveThread<ForeignTask, ForeignAnswer>('foreign-chats', foreignReader())
