import { type Fields, fieldsOf, isFields, listOf, nameOf, numberOf, spokenIn } from './coerce'
import { noteLost, type ProtocolReader, type WireWatch } from './wire-watch'

/** One chunk of `/api/chat` with every field of the kind its reader takes. */
export interface OllamaChunk {
  content: string
  thinking: string
  calls: { id?: string; name: string; arguments: unknown }[]
  done: boolean
  /** `stop` where the server names none. */
  reason?: string
  inputTokens?: number
  outputTokens?: number
}

function argumentsOf(given: unknown): unknown {
  if (typeof given !== 'string') return given ?? {}
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}

const isTrue = (value: unknown) => value === true || value === 'true' || value === 1

/** Lines of `/api/chat`; `done` is the end, with or without a reason. */
export function createOllamaReader(watch: WireWatch): ProtocolReader {
  const callOf = (raw: unknown): OllamaChunk['calls'] => {
    const call = fieldsOf(raw)
    const inner = isFields(call.function) ? call.function : call
    const name = nameOf(inner.name)
    const id = nameOf(call.id)
    if (name === undefined) {
      noteLost(watch, raw)
      return []
    }
    return [{ ...(id === undefined ? {} : { id }), name, arguments: argumentsOf(inner.arguments) }]
  }
  const read = (event: Fields): OllamaChunk[] => {
    const message = isFields(event.message) ? event.message : { content: event.message ?? event.response }
    const spoken = spokenIn(message.content)
    if (spoken.unread) noteLost(watch, message.content)
    const thought = spokenIn(message.thinking ?? event.thinking, true)
    const done = isTrue(event.done)
    if (done) {
      watch.ended = true
      watch.done = true
    }
    const inputTokens = numberOf(event.prompt_eval_count)
    const outputTokens = numberOf(event.eval_count)
    return [
      {
        content: spoken.text,
        thinking: thought.text + thought.reasoning + spoken.reasoning,
        calls: listOf(message.tool_calls).flatMap(callOf),
        done,
        ...(done ? { reason: nameOf(event.done_reason) ?? 'stop' } : {}),
        ...(inputTokens === undefined ? {} : { inputTokens }),
        ...(outputTokens === undefined ? {} : { outputTokens }),
      },
    ]
  }
  return {
    carries: (event) => isFields(event.message) || event.done !== undefined || event.response !== undefined,
    read,
    end: () => [],
  }
}
