import { createHash } from 'node:crypto'
import type { RequestPart, WireMessage } from '../context/request-contract'
import type { CallIds } from './target-rules'

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const NINE = /^[a-zA-Z0-9]{9}$/
const COMMON = /^[a-zA-Z0-9_-]+$/

type Call = Extract<RequestPart, { type: 'tool-call' }>

/** Nine letters and digits that any server takes, the same for the same text. */
function nineOf(text: string): string {
  let rest = createHash('sha256').update(text).digest().readBigUInt64BE()
  let made = ''
  for (let at = 0; at < 9; at += 1) {
    made += LETTERS[Number(rest % 62n)]
    rest /= 62n
  }
  return made
}

function fits({ callId, foreign }: Call, rule: CallIds): boolean {
  if (callId === '') return false
  if (rule === 'nine') return NINE.test(callId)
  if (rule === 'own') return !foreign || NINE.test(callId)
  return callId.length <= rule.most && COMMON.test(callId)
}

/** Hands out ids from the front to the back: what stands further down never changes what stands above. */
function createIds(rule: CallIds): (call: Call) => string {
  const taken = new Set<string>()
  return (call) => {
    let id = call.callId
    for (let n = 1; taken.has(id) || (n === 1 && !fits(call, rule)); n += 1) id = nineOf(`${n} ${call.callId}`)
    taken.add(id)
    return id
  }
}

/**
 * Calls and their results under ids this server takes, no id twice in a request. What fits stays; the same request gives
 * the same ids, and a longer one gives its beginning the same ids.
 */
export function withCallIds(messages: readonly WireMessage[], rule: CallIds): readonly WireMessage[] {
  const idFor = createIds(rule)
  /** By stored id: the newest call with it, which is the one a result that follows belongs to. */
  const newest = new Map<string, string>()
  return messages.map((message) => {
    if (!message.parts.some((part) => part.type === 'tool-call' || part.type === 'tool-result')) return message
    const parts = message.parts.map((part): RequestPart => {
      if (part.type === 'tool-call') {
        const callId = idFor(part)
        newest.set(part.callId, callId)
        return callId === part.callId ? part : { ...part, callId }
      }
      if (part.type !== 'tool-result') return part
      return { ...part, callId: newest.get(part.callId) ?? part.callId }
    })
    return { ...message, parts }
  })
}
