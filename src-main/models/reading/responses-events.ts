import { type Fields, fieldsOf, isFields, listOf, nameOf, numberOf, numbersIn, wordsIn } from './coerce'
import { failureIn, ServerSaid } from './server-words'
import { noteLost, type ProtocolReader, type WireWatch } from './wire-watch'

interface GatheredCall {
  id: string
  callId: string | undefined
  name: string | undefined
  arguments: string
}

const DELTAS = /^response\.(output_text|refusal)\.delta$/

/** Events of `/responses`, and whole answers in place of a stream, as the adapter takes them. */
export function createResponsesReader(watch: WireWatch): ProtocolReader {
  const begun = new Map<string, 'message' | 'reasoning'>()
  const summaries = new Set<string>()
  const calls = new Map<string, GatheredCall>()
  let items = 0
  let spoke = false

  const keyOf = (event: Fields): string =>
    nameOf(event.item_id) ?? nameOf(fieldsOf(event.item).id) ?? `item ${nameOf(event.output_index) ?? 0}`
  const begin = (id: string, type: 'message' | 'reasoning', more: Fields = {}): object[] => {
    if (begun.has(id)) return []
    begun.set(id, type)
    return [{ type: 'response.output_item.added', output_index: items++, item: { type, id, ...more } }]
  }
  const say = (id: string, type: string, delta: unknown): object[] => {
    const words = wordsIn(delta)
    if (words === '') return []
    spoke = true
    return [...begin(id, 'message'), { type, item_id: id, delta: words }]
  }
  const think = (id: string, index: number, delta: unknown): object[] => {
    const added = summaries.has(`${id} ${index}`)
      ? []
      : [{ type: 'response.reasoning_summary_part.added', item_id: id, summary_index: index }]
    summaries.add(`${id} ${index}`)
    const words = wordsIn(delta)
    const piece = { type: 'response.reasoning_summary_text.delta', item_id: id, summary_index: index, delta: words }
    return [...begin(id, 'reasoning'), ...added, ...(words === '' ? [] : [piece])]
  }

  const callOf = (key: string): GatheredCall => {
    const call = calls.get(key) ?? { id: key, callId: undefined, name: undefined, arguments: '' }
    calls.set(key, call)
    return call
  }
  const fillCall = (key: string, item: Fields): GatheredCall => {
    const call = callOf(key)
    call.callId = nameOf(item.call_id) ?? call.callId
    call.name = nameOf(item.name) ?? call.name
    const given = item.arguments
    const text = typeof given === 'string' ? given : given === undefined || given === null ? '' : JSON.stringify(given)
    if (text !== '') call.arguments = text
    return call
  }
  const closeCall = (call: GatheredCall): object[] => {
    calls.delete(call.id)
    if (call.name === undefined) {
      noteLost(watch, call)
      return []
    }
    const output_index = items++
    const item = {
      type: 'function_call',
      id: call.id,
      call_id: call.callId ?? call.id,
      name: call.name,
      arguments: call.arguments === '' ? '{}' : call.arguments,
    }
    return [
      { type: 'response.output_item.added', output_index, item: { ...item, arguments: '' } },
      { type: 'response.output_item.done', output_index, item: { ...item, status: 'completed' } },
    ]
  }

  const readItem = (key: string, item: Fields, done: boolean): object[] => {
    if (item.type === 'function_call') {
      const call = fillCall(key, item)
      return done ? closeCall(call) : []
    }
    if (item.type !== 'message' && item.type !== 'reasoning') return []
    const encrypted = nameOf(item.encrypted_content)
    const more = encrypted === undefined ? {} : { encrypted_content: encrypted }
    const added = begin(key, item.type, more)
    if (!done) return added
    // relays that send no pieces, only the item when it is whole
    const whole =
      added.length === 0
        ? []
        : item.type === 'message'
          ? say(key, 'response.output_text.delta', item.content)
          : listOf(item.summary).flatMap((part, at) => think(key, at, part))
    const output_index = items
    return [
      ...added,
      ...whole,
      { type: 'response.output_item.done', output_index, item: { type: item.type, id: key, ...more } },
    ]
  }

  const readEnd = (type: string, response: Fields): object[] => {
    const whole = spoke || begun.size > 0 ? [] : listOf(response.output)
    const items = whole.flatMap((item, at) => readItem(nameOf(fieldsOf(item).id) ?? `item ${at}`, fieldsOf(item), true))
    const open = [...calls.values()].flatMap(closeCall)
    const reason = nameOf(fieldsOf(response.incomplete_details).reason)
    const usage = isFields(response.usage)
      ? { input_tokens: 0, output_tokens: 0, ...numbersIn(response.usage) }
      : undefined
    watch.ended = true
    watch.done = true
    const end = { ...(reason === undefined ? {} : { incomplete_details: { reason } }), ...(usage ? { usage } : {}) }
    return [...items, ...open, { type, response: end }]
  }

  const readWhole = (response: Fields): object[] =>
    readEnd(response.status === 'incomplete' ? 'response.incomplete' : 'response.completed', response)

  return {
    carries: (event) => /^response\./.test(nameOf(event.type) ?? '') || event.object === 'response',
    read(event) {
      const type = nameOf(event.type) ?? ''
      const key = keyOf(event)
      if (event.object === 'response') return readWhole(event)
      if (DELTAS.test(type)) return say(key, type, event.delta)
      switch (type) {
        case 'response.output_item.added':
        case 'response.output_item.done':
          return readItem(key, fieldsOf(event.item), type.endsWith('done'))
        case 'response.function_call_arguments.delta':
          callOf(key).arguments += wordsIn(event.delta)
          return []
        case 'response.function_call_arguments.done':
          fillCall(key, event)
          return []
        case 'response.reasoning_summary_part.added':
        case 'response.reasoning_summary_text.delta':
        case 'response.reasoning_text.delta':
          return think(key, numberOf(event.summary_index) ?? 0, event.delta)
        case 'response.completed':
        case 'response.incomplete':
          return readEnd(type, fieldsOf(event.response))
        case 'response.failed':
          watch.failure = failureIn(event.response, { carries: false }) ?? new ServerSaid('response.failed')
          return []
        default:
          return []
      }
    },
    end: (properly) => (properly ? [...calls.values()].flatMap(closeCall) : []),
  }
}
