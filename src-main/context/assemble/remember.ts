import type { Message } from '../../sessions/contract'

/** In all that a message's place in a request depends on; its siblings are not among it. */
function saysTheSame(one: Message, other: Message): boolean {
  return (
    one.id === other.id &&
    one.role === other.role &&
    one.state === other.state &&
    one.text === other.text &&
    one.attachments === other.attachments &&
    one.createdAt === other.createdAt &&
    one.modelId === other.modelId
  )
}

/**
 * Remembers one value per stored message, for one way of making it. A message's object is made anew at every reading
 * (its siblings may change), its parts are not: so the parts are the key. A growing answer is never remembered.
 */
export function rememberPerMessage<T>(): (message: Message, way: string, make: (message: Message) => T) => T {
  const known = new WeakMap<Message['parts'], { message: Message; way: string; value: T }>()
  return (message, way, make) => {
    if (message.state === 'streaming') return make(message)
    const hit = known.get(message.parts)
    if (hit && hit.way === way && saysTheSame(hit.message, message)) return hit.value
    const value = make(message)
    known.set(message.parts, { message, way, value })
    return value
  }
}
