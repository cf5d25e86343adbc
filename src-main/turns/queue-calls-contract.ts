import { z } from 'zod'
import { type CallMap, call } from '../ipc/contract'
import { fromDraft } from '../sessions/composer-contract'
import type { QueuedMessage } from '../sessions/queue-contract'
import { type StartedTurn, turnOverrides } from './contract'

const text = z.string().max(16_000_000)
const attachments = z.array(z.string()).max(50)

/**
 * Messages that wait for the running answer of their chat. The main process sends the next one itself when an answer has
 * ended well; after a stop or a failure they wait until somebody sends one. Every window shows the same list.
 */
export const queueCalls = {
  /** In the order in which they go out. */
  'queue.list': call<QueuedMessage[]>()(z.strictObject({ sessionId: z.string() })),
  /** At the end. Sent at once where nothing runs and nothing waits. */
  'queue.add': call<QueuedMessage>()(
    z.strictObject({
      sessionId: z.string(),
      text,
      attachments: attachments.optional(),
      /** As in `turns.send`; the message keeps it when it is sent. */
      id: z.string().min(8).max(100).optional(),
      /** It was written in the composer: it leaves this chat's draft in the same moment. */
      fromDraft: fromDraft.optional(),
    }),
  ),
  'queue.change': call<QueuedMessage>()(
    z.strictObject({ id: z.string(), text: text.optional(), attachments: attachments.optional() }),
  ),
  'queue.remove': call<{ removed: number }>()(z.strictObject({ id: z.string() })),
  /** Before another waiting message; null = to the end. */
  'queue.move': call<{ moved: true }>()(z.strictObject({ id: z.string(), before: z.string().nullable() })),
  /** Back into the composer of its chat, before what is being written there. */
  'queue.take': call<QueuedMessage>()(z.strictObject({ id: z.string() })),
  /** Now, out of its turn. `not_found` when it was sent already; what is refused goes on waiting. */
  'queue.send': call<StartedTurn & { userMessageId: string }>()(
    z.strictObject({ id: z.string(), overrides: turnOverrides.optional() }),
  ),
} satisfies CallMap
