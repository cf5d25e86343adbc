import { type Fields, fieldsOf, isFields, listOf, nameOf, numbersIn, spokenIn } from './coerce'
import { noteLost, type ProtocolReader, type WireWatch } from './wire-watch'

function callIn(part: Fields): Fields | undefined {
  const call = part.functionCall ?? part.function_call
  return isFields(call) ? call : undefined
}

/** One part of an answer as the adapter takes it; undefined for one that holds nothing for people. */
function partOf(raw: unknown, watch: WireWatch): Fields | undefined {
  if (!isFields(raw)) {
    const { text } = spokenIn(raw)
    return text === '' ? undefined : { text }
  }
  const signature = nameOf(raw.thoughtSignature ?? raw.thought_signature)
  const rest = signature === undefined ? {} : { thoughtSignature: signature }
  const call = callIn(raw)
  if (call) {
    const name = nameOf(call.name)
    if (name === undefined) {
      noteLost(watch, raw)
      return undefined
    }
    const id = nameOf(call.id)
    return { functionCall: { name, args: argumentsIn(call.args), ...(id === undefined ? {} : { id }) }, ...rest }
  }
  const { text, reasoning, unread } = spokenIn(raw.text)
  if (unread) noteLost(watch, raw.text)
  if (raw.text === undefined && signature === undefined) return undefined
  const thought = raw.thought === true || raw.thought === 'true' || reasoning !== ''
  return { text: text + reasoning, ...(thought ? { thought } : {}), ...rest }
}

/** Arguments belong in an object; some relays write it as text. */
function argumentsIn(args: unknown): unknown {
  if (typeof args !== 'string') return args ?? {}
  try {
    return JSON.parse(args)
  } catch {
    return args
  }
}

/** Chunks of `:streamGenerateContent`, and whole answers in place of a stream, as the adapter takes them. */
export function createGoogleReader(watch: WireWatch): ProtocolReader {
  const candidateOf = (event: Fields): Fields | undefined => listOf(event.candidates).find(isFields)
  return {
    carries: (event) =>
      candidateOf(event) !== undefined || isFields(event.usageMetadata) || isFields(event.promptFeedback),
    read(event) {
      const candidate = candidateOf(event)
      const content = candidate?.content
      const parts = listOf(isFields(content) ? content.parts : content)
        .map((part) => partOf(part, watch))
        .filter((part) => part !== undefined)
      const reason = nameOf(candidate?.finishReason)
      const usage = numbersIn(event.usageMetadata, 1)
      const blocked = nameOf(fieldsOf(event.promptFeedback).blockReason)
      if (reason !== undefined || blocked !== undefined) watch.ended = true
      return [
        {
          ...(candidate
            ? { candidates: [{ content: { parts }, ...(reason === undefined ? {} : { finishReason: reason }) }] }
            : {}),
          ...(usage ? { usageMetadata: usage } : {}),
          ...(blocked === undefined ? {} : { promptFeedback: { blockReason: blocked } }),
        },
      ]
    },
    end: () => [],
  }
}
