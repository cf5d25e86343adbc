import { CallError, call } from '../api/client'
import { UNANSWERED } from '../api/transport'

/** How long an app that went away is waited for, ms: it may be starting again. */
const WAIT_MS = 30_000
const ASK_EVERY_MS = 500

/** Also on a page without a secure address, where `crypto.randomUUID` is missing. */
export function newDeliveryId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export const isUnanswered = (error: unknown): boolean => error instanceof CallError && error.details === UNANSWERED

/**
 * Whether a message arrived whose call was never answered. Asks until the app answers again, or it took too long: then
 * the words are better off in their field.
 */
export async function wasDelivered(id: string): Promise<boolean> {
  for (const limit = Date.now() + WAIT_MS; Date.now() < limit; ) {
    try {
      return (await call('messages.delivered', { id })).delivered
    } catch (error) {
      if (!isUnanswered(error)) return false
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
  }
  return false
}
