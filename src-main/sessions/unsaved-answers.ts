import type { MessagePart } from './contract'
import { type MessagePatch, type StoredMessage, textOfParts } from './message-rows'

/**
 * What the disk did not take of running and ended answers. Readers see it laid over the rows, so that nobody has to know
 * where an answer lies; it is written when there is room.
 */
export class UnsavedAnswers {
  readonly #patches = new Map<string, MessagePatch>()

  get none(): boolean {
    return this.#patches.size === 0
  }

  get(messageId: string): MessagePatch | undefined {
    return this.#patches.get(messageId)
  }

  /** True for the first one of this message. The parts stay the caller's own: they may still grow. */
  add(messageId: string, patch: MessagePatch): boolean {
    const before = this.#patches.get(messageId)
    this.#patches.set(messageId, { ...before, ...patch })
    return before === undefined
  }

  forget(messageId: string): void {
    this.#patches.delete(messageId)
  }

  over(stored: StoredMessage): StoredMessage {
    const patch = this.#patches.get(stored.id)
    if (!patch) return stored
    const { parts, error, ...rest } = patch
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
    const { error: before, ...row } = stored
    const shown: StoredMessage = { ...row, ...given }
    const failure = error === undefined ? before : (error ?? undefined)
    if (failure !== undefined) shown.error = failure
    if (parts) Object.assign(shown, { parts: structuredClone<MessagePart[]>(parts), text: textOfParts(parts) })
    return shown
  }
}
