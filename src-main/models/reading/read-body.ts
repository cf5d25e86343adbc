import { createAnthropicReader } from './anthropic-events'
import { createChatReader } from './chat-chunks'
import { type Fields, isFields } from './coerce'
import { createEventReader, type WireEvent } from './event-reader'
import { createGoogleReader } from './google-chunks'
import { createOllamaReader } from './ollama-chunks'
import { createResponsesReader } from './responses-events'
import { failureIn, ServerSaid } from './server-words'
import { noteLost, type ProtocolReader, type WireWatch } from './wire-watch'

export type Protocol = 'chat' | 'responses' | 'anthropic' | 'google' | 'ollama'

const READERS: Record<Protocol, (watch: WireWatch) => ProtocolReader> = {
  chat: createChatReader,
  responses: createResponsesReader,
  anthropic: createAnthropicReader,
  google: createGoogleReader,
  ollama: createOllamaReader,
}

/** After its named end an answer may still be followed by its usage; milliseconds of nothing until it is closed. */
const AFTER_END_MS = 5000

export interface BodyOptions {
  protocol: Protocol
  watch: WireWatch
  /** Called for every piece of an answer; comments that only keep a connection open are none. */
  onEvent: () => void
  /** Called once, when nothing more is read. */
  onEnd: () => void
  /** What a web page in place of an answer means. */
  webPage: () => Error
}

const WEB_PAGE = /^\s*<(!doctype|!--|html|head|body|\?xml)/i

/** Framing aside, what each event means: JSON of the adapter's form, or a note on the watch. */
function createInterpreter({ protocol, watch, webPage }: BodyOptions) {
  const reader = READERS[protocol](watch)
  const loose: string[] = []

  const readOne = (event: Fields, name: string | undefined): object[] => {
    const carries = reader.carries(event, name)
    const failure = failureIn(event, { carries, ...(name === undefined ? {} : { name }) })
    if (failure && !carries) {
      watch.failure = failure
      return []
    }
    const read = reader.read(event, name)
    if (failure) watch.failure = failure
    return read
  }
  const read = (event: WireEvent): object[] => {
    if (watch.failure || watch.done) return []
    const first = !watch.heard
    watch.heard = true
    if (event.kind === 'done') {
      watch.done = true
      return []
    }
    if (event.kind === 'unreadable') {
      if (first && WEB_PAGE.test(event.text)) watch.failure = webPage()
      else if (event.name === 'error') watch.failure = new ServerSaid(event.text)
      // words outside of any form are a server's or a proxy's explanation; a broken form may have held an answer
      else if (/^\s*[{[]/.test(event.text)) noteLost(watch, event.text)
      else loose.push(event.text.trim())
      return []
    }
    const values = Array.isArray(event.value) ? event.value : [event.value]
    return values.flatMap((value) => {
      if (isFields(value)) return watch.failure || watch.done ? [] : readOne(value, event.name)
      if (typeof value === 'string' && value.trim() !== '') loose.push(value.trim())
      return []
    })
  }
  return {
    read(events: readonly WireEvent[]): object[] {
      const pieces = events.flatMap(read)
      return reader.join?.(pieces) ?? pieces
    },
    /** What was held back. Words outside of any form explain a missing end, and are a gap in a proper answer. */
    end(): object[] {
      const properly = (watch.done || watch.ended) && !watch.failure
      if (loose.length > 0) {
        if (properly) for (const text of loose) noteLost(watch, text)
        else watch.failure ??= new ServerSaid(loose.join(' '))
      }
      return reader.end(properly)
    },
  }
}

const FRAME: Record<'lines' | 'events', (value: object) => string> = {
  lines: (value) => `${JSON.stringify(value)}\n`,
  events: (value) => `data: ${JSON.stringify(value)}\n\n`,
}

/**
 * The body of an answer in the form the protocol's adapter takes: server-sent events, for Ollama lines. It ends when the
 * server says so, though the connection stay open; the connection is let go then. Failures are left on the watch.
 */
export function readableBody(source: ReadableStream<Uint8Array>, options: BodyOptions): ReadableStream<Uint8Array> {
  const { watch } = options
  const reader = source.getReader()
  const events = createEventReader()
  const interpreter = createInterpreter(options)
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  const frame = FRAME[options.protocol === 'ollama' ? 'lines' : 'events']
  let afterEnd: NodeJS.Timeout | undefined

  // a pending read ends with it, and so does the request
  const letGo = () => void reader.cancel().catch(() => undefined)
  const isOver = () => watch.done || watch.failure !== undefined
  const take = (found: readonly WireEvent[]): string => {
    if (found.length === 0) return ''
    options.onEvent()
    const text = interpreter.read(found).map(frame).join('')
    clearTimeout(afterEnd)
    if (watch.ended && !isOver()) afterEnd = setTimeout(letGo, AFTER_END_MS)
    return text
  }
  const finish = (controller: ReadableStreamDefaultController<Uint8Array>, text: string) => {
    clearTimeout(afterEnd)
    options.onEnd()
    const last = text + interpreter.end().map(frame).join('')
    if (last !== '') controller.enqueue(encoder.encode(last))
    controller.close()
    letGo()
  }

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        let piece: Awaited<ReturnType<typeof reader.read>>
        try {
          piece = await reader.read()
        } catch (error) {
          // an error of this stream would throw away what is still on its way: it ends, and the watch keeps why
          watch.broken = error
          return finish(controller, take(events.end()))
        }
        if (piece.done) return finish(controller, take([...events.push(decoder.decode()), ...events.end()]))
        const text = take(events.push(decoder.decode(piece.value, { stream: true })))
        if (isOver()) return finish(controller, text)
        if (text !== '') return controller.enqueue(encoder.encode(text))
      }
    },
    cancel(reason) {
      clearTimeout(afterEnd)
      options.onEnd()
      return reader.cancel(reason)
    },
  })
}
