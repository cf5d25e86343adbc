import type { Complaint } from '../refusal-body'
import { jsonObject, type RequestFit } from '../request-fit'
import { isUnsupported } from './refusal-words'

const REASONING = /reasoning_?(content|details)/i
const DEMANDED =
  /missing|required|\bneeds?\b|must (be (passed|provided|included|present|sent)|have|contain|include)|passed? back|expected|回传|缺少|必须/i
const NULL_CONTENT = /\b(null|nil|none|nonetype|undefined|empty|blank|string|required|missing)\b|不能为空/i
const OTHER_CONTENT = /content[-_ ]?(policy|filter|management|moderation|length|safety)|image|audio|file/i
const PREFILL =
  /pre-?fill|\b(last|final)\b.{0,20}\b(message|role|turn|content|assistant)\b|\bend(s|ing)?\b (with|in|on) (an? |the )?\W?(assistant|user|model)|assistant\b.{0,40}\b(at the end|be last|last position)|最后一条/i

function messagesOf(body: Record<string, unknown>): Record<string, unknown>[] {
  const list = body.messages ?? body.contents
  return Array.isArray(list) ? list.map((message) => jsonObject(message) ?? {}) : []
}

const isModels = (message: Record<string, unknown> | undefined): boolean =>
  message?.role === 'assistant' || message?.role === 'model'

const hasNull = (message: Record<string, unknown> | undefined): boolean =>
  isModels(message) && message !== undefined && (message.content ?? null) === null && !('parts' in message)

/** What a complaint says about the messages themselves. */
export function messageLesson(complaint: Complaint, body: Record<string, unknown>): RequestFit {
  const messages = messagesOf(body)
  const { text } = complaint
  const place = complaint.place?.[0] === 'messages' ? complaint.place : undefined
  const pointed = place && /^\d+$/.test(place[1] ?? '') ? messages[Number(place[1])] : undefined
  const everything = `${text} ${place?.join('.') ?? ''}`

  if (REASONING.test(everything) && messages.some(isModels)) {
    const sent = messages.some((message) =>
      Object.keys(message).some((name) => REASONING.test(name) || name === 'reasoning'),
    )
    const demanded = DEMANDED.test(text) && !isUnsupported(text)
    if (sent) return { reasoningBack: demanded ? 'demanded' : 'refused' }
    return isUnsupported(text) && !demanded ? {} : { reasoningBack: 'demanded' }
  }
  if (isModels(messages.at(-1))) {
    const pointsAtLast = pointed !== undefined && pointed === messages.at(-1) && (place?.[2] ?? 'role') === 'role'
    if (pointsAtLast || PREFILL.test(text)) return { prefill: false }
  }
  if (messages.some(hasNull) && !OTHER_CONTENT.test(text)) {
    const pointsAtContent = place?.[2] === 'content' && hasNull(pointed)
    if (pointsAtContent || (/\bcontent\b/i.test(everything) && NULL_CONTENT.test(text))) return { emptyContent: true }
  }
  return {}
}
