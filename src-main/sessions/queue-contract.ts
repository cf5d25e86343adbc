import type { Words } from '../ipc/said-contract'
import type { Attachment } from './composer-contract'

/** A message that waits until the running answer of its chat has ended. */
export interface QueuedMessage {
  id: string
  sessionId: string
  text: string
  attachments: Attachment[]
  createdAt: string
  /** Why it was not sent when its turn came. It waits for a person: send it, change it or remove it. */
  held?: { message: string; words?: Words }
}
