import type { Message } from '../../sessions/contract'

/** All of a message that its place in a request depends on; its siblings are not among it. */
const TELLING = ['id', 'role', 'state', 'text', 'attachments', 'createdAt', 'modelId'] as const

function saysTheSame(one: Message, other: Message): boolean {
  for (const field of TELLING) if (one[field] !== other[field]) return false
  return true
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
