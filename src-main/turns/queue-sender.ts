import type { Overrides } from '../context/contract'
import { AppError, saidBy } from '../ipc/app-error'
import type { QueuedMessage } from '../sessions/queue-contract'
import { storageError } from '../storage/storage-error'
import type { Preview, StartedTurn } from './contract'
import { isClearlyOver } from './over-contract'
import type { TurnDeps } from './ports'

export type Sent = StartedTurn & { userMessageId: string }

export interface SenderDeps {
  store: TurnDeps['store']
  log: TurnDeps['log']
  isRunning(sessionId: string): boolean
  /** Stores the message, takes it out of the queue in the same transaction, and starts its answer. */
  send(message: QueuedMessage, overrides: Overrides): Promise<Sent>
  preview(message: QueuedMessage): Promise<Preview>
}

const OVER =
  'This message does not fit into the context of the model, so it was not sent by itself. Send it to choose what to leave out, or change it.'
const FAILED_INSIDE = 'This message could not be sent: the app failed inside. It waits here; send it again.'

/** Sends what waits, each message once: the row goes in the transaction that stores the message. */
export class QueueSender {
  readonly #deps: SenderDeps
  /** Chats whose next message is being looked at: two ends close together must not both take it. */
  readonly #busy = new Map<string, Promise<void>>()
  /** Chats whose last answer was stopped or failed: nothing goes out by itself until one has ended well. */
  readonly #paused = new Set<string>()
  #closed = false

  constructor(deps: SenderDeps) {
    this.#deps = deps
  }

  turnEnded(sessionId: string, endedWell: boolean): void {
    if (!endedWell) this.#paused.add(sessionId)
    else {
      this.#paused.delete(sessionId)
      this.#advance(sessionId)
    }
  }

  /** A message came while nothing runs: the answer it was to wait for has just ended. One that waits alone goes out. */
  added(message: QueuedMessage): void {
    const { sessionId } = message
    if (this.#deps.isRunning(sessionId) || this.#paused.has(sessionId)) return
    if (this.#deps.store.queueOf(sessionId).length === 1) this.#advance(sessionId)
  }

  /** A person asks for this one now. What is refused goes on waiting and says why. */
  async sendNow(id: string, overrides: Overrides): Promise<Sent> {
    const message = this.#deps.store.requireQueued(id)
    return this.#send(message, overrides)
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#busy.values())
  }

  #advance(sessionId: string): void {
    if (this.#closed || this.#busy.has(sessionId)) return
    const done = this.#sendNext(sessionId)
      .catch((error: unknown) => this.#deps.log.error({ sessionId, err: error }, 'a waiting message could not be sent'))
      .finally(() => this.#busy.delete(sessionId))
    this.#busy.set(sessionId, done)
  }

  /** The first one, unless it is held: what stands behind it must not overtake it. */
  async #sendNext(sessionId: string): Promise<void> {
    const next = this.#deps.store.queueOf(sessionId)[0]
    if (!next || next.held) return
    const preview = await this.#deps.preview(next).catch(() => null) // the sending itself says what is wrong
    // it may have been sent, changed or moved while the preview was made
    const now = this.#deps.store.queueOf(sessionId)[0]
    if (this.#closed || this.#paused.has(sessionId) || this.#deps.isRunning(sessionId) || !now || now.held) return
    if (now.id !== next.id || now.text !== next.text || now.attachments.length !== next.attachments.length) {
      return this.#sendNext(sessionId)
    }
    if (preview && isClearlyOver(preview.usage)) this.#deps.store.holdQueued(now.id, OVER)
    else await this.#send(now, {}).catch(() => undefined) // it waits and says why
  }

  async #send(message: QueuedMessage, overrides: Overrides): Promise<Sent> {
    try {
      return await this.#deps.send(message, overrides)
    } catch (error) {
      this.#hold(message, error)
      throw error
    }
  }

  /** Busy is no reason to hold a message: it waits for just that. One that is gone was sent or removed by somebody else. */
  #hold(message: QueuedMessage, error: unknown): void {
    const known = error instanceof AppError ? error : storageError(error)
    if (known?.code === 'busy') return
    try {
      if (this.#deps.store.queueOf(message.sessionId).every(({ id }) => id !== message.id)) return
      this.#deps.store.holdQueued(message.id, known ? saidBy(known) : FAILED_INSIDE)
    } catch (unsaid) {
      this.#deps.log.error({ sessionId: message.sessionId, err: unsaid }, 'why a message waits could not be stored')
    }
  }
}
