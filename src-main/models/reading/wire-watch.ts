import type { WireRequest } from '../../turns/contract'

/** What the transport saw, beside what the protocol adapter reads. */
export interface WireWatch {
  wire?: WireRequest
  /** Something of an answer came: any event, readable or not. */
  heard: boolean
  /** The server named a reason for the end. */
  ended: boolean
  /** The server said that nothing more comes. */
  done: boolean
  /** Pieces that could not be read, and how the first of them began. */
  lost: { count: number; first: string }
  /** What ended the answer before its time: the server's words, or the person's limit. */
  failure?: Error
  /** What broke the connection. */
  broken?: unknown
}

export const newWatch = (): WireWatch => ({ heard: false, ended: false, done: false, lost: { count: 0, first: '' } })

const SHOWN_CHARACTERS = 120

export function noteLost(watch: WireWatch, piece: unknown): void {
  watch.lost.count += 1
  if (watch.lost.count > 1) return
  const text = typeof piece === 'string' ? piece : (JSON.stringify(piece) ?? '')
  watch.lost.first = text.replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN_CHARACTERS)
}

/** One protocol's events put into the form its adapter takes. */
export interface ProtocolReader {
  /** Whether the event holds a part of an answer, so that words in it are not a failure's. */
  carries(event: Record<string, unknown>, name: string | undefined): boolean
  /** What the adapter gets for an event: none, one or several. Notes ends and losses on the watch. */
  read(event: Record<string, unknown>, name: string | undefined): object[]
  /** Pieces that came together, fewer where that says the same: each costs the adapter much more than its words. */
  join?(pieces: object[]): object[]
  /** What was held back; `properly`: the server said that the answer is complete. */
  end(properly: boolean): object[]
}
