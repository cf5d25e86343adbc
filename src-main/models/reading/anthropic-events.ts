import { type Fields, fieldsOf, isFields, listOf, nameOf, numberOf, numbersIn, spokenIn, wordsIn } from './coerce'
import { noteLost, type ProtocolReader, type WireWatch } from './wire-watch'

type BlockType = 'text' | 'thinking' | 'tool_use' | 'redacted_thinking'

interface OpenBlock {
  /** The number the adapter knows it by: every block gets one of its own, whatever the server counts. */
  index: number
  type: BlockType | 'skipped'
}

const EVENTS = /^(message_start|message_delta|message_stop|content_block_\w+|ping|message)$/

/** Of a delta, what kind of block it belongs to. */
function kindOf(delta: Fields): BlockType | 'signature' | undefined {
  if (delta.partial_json !== undefined) return 'tool_use'
  if (delta.signature !== undefined) return 'signature'
  if (delta.thinking !== undefined) return 'thinking'
  return delta.text === undefined ? undefined : 'text'
}

/** Events of `/messages`, and whole answers in place of a stream, as the adapter takes them. */
export function createAnthropicReader(watch: WireWatch): ProtocolReader {
  const open = new Map<unknown, OpenBlock>()
  let blocks = 0
  let lastKey: unknown

  const start = (key: unknown, type: OpenBlock['type'], block: Fields): object[] => {
    const before = stop(key)
    lastKey = key
    if (type === 'skipped') {
      open.set(key, { index: -1, type })
      return before
    }
    const index = blocks++
    open.set(key, { index, type })
    return [...before, { type: 'content_block_start', index, content_block: { type, ...block } }]
  }
  const stop = (key: unknown): object[] => {
    const block = open.get(key)
    open.delete(key)
    return !block || block.type === 'skipped' ? [] : [{ type: 'content_block_stop', index: block.index }]
  }
  const stopAll = (): object[] => [...open.keys()].flatMap(stop)

  /** A piece of text or thought, in a block of its own kind: a start may have been left out. */
  const say = (key: unknown, type: 'text' | 'thinking', words: string): object[] => {
    if (words === '') return []
    const begun = open.get(key)?.type === type ? [] : start(key, type, { [type]: '' })
    const index = open.get(key)?.index
    return [...begun, { type: 'content_block_delta', index, delta: { type: `${type}_delta`, [type]: words } }]
  }

  const startBlock = (key: unknown, block: Fields): object[] => {
    const type = nameOf(block.type)
    if (type === 'tool_use') return startCall(key, block)
    if (type === 'redacted_thinking') return start(key, type, { data: wordsIn(block.data) })
    if (type === 'text' || type === 'thinking') {
      const signed = nameOf(block.signature)
      return [
        ...start(key, type, { [type]: '' }),
        ...say(key, type, wordsIn(block[type])),
        ...(signed === undefined ? [] : signature(key, signed)),
      ]
    }
    const { text, reasoning } = spokenIn(block)
    if (text + reasoning === '') return start(key, 'skipped', {})
    return reasoning === '' ? say(key, 'text', text) : say(key, 'thinking', reasoning + text)
  }
  const startCall = (key: unknown, block: Fields): object[] => {
    const name = nameOf(block.name)
    if (name === undefined) {
      noteLost(watch, block)
      return start(key, 'skipped', {})
    }
    const input = isFields(block.input) ? block.input : {}
    const begun = start(key, 'tool_use', { id: nameOf(block.id) ?? `call_${blocks + 1}`, name, input })
    return typeof block.input === 'string' ? [...begun, ...argumentsOf(key, block.input)] : begun
  }
  const argumentsOf = (key: unknown, given: unknown): object[] => {
    const block = open.get(key)
    if (block?.type !== 'tool_use') {
      if (!block) noteLost(watch, given)
      return []
    }
    const json = typeof given === 'string' ? given : JSON.stringify(given ?? '')
    return [
      { type: 'content_block_delta', index: block.index, delta: { type: 'input_json_delta', partial_json: json } },
    ]
  }
  const signature = (key: unknown, signed: string): object[] => {
    const block = open.get(key)
    return block?.type === 'thinking'
      ? [{ type: 'content_block_delta', index: block.index, delta: { type: 'signature_delta', signature: signed } }]
      : []
  }

  const readDelta = (key: unknown, delta: Fields): object[] => {
    switch (kindOf(delta)) {
      case 'tool_use':
        return argumentsOf(key, delta.partial_json)
      case 'signature':
        return signature(key, wordsIn(delta.signature))
      case 'thinking':
        return say(key, 'thinking', wordsIn(delta.thinking))
      case 'text':
        return say(key, 'text', wordsIn(delta.text))
      default:
        return []
    }
  }

  const readStart = (message: Fields): object => {
    const usage = { input_tokens: 0, ...numbersIn(message.usage) }
    return { type: 'message_start', message: { id: nameOf(message.id), model: nameOf(message.model), usage } }
  }
  const readEnd = (event: Fields): object[] => {
    const reason = nameOf(fieldsOf(event.delta).stop_reason ?? event.stop_reason)
    const usage = { output_tokens: 0, ...numbersIn(event.usage) }
    if (reason !== undefined) watch.ended = true
    return [
      ...(reason === undefined ? [] : stopAll()),
      { type: 'message_delta', delta: { stop_reason: reason ?? null }, usage },
    ]
  }
  const readWhole = (message: Fields): object[] => {
    const parts = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content
    const content = listOf(parts).flatMap((block, at) => [...startBlock(at, fieldsOf(block)), ...stop(at)])
    watch.done = true
    return [readStart(message), ...content, ...readEnd(message), { type: 'message_stop' }]
  }

  return {
    carries: (event, name) => EVENTS.test(nameOf(event.type) ?? name ?? '') || isFields(event.delta),
    read(event, name) {
      const key = numberOf(event.index) ?? lastKey ?? 0
      switch (nameOf(event.type) ?? name) {
        case 'message':
          return readWhole(event)
        case 'message_start':
          return [readStart(fieldsOf(event.message))]
        case 'content_block_start':
          return startBlock(numberOf(event.index) ?? `own ${blocks}`, fieldsOf(event.content_block))
        case 'content_block_stop':
          return stop(key)
        case 'message_delta':
          return readEnd(event)
        case 'message_stop':
          watch.done = true
          return [...stopAll(), { type: 'message_stop' }]
        default:
          return isFields(event.delta) ? readDelta(key, event.delta) : []
      }
    },
    end: (properly) => (properly ? stopAll() : []),
  }
}
