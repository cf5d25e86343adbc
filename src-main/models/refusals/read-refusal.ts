import type { ConnectionKind } from '../contract'
import type { RefusalDetails } from '../model-errors'
import type { Complaint } from '../refusal-body'
import { jsonObject, mergeFits, type RequestFit } from '../request-fit'
import { messageLesson } from './message-lessons'
import {
  asksForThinking,
  type BodyField,
  fieldAt,
  fieldsOf,
  namesField,
  partsOf,
  sameName,
  speaksOf,
} from './named-fields'
import {
  advisedIn,
  isAboutContext,
  isAboutShape,
  isAboutValue,
  isLowerBound,
  isNotOurs,
  isNotTogether,
  isUnsupported,
  kindOfValue,
  kindUnsupported,
  limitIn,
  sentencesOf,
} from './refusal-words'

/** About the key, the account, the moment or the way: the request was not read. */
const NOT_READ = new Set([401, 402, 403, 407, 408, 413, 429, 503, 504, 529])

/** The two names of one number: newer servers refuse the older name, older ones the newer. */
const OTHER_NAME: Readonly<Record<string, string>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
}

export interface SentRequest {
  /** The JSON body as it left. */
  body: string
  kind: ConnectionKind
  fit: RequestFit
}

export const isRefusal = ({ status }: Pick<RefusalDetails, 'status'>): boolean =>
  status === undefined || (status >= 400 && status < 520 && !NOT_READ.has(status))

/**
 * What a refusal teaches about requests to this model: only fields that were sent and that the server names, by
 * place or in its words. Undefined when it names none of them, or finds a value, a schema or the account wrong.
 */
export function readRefusal(refusal: RefusalDetails, sent: SentRequest): RequestFit | undefined {
  if (!isRefusal(refusal)) return undefined
  const body = jsonObject(JSON.parse(sent.body))
  const complaints = refusal.complaints
  if (!body || complaints.some(({ text, kind }) => isNotOurs(`${text} ${kind}`))) return undefined
  // a server that broke may work a moment later: then it must say that the field is why
  const broke = (refusal.status ?? 400) >= 500
  const fits = complaints.map((complaint) => {
    const ofMessages = messageLesson(complaint, body)
    if (Object.keys(ofMessages).length > 0) return ofMessages
    return broke && !saysSo(complaint) ? {} : fieldLesson(complaint, body, sent)
  })
  const learned = withoutDouble(mergeFits(...fits))
  return Object.keys(learned).length > 0 && !holds(sent.fit, learned) ? learned : undefined
}

const saysSo = ({ text, place, kind }: Complaint): boolean =>
  place !== undefined || kindUnsupported(kind) || isUnsupported(text) || isAboutValue(text)

/** Tools gone, what steers them goes with them; a field renamed or lowered is not left out as well. */
function withoutDouble(fit: RequestFit): RequestFit {
  const { leaveOut } = fit
  if (!leaveOut?.includes('tools')) return fit
  return { ...fit, leaveOut: leaveOut.filter((path) => !/^(tool_choice|parallel_tool_calls|toolConfig)/.test(path)) }
}

/** Whether everything learned was in force already: then it is not what helps. */
function holds(before: RequestFit, learned: RequestFit): boolean {
  return JSON.stringify(mergeFits(before, learned)) === JSON.stringify(mergeFits(before))
}

function fieldLesson(complaint: Complaint, body: Record<string, unknown>, sent: SentRequest): RequestFit {
  const fields = fieldsOf(body)
  const pointed = complaint.place && fieldAt(fields, complaint.place)
  if (pointed === 'inside') return {}
  if (pointed) return lessonOf(pointed, complaint, sent)
  if (complaint.place?.[0] !== undefined && /^(messages|input|contents)$/.test(complaint.place[0])) return {}
  const sentences = sentencesOf(complaint.text)
  const names = fields.map(({ name }) => name)
  // the first way that finds any: in a text that names a field, other words such as "thinking" say when, not what
  const ways: ((field: BodyField) => boolean)[] = [
    (field) => sentences.some((sentence) => namesHere(sentence, field)),
    (field) => spokenOf(field, sentences, (text, name) => speaksOf(text, name, names)),
    (field) => spokenOf(field, sentences, asksForThinking),
  ]
  const found = ways.map((way) => fields.filter(way)).find((some) => some.length > 0)
  if (!found) return {}
  // with a whole field its parts go as well
  const whole = found.filter(({ path }) => !found.some((other) => path.startsWith(`${other.path}.`)))
  const refused = whole.filter((field) => sentences.some((text) => namesHere(text, field) && isUnsupported(text)))
  const named = refused.length > 0 ? refused : whole
  // of what only goes apart the first stays
  const meant = named.length > 1 && isNotTogether(complaint.text) ? named.slice(1) : named
  return mergeFits(...meant.map((field) => lessonOf(field, complaint, sent)))
}

/** Names inside an object are often plain words (`type`, `mode`): only those of several parts count in a text. */
function namesHere(sentence: string, { path, name }: BodyField): boolean {
  const isInner = path.includes('.') && partsOf(name).length === 1
  return namesField(sentence, isInner ? path : name)
}

function spokenOf(field: BodyField, sentences: readonly string[], speaks: typeof asksForThinking): boolean {
  if (field.path.includes('.') && partsOf(field.name).length === 1) return false
  return sentences.some((sentence) => speaks(sentence, field.name) && isUnsupported(sentence))
}

function lessonOf(field: BodyField, complaint: Complaint, { kind, fit }: SentRequest): RequestFit {
  const { text } = complaint
  const about =
    sentencesOf(text)
      .filter((sentence) => namesHere(sentence, field))
      .join(' ') || text
  const unsupported = kindUnsupported(complaint.kind) || isUnsupported(about)
  const ofValue = kindOfValue(complaint.kind) || isAboutValue(text)
  if (isAboutContext(text)) return {}
  if (sameName(field.name, 'tools') && isAboutShape(text) && !kindUnsupported(complaint.kind)) return {}
  const isLength = /max|tokens|predict/i.test(field.name) && !isLowerBound(text)
  const limit = typeof field.value === 'number' && isLength ? limitIn(text, field.value) : undefined
  if (limit !== undefined && ofValue && !kindUnsupported(complaint.kind)) return { most: { [field.path]: limit } }
  if (ofValue && !unsupported) return {}
  // Claude answers nothing without it
  if (kind === 'anthropic' && field.path === 'max_tokens') return {}
  const to = otherName(field, text, fit)
  return to === undefined ? { leaveOut: [field.path] } : { rename: { [field.path]: to } }
}

/** Another name for the same thing: one the server advises, or the other of the two usual ones. */
function otherName({ path, name }: BodyField, text: string, fit: RequestFit): string | undefined {
  const wasRenamed = Object.values(fit.rename ?? {}).includes(name)
  if (path !== name || wasRenamed) return undefined
  const parts = partsOf(name)
  const advised = advisedIn(text).find(
    (other) => !sameName(other, name) && partsOf(other).filter((part) => parts.includes(part)).length > 1,
  )
  return advised ?? OTHER_NAME[name]
}
