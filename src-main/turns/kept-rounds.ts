import type { Message, MessagePart } from '../sessions/contract'

/** What one model signed is worth nothing to another, and is not sent to it. */
function unsigned(part: MessagePart): MessagePart {
  if (part.type !== 'reasoning' && part.type !== 'tool') return part
  const { signature: _signature, ...rest } = part
  return rest
}

/**
 * An unfinished answer's tool rounds are facts: asking again keeps them instead of running the tools again. What was
 * cut off in mid-call is run by the turn itself, before it asks the model. [] for a complete one.
 */
export function keptRounds(message: Message, modelId: string | undefined): MessagePart[] {
  if (message.role !== 'assistant' || message.state === 'complete') return []
  const kept = message.parts.slice(0, message.parts.findLastIndex((part) => part.type === 'tool') + 1)
  return message.modelId === modelId ? kept : kept.map(unsigned)
}

/** An answer with what it has so far, as its next round sends it. */
export function begunReply(reply: Message, parts: readonly MessagePart[]): Message {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  return { ...reply, parts: [...parts], text, state: 'streaming' }
}
