import type { ConnectionKind, WireProfile } from './contract'

const STRICT: WireProfile = {
  leadingSystems: 'one',
  midSystem: 'none',
  alternate: true,
  userFirst: true,
  marks: 'none',
  usageShape: 'openai',
}
const OPENAI: WireProfile = {
  leadingSystems: 'many',
  midSystem: 'anywhere',
  alternate: false,
  userFirst: false,
  marks: 'openai',
  minCacheTokens: 1024,
  usageShape: 'openai',
}
const ROUTER: WireProfile = { ...OPENAI, midSystem: 'none', marks: 'none', minCacheTokens: 0 }
const GOOGLE: WireProfile = { ...STRICT, leadingSystems: 'many', usageShape: 'google' }

const OPENAI_HOST = /(^|\.)(openai\.com|openai\.azure\.com|cognitiveservices\.azure\.com)$/
const ROUTER_HOST = /(^|\.)(openrouter\.ai|deepseek\.com|groq\.com|x\.ai)$/

/** Claude Opus 4.8 was the first model to take a system message in mid-conversation; newer ones all do. */
function takesMidSystem(model: string): boolean {
  const name = model.toLowerCase()
  if (!name.includes('claude')) return false
  const version = /claude-(?:[a-z]+-)(\d+)(?:[-.](\d{1,2}))?(?!\d)/.exec(name)
  if (!version) return false
  const major = Number(version[1])
  const minor = Number(version[2] ?? 0)
  return major >= 5 || (major === 4 && minor >= 8 && name.includes('opus'))
}

/** Smallest prefix Anthropic caches, tokens, by model family. */
function anthropicCacheFloor(model: string): number {
  if (/haiku-4|opus-4-[5-9]/.test(model)) return 4096
  return /haiku/.test(model) ? 2048 : 1024
}

function anthropicProfile(model: string): WireProfile {
  return {
    leadingSystems: 'many',
    midSystem: takesMidSystem(model) ? 'anthropic' : 'none',
    // the adapter joins neighbours of one role into one message itself
    alternate: false,
    userFirst: true,
    marks: 'anthropic4',
    minCacheTokens: anthropicCacheFloor(model),
    usageShape: 'anthropic',
  }
}

/** Gemma 1–3 and the first Mistral templates know no system role at all. */
function knowsNoSystem(model: string): boolean {
  const name = model.toLowerCase()
  if (/gemma/.test(name)) return !/gemma[-_]?([4-9]|\d\d)(?![\d.]*b)/.test(name)
  return /mixtral|mistral[-:_]?7b|mistral[-:](latest|instruct|text)|^mistral$|mistral-7b-instruct-v0\.[1-3]/.test(name)
}

/** OpenAI itself or Azure: they know parameters that compatible servers do not, and the other way round. */
export function isOpenAiHost(baseUrl: string): boolean {
  return OPENAI_HOST.test(hostOf(baseUrl))
}

function hostOf(baseUrl: string | undefined): string {
  return baseUrl && URL.canParse(baseUrl) ? new URL(baseUrl).hostname : ''
}

/**
 * How a server wants its messages before anything was learned about it. Anything unknown gets the strictest common
 * form: one leading system message, nothing in mid-conversation, strict alternation that begins with the user.
 */
export function defaultProfile(kind: ConnectionKind, options: { baseUrl?: string; model?: string } = {}): WireProfile {
  const model = options.model ?? ''
  const host = hostOf(options.baseUrl)
  switch (kind) {
    case 'dry-run':
      return OPENAI
    case 'openai':
      return OPENAI
    case 'anthropic':
      return anthropicProfile(model)
    case 'google':
      return knowsNoSystem(model) ? { ...GOOGLE, leadingSystems: 'inUser' } : GOOGLE
    case 'ollama':
      return { ...STRICT, leadingSystems: knowsNoSystem(model) ? 'inUser' : 'one', usageShape: 'ollama' }
    case 'openai-compatible': {
      if (OPENAI_HOST.test(host)) return OPENAI
      if (ROUTER_HOST.test(host)) return knowsNoSystem(model) ? { ...ROUTER, leadingSystems: 'inUser' } : ROUTER
      return knowsNoSystem(model) ? { ...STRICT, leadingSystems: 'inUser' } : STRICT
    }
  }
}

/** A partial profile as zod hands it over: a missing field may also be there as undefined. */
export type ProfilePatch = { [Field in keyof WireProfile]?: WireProfile[Field] | undefined }

/** Later ones win; undefined fields say nothing. */
export function mergeProfile(base: WireProfile, ...patches: readonly ProfilePatch[]): WireProfile {
  const profile = { ...base }
  for (const patch of patches) {
    Object.assign(profile, Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)))
  }
  return profile
}

export interface Tightened {
  profile: WireProfile
  /** The fields that changed: what is remembered on the connection. */
  changed: ProfilePatch
  /** One plain sentence for people. */
  what: string
}

const SYSTEMS_FIRST =
  /system (message|prompt|role)s?.{0,60}(must|should|can only|only|has to|need).{0,40}(begin|first|start|top)|system.{0,40}(must be|only allowed|only supported|is only).{0,20}at the (beginning|start)|unexpected.{0,20}system.{0,20}(role|message)|messages?\[[1-9]\d*\].{0,40}role.{0,20}system/i
const SEVERAL_SYSTEMS = /(only|at most|more than) one system|multiple system|single system message/i
const ALTERNATE =
  /roles? must alternate|must alternate|alternat\w* (between )?user|consecutive (user|assistant|messages)/i
const USER_FIRST =
  /(first|initial) (non-system )?message.{0,40}(must|should).{0,20}user|(must|should) (start|begin) with (a |the )?user/i
const NO_ROLE =
  /system role (is )?not supported|(role|message).{0,20}system.{0,40}(not supported|unsupported|not allowed|invalid|not permitted)|does(n't| not) support.{0,20}system (role|message|prompt|instruction)|(developer|system) instructions? (is|are) not enabled|only (user|"user").{0,20}(and|or).{0,10}assistant.{0,5} roles are supported/i

function step(profile: WireProfile, changed: ProfilePatch, what: string): Tightened {
  return { profile: mergeProfile(profile, changed), changed, what }
}

function fewerSystems(profile: WireProfile): Tightened | undefined {
  if (profile.midSystem !== 'none') {
    return step(profile, { midSystem: 'none' }, 'This server takes system messages only at the beginning.')
  }
  if (profile.leadingSystems === 'many') {
    return step(profile, { leadingSystems: 'one' }, 'This server takes only one system message.')
  }
  return noSystem(profile)
}

function noSystem(profile: WireProfile): Tightened | undefined {
  if (profile.midSystem !== 'none') {
    return step(profile, { midSystem: 'none' }, 'This model takes no system message in mid-conversation.')
  }
  if (profile.leadingSystems === 'inUser') return undefined
  return step(
    profile,
    { leadingSystems: 'inUser' },
    'This model knows no system role: instructions go into the first user message.',
  )
}

function stricterTurns(profile: WireProfile): Tightened | undefined {
  if (!profile.alternate || !profile.userFirst) {
    return step(
      profile,
      { alternate: true, userFirst: true },
      'This server wants user and assistant messages strictly in turn.',
    )
  }
  return fewerSystems(profile)
}

/**
 * One step stricter, when a refusal's text (HTTP 400 or 500) says that the order of roles was the reason; undefined
 * when it says something else or the profile is already as strict as can be.
 */
export function tighten(profile: WireProfile, errorText: string): Tightened | undefined {
  if (ALTERNATE.test(errorText)) return stricterTurns(profile)
  if (NO_ROLE.test(errorText)) return noSystem(profile)
  if (SYSTEMS_FIRST.test(errorText) || SEVERAL_SYSTEMS.test(errorText)) return fewerSystems(profile)
  if (USER_FIRST.test(errorText) && !profile.userFirst) {
    return step(profile, { userFirst: true }, 'This server wants the first message to be the user’s.')
  }
  return undefined
}
