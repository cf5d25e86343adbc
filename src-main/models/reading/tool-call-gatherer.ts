import { type Fields, fieldsOf, nameOf, numberOf } from './coerce'
import { parseJson } from './lenient-json'

interface GatheredCall {
  index: number | undefined
  id: string | undefined
  name: string
  arguments: string
  /** The piece that came last: some servers send in each all they have so far. */
  last: string
  /** What a provider wants back with the call. */
  extra: unknown
}

const isObject = (text: string): boolean => /^\s*\{/.test(text) && isWhole(text)
const isWhole = (text: string): boolean => parseJson(text) !== undefined

/** Whether a piece that has a name, or an id not seen yet, begins another call than this one. */
function beginsAnother(call: GatheredCall, piece: { id: string | undefined; name: string; text: string }): boolean {
  if (piece.id !== undefined && call.id !== undefined && piece.id !== call.id) return piece.name !== ''
  if (piece.id !== undefined && piece.id === call.id) return false
  if (piece.name === '' || call.name === '') return false
  return isWhole(call.arguments) && /^\s*[{[]/.test(piece.text)
}

/**
 * Puts the pieces of tool calls together. Servers leave out the index, the id or the type, repeat names, give every call
 * the same index, or the arguments as an object: a call is known by its index, else by its id, else it is the last one.
 */
export function createCallGatherer(onLost: (piece: unknown) => void) {
  let calls: GatheredCall[] = []
  let handedOver = 0

  const find = (piece: { index: number | undefined; id: string | undefined; name: string; text: string }) => {
    const byIndex = calls.findLast((call) => call.index !== undefined && call.index === piece.index)
    const byId = calls.findLast((call) => call.id !== undefined && call.id === piece.id)
    const last = calls.at(-1)
    const found =
      piece.index !== undefined ? byIndex : piece.id !== undefined ? byId : piece.name === '' ? last : undefined
    if (found && !beginsAnother(found, piece)) return found
    return undefined
  }

  return {
    /** One piece as it came. */
    add(raw: unknown): void {
      const piece = fieldsOf(raw)
      const inner = fieldsOf(piece.function ?? piece.function_call ?? piece)
      const name = nameOf(inner.name) ?? ''
      const given = inner.arguments ?? inner.parameters ?? inner.input ?? inner.args
      const text =
        typeof given === 'string' ? given : given === undefined || given === null ? '' : JSON.stringify(given)
      const place = { index: numberOf(piece.index), id: nameOf(piece.id) ?? nameOf(piece.call_id), name, text }
      const known = find(place)
      if (!known) {
        if (name === '' && text === '' && place.id === undefined) return
        const { index, id } = place
        calls.push({ index, id, name, arguments: text, last: text, extra: piece.extra_content })
        return
      }
      known.id ??= place.id
      if (known.name === '') known.name = name
      known.extra ??= piece.extra_content
      // a whole object after pieces of itself is the same thing once more
      if (typeof given === 'object' && given !== null) known.arguments = text
      else known.arguments += text
      known.last = text
    },
    get open(): boolean {
      return calls.length > 0
    },
    /** The calls gathered so far, whole. `cut`: the answer ran into its limit, so the last one may be a torso. */
    take(cut: boolean): Fields[] {
      for (const call of calls) {
        if (!isWhole(call.arguments) && isObject(call.last)) call.arguments = call.last
      }
      const whole = calls.filter((call, at) => {
        const torso = cut && at === calls.length - 1 && call.arguments !== '' && !isWhole(call.arguments)
        if (call.name === '' && !torso) onLost({ tool_call: call.arguments })
        return call.name !== '' && !torso
      })
      calls = []
      return whole.map((call) => ({
        index: handedOver++,
        id: call.id ?? `call_${handedOver}`,
        type: 'function',
        function: { name: call.name, arguments: call.arguments.trim() === '' ? '{}' : call.arguments },
        ...(call.extra === undefined ? {} : { extra_content: thoughtSignature(call.extra) }),
      }))
    },
  }
}

/** Gemini's compatible address wants it back; anything else under this name is nobody's. */
function thoughtSignature(extra: unknown): Fields {
  const signature = fieldsOf(fieldsOf(extra).google).thought_signature
  return typeof signature === 'string' ? { google: { thought_signature: signature } } : {}
}
