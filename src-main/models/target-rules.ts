import type { TargetNeeds } from '../context/request-contract'
import type { ConnectionKind } from './contract'
import type { RequestFit } from './request-fit'

/** As much of a target as the shape of a request depends on. */
export interface ShapedTarget {
  connection: { kind: ConnectionKind; baseUrl?: string }
  model: { name: string }
  fit?: RequestFit
}

/** Which ids of tool calls a server takes. */
export type CallIds =
  /** Nine letters and digits: what Mistral wants, and everybody takes. */
  | 'nine'
  /** Letters, digits, `_` and `-`, at most this many characters. */
  | { most: number }
  /** Its own come back as they are; those of other models as nine. */
  | 'own'

export interface TargetRules {
  callIds: CallIds
  /** Calls without a signature of this model get the stand-in that Google documents. */
  callsNeedSignature: boolean
  /** Schemas in the plain subset that Gemini reads. */
  plainSchemas: boolean
}

function hostOf({ connection }: ShapedTarget): string {
  const { baseUrl } = connection
  return baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).hostname : ''
}

/** Mistral, Mixtral, Codestral, Ministral, Magistral, Devstral, Pixtral, Voxtral …, and whatever is built on them. */
const MISTRAL = /mistral|[a-z][sx]tral(?![a-z])/i
const GEMINI = /gemini/i
/** Its first two generations sign nothing. */
const UNSIGNED_GEMINI = /gemini[-_ ]?[12](?!\d)/i
const THINKING_MAKER = /deepseek|moonshot|kimi/i
const THINKING_HOST = /(^|\.)(deepseek\.com|moonshot\.(ai|cn)|kimi\.com)$/
const GOOGLE_HOST = /(^|\.)(generativelanguage|aiplatform)\.googleapis\.com$|-aiplatform\.googleapis\.com$/
const MISTRAL_HOST = /(^|\.)mistral\.ai$/

function isGemini(target: ShapedTarget): boolean {
  return target.connection.kind === 'google' || GEMINI.test(target.model.name) || GOOGLE_HOST.test(hostOf(target))
}

function callIdsOf(target: ShapedTarget): CallIds {
  const { kind } = target.connection
  if (MISTRAL.test(target.model.name) || MISTRAL_HOST.test(hostOf(target))) return 'nine'
  if (kind === 'anthropic') return { most: 64 }
  if (kind === 'openai') return { most: hostOf(target) === '' || hostOf(target) === 'api.openai.com' ? 64 : 40 }
  return 'own'
}

/** How calls, results and schemas are written for this model. */
export function rulesOf(target: ShapedTarget): TargetRules {
  const gemini = isGemini(target)
  const compatible = target.connection.kind === 'openai-compatible'
  return {
    callIds: callIdsOf(target),
    // Google's own adapter puts the stand-in itself
    callsNeedSignature: compatible && gemini && !UNSIGNED_GEMINI.test(target.model.name),
    plainSchemas: gemini,
  }
}

function plainReasoningOf(target: ShapedTarget): TargetNeeds['plainReasoning'] {
  const { kind } = target.connection
  const back = target.fit?.reasoningBack
  if (back === 'refused') return 'none'
  if (kind === 'ollama') return 'this-answer'
  if (kind !== 'openai-compatible') return 'none'
  if (back === 'demanded' || THINKING_HOST.test(hostOf(target))) return 'demanded'
  return THINKING_MAKER.test(target.model.name) ? 'tool-turns' : 'none'
}

/** Claude up to 4.5 goes on with its own words; newer ones refuse to, like most servers with thinking. */
const TAKES_PREFILL = /claude-(instant|[12]\b|3|(opus|sonnet|haiku)-(3|4(?![-.]?[6-9](?!\d))))/i

function takesPrefill(target: ShapedTarget): boolean {
  return (
    target.connection.kind === 'anthropic' && target.fit?.prefill !== false && TAKES_PREFILL.test(target.model.name)
  )
}

/** What assembling must know of the model. */
export function needsOf(target: ShapedTarget): TargetNeeds {
  return { plainReasoning: plainReasoningOf(target), prefill: takesPrefill(target) }
}
