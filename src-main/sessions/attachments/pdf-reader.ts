import { Thread } from '../../ipc/thread'
import { PDF_ROOM, type PdfReading } from './pdf-text'
import bundled from './pdf-worker?modulePath'

/** A file that takes longer holds the thread for nothing anybody waits for. */
const LONGEST_MS = 60_000
/** A large PDF leaves much memory behind in its thread. */
const IDLE_MS = 20_000

export interface PdfReader {
  read(bytes: Uint8Array): Promise<PdfReading>
  close(): Promise<void>
}

/** Reads PDF files on a thread of their own, so that no window waits for one. */
export function createPdfReader(): PdfReader {
  const thread = new Thread<Uint8Array, PdfReading>({
    bundled,
    source: new URL('./pdf-worker.ts', import.meta.url),
    room: PDF_ROOM,
    idleMs: IDLE_MS,
  })
  return {
    async read(bytes) {
      const slow = setTimeout(() => void thread.stop('It took longer than a minute to read.'), LONGEST_MS)
      try {
        return await thread.ask(bytes)
      } catch (error) {
        return { kind: 'damaged', reason: error instanceof Error ? error.message : String(error) }
      } finally {
        clearTimeout(slow)
      }
    },
    close: () => thread.stop('The attachments were closed.'),
  }
}
