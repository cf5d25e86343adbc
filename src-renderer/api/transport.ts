import type { EventMessage, Reply } from '../../src-main/ipc/contract'

/** `open` again after `lost`: the events in between were replayed, or a `resync` event follows. */
export type LinkState = 'connecting' | 'open' | 'lost' | 'refused'

/** Calls in, events out. Two of these exist: the preload bridge and the web host. */
export interface Transport {
  call(name: string, input: unknown): Promise<Reply<unknown>>
  /** Returns the way to unsubscribe. */
  on(listener: (event: EventMessage) => void): () => void
  /** Told once at subscription and at every change. Missing where the link cannot break. */
  onLink?(listener: (state: LinkState) => void): () => void
}

declare global {
  interface Window {
    /** Set by the preload script in the desktop app, absent in a browser. */
    strata?: Pick<Transport, 'call' | 'on'>
  }
}

/** Details of a call whose reply never came: it may have been carried out all the same. */
export const UNANSWERED = { unanswered: true } as const
