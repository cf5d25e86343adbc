import { type Fields, isFields, listOf, nameOf, numbersIn, type Spoken, spokenIn } from './coerce'
import { endReasonOf } from './end-reason'
import { failureIn } from './server-words'
import { createCallGatherer } from './tool-call-gatherer'
import { noteLost, type ProtocolReader, type WireWatch } from './wire-watch'

/** The word for the end of an answer; a thing that is no word, but not nothing, is an end all the same. */
function endOf(choice: Fields): string | undefined {
  const raw = choice.finish_reason ?? choice.finishReason
  if (isFields(raw)) return nameOf(raw.reason) ?? nameOf(raw.type) ?? nameOf(raw.finish_reason) ?? 'stop'
  if (raw === true) return 'stop'
  return nameOf(Array.isArray(raw) ? raw[0] : raw)
}

/** The chunk in an event: some gateways put it into a field of their own. */
function chunkIn(event: Fields): Fields {
  if (event.choices !== undefined) return event
  return Object.values(event).find((inner): inner is Fields => isFields(inner) && inner.choices !== undefined) ?? event
}

/** Choices as a list, one alone, or by their numbers. */
function choicesIn(given: unknown): unknown[] {
  const isNumbered = isFields(given) && Object.keys(given).every((key) => /^\d+$/.test(key))
  return isNumbered ? Object.values(given) : listOf(given)
}

function choiceOf(chunk: Fields): Fields | undefined {
  const choices = choicesIn(chunk.choices).filter(isFields)
  return choices.find((choice) => choice.index === undefined || Number(choice.index) === 0) ?? choices[0]
}

/** Thoughts lie under several names; the same ones often under two at once. */
function reasoningIn(delta: Fields): string {
  for (const field of ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking', 'reasoning_details']) {
    const { text, reasoning } = spokenIn(delta[field], true)
    if (text + reasoning !== '') return text + reasoning
  }
  return ''
}

/** Chunks of `/chat/completions`, and whole answers in place of a stream, as the adapters take them. */
export function createChatReader(watch: WireWatch): ProtocolReader {
  const calls = createCallGatherer((piece) => noteLost(watch, piece))
  let spoke = false
  let cut = false
  /** Nothing of the answer was read yet, and the first event that may have held some of it. */
  let silent = true
  let passed: Fields | undefined

  const chunk = (delta: Fields, end?: string, usage?: Fields) => ({
    choices: [{ index: 0, delta, finish_reason: end ?? null }],
    ...(usage ? { usage } : {}),
  })
  /** Chunks that hold text and nothing else, and their deltas. */
  const plain = new WeakMap<object, { content: string }>()

  const wordsOf = (choice: Fields): { delta: Fields; spoken: Spoken } => {
    const given = choice.delta ?? (spoke ? undefined : (choice.message ?? choice.text))
    const delta = isFields(given) ? given : {}
    const spoken = spokenIn(isFields(given) ? delta.content : given)
    return { delta, spoken }
  }

  const read = (whole: Fields): object[] => {
    const event = chunkIn(whole)
    const usage = numbersIn(listOf(event.usage ?? whole.usage)[0])
    const choice = choiceOf(event)
    if (!choice) {
      if (Object.values(event).some(isFields)) passed ??= event
      return usage ? [{ choices: [], usage }] : []
    }
    const failure = failureIn({ error: choice.error }, { carries: true })
    if (failure) watch.failure = failure
    const { delta, spoken } = wordsOf(choice)
    if (spoken.unread) noteLost(watch, delta.content)
    const reasoning = reasoningIn(delta) + spoken.reasoning
    const refusal = typeof delta.refusal === 'string' ? delta.refusal : ''
    for (const piece of listOf(delta.tool_calls)) calls.add(piece)
    if (isFields(delta.function_call)) calls.add({ index: 0, function: delta.function_call })
    const end = endOf(choice)
    const out: Fields = {
      ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
      ...(spoken.text === '' ? {} : { content: spoken.text }),
      ...(refusal === '' ? {} : { refusal }),
    }
    if (spoken.text + refusal !== '') spoke = true
    if (spoke || reasoning !== '' || calls.open) silent = false
    if (end !== undefined) {
      watch.ended = true
      cut = endReasonOf(end) === 'length'
      if (calls.open) out.tool_calls = calls.take(cut)
    }
    if (Object.keys(out).length === 0 && end === undefined && !usage) return []
    const made = chunk(out, end, usage)
    const textOnly = spoken.text !== '' && reasoning + refusal === '' && end === undefined && !usage
    if (textOnly) plain.set(made, out as { content: string })
    return [made]
  }

  return {
    carries: (event) => choiceOf(chunkIn(event)) !== undefined || isFields(event.usage),
    read,
    join(pieces) {
      const joined: object[] = []
      for (const piece of pieces) {
        const last = plain.get(joined.at(-1) ?? pieces)
        const next = plain.get(piece)
        if (last && next) last.content += next.content
        else joined.push(piece)
      }
      return joined
    },
    end(properly) {
      if (silent && !calls.open && passed) noteLost(watch, passed)
      return properly && calls.open ? [chunk({ tool_calls: calls.take(cut) })] : []
    },
  }
}
