import type { ServerResponse } from 'node:http'
import type { EventMessage } from '../ipc/contract'

export interface EventStreamOptions {
  /** Distinguishes this run: an id of another run cannot be replayed. */
  runId: string
  maxEvents?: number
  maxBytes?: number
  heartbeatMs?: number
}

interface Remembered {
  sequence: number
  frame: string
}

/** A reader this far behind (in characters) is cut off; it comes back and is replayed or told to resync. */
const MAX_UNSENT = 8 * 1024 * 1024

/**
 * Server-sent events with ids. What was sent is remembered within bounds (2,000 events, 4 million characters), so a
 * reader that was away gets what it missed; one that was away too long gets a single `resync`.
 */
export function createEventStream({
  runId,
  maxEvents = 2000,
  maxBytes = 4_000_000,
  heartbeatMs = 15_000,
}: EventStreamOptions) {
  const remembered: Remembered[] = []
  const readers = new Set<ServerResponse>()
  let sequence = 0
  let bytes = 0

  const frameOf = (event: EventMessage) => `id: ${runId}-${sequence}\ndata: ${JSON.stringify(event)}\n\n`

  function write(reader: ServerResponse, frame: string): void {
    if (reader.writableLength > MAX_UNSENT) reader.destroy()
    else reader.write(frame)
  }

  function missedSince(lastEventId: string): string[] {
    const dash = lastEventId.lastIndexOf('-')
    const last = Number(lastEventId.slice(dash + 1))
    const oldest = remembered[0]?.sequence ?? sequence + 1
    const known =
      lastEventId.slice(0, dash) === runId && Number.isInteger(last) && last >= oldest - 1 && last <= sequence
    if (!known)
      return [frameOf({ name: 'resync', payload: { reason: 'Events were missed for too long to repeat them.' } })]
    return remembered.filter((event) => event.sequence > last).map((event) => event.frame)
  }

  const heartbeat = setInterval(() => {
    for (const reader of readers) write(reader, ': still here\n\n')
  }, heartbeatMs)
  heartbeat.unref()

  return {
    send(event: EventMessage): void {
      sequence += 1
      const frame = frameOf(event)
      remembered.push({ sequence, frame })
      bytes += frame.length
      while (remembered.length > maxEvents || bytes > maxBytes) bytes -= remembered.shift()?.frame.length ?? 0
      for (const reader of readers) write(reader, frame)
    },

    /** Takes over the response. The header `Last-Event-ID` tells a new reader where it begins. */
    open(response: ServerResponse, lastEventId: string | undefined, headers: Record<string, string>): void {
      response.writeHead(200, {
        ...headers,
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
        'Last-Event-ID': `${runId}-${sequence}`,
      })
      response.write('retry: 1000\n\n')
      if (lastEventId) for (const frame of missedSince(lastEventId)) response.write(frame)
      readers.add(response)
      response.on('close', () => readers.delete(response))
    },

    close(): void {
      clearInterval(heartbeat)
      for (const reader of readers) reader.end()
    },
  }
}

export type EventStream = ReturnType<typeof createEventStream>
