import { AppError } from '../ipc/app-error'
import type { Handlers } from '../ipc/contract'
import type { SessionStore } from '../sessions/session-store'
import type { queueCalls } from './queue-calls-contract'
import type { TurnRoom } from './turn-room'

/** The queue's calls: rows are the sessions room's, sending is the turns room's. */
export function queueHandlers(store: SessionStore, turns: TurnRoom): Handlers<typeof queueCalls> {
  return {
    'queue.list': ({ sessionId }) => store.queueOf(sessionId),
    'queue.add': ({ sessionId, ...message }) => {
      if (message.text.trim() === '' && !message.attachments?.length) {
        throw new AppError('bad_input', 'The message is empty. Type something or attach a file.', {
          details: { path: 'text' },
        })
      }
      const added = store.addQueued(sessionId, message)
      turns.queue.added(added)
      return added
    },
    'queue.change': ({ id, ...change }) => store.changeQueued(id, change),
    'queue.remove': ({ id }) => {
      store.removeQueued(id)
      return { removed: 1 }
    },
    'queue.move': ({ id, before }) => {
      store.moveQueued(id, before)
      return { moved: true }
    },
    'queue.take': ({ id }) => store.takeQueued(id),
    'queue.send': turns.queue['queue.send'],
  }
}
