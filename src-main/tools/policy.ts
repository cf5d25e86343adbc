import { type Said, textOf, type Words } from '../ipc/said-contract'
import type { ToolChoices } from '../sessions/contract'
import type { ApprovalScope, ToolOrigin, ToolPolicy, ToolReason } from './contract'

/** What the policy must know of one tool. Which server it belongs to and how that is doing come in, nothing is looked up. */
export interface ToolSubject {
  id: string
  origin: ToolOrigin
  enabled: boolean
  policy: ToolPolicy
  /** What a built-in tool depends on. */
  needs?: 'memory-write' | 'memory-search'
  server?: {
    id: string
    selectedForChat: boolean
    state: 'stopped' | 'starting' | 'ready' | 'failed'
    lastError?: Said
  }
  /** Of its definition. A permission holds for the one it was given for; what is part of the app has none. */
  fingerprint?: string
  /** Why the tool cannot be offered to any model, such as a schema that is too large. */
  unusable?: Said
}

/** The one situation all tools of a turn are judged in. No session = the tool centre's general view. */
export interface ToolSituation {
  isolated: boolean
  temporary: boolean
  modelHasTools: boolean
  memory: { enabled: boolean; write: boolean; activeRetrieval: boolean; topK: number }
  choices: Readonly<ToolChoices>
  /** The chat holds messages written under isolation: nothing of it becomes a memory. */
  holdsIsolated?: boolean
  /** Fingerprints of what was allowed. Absent = nothing was. */
  approved?: ApprovedTools
}

/** By tool: the fingerprint allowed for every chat, and the one for this chat. */
export type ApprovedTools = ReadonlyMap<string, { always?: string; session?: string }>

export interface ToolDecision {
  configured: boolean
  available: boolean
  reason?: ToolReason
  reasonDetail?: string
  reasonWords?: Words
  policy: ToolPolicy
  /** The permission it had, which was for another definition. */
  changed?: ApprovalScope
}

type Refusal = { reason: ToolReason; detail?: Said }

function memoryRefusal(subject: ToolSubject, { memory, holdsIsolated }: ToolSituation): Refusal | undefined {
  if (subject.needs === undefined) return undefined
  if (!memory.enabled) return { reason: 'memory_off' }
  if (subject.needs === 'memory-write') {
    if (!memory.write) return { reason: 'memory_write_off' }
    return holdsIsolated ? { reason: 'holds_isolated' } : undefined
  }
  if (!memory.activeRetrieval) return { reason: 'active_retrieval_off' }
  // Top K 0 sends every active memory anyway: there is nothing left to look for.
  return memory.topK === 0 ? { reason: 'top_k_is_zero' } : undefined
}

/** A chat chooses a whole server as `mcp/<id>`, one tool by its own id. */
export const serverChoice = (serverId: string): string => `mcp/${serverId}`
/** Where "this session" is kept for a tool whose own place says `on`. */
export const policyChoice = (toolId: string): string => `policy/${toolId}`

/** Whether a chat uses a server: its own choice, else the general one. */
export function isServerWanted(
  server: { id: string; selectedForChat: boolean },
  choices: Readonly<ToolChoices>,
): boolean {
  const choice = choices[serverChoice(server.id)]
  return choice === 'on' || (server.selectedForChat && choice !== 'off')
}

function serverRefusal({ id, server }: ToolSubject, choices: Readonly<ToolChoices>): Refusal | undefined {
  if (!server) return undefined
  if (choices[id] !== 'on' && !isServerWanted(server, choices)) return { reason: 'server_not_selected' }
  if (server.state === 'ready') return undefined
  const detail = server.lastError ?? (server.state === 'starting' ? 'It is still starting.' : 'It is not running.')
  return { reason: 'server_down', detail }
}

/** The order of reasons is the order in which a person can do something about them: the widest first. */
function refusalOf(subject: ToolSubject, situation: ToolSituation, policy: ToolPolicy): Refusal | undefined {
  const choice = situation.choices[subject.id]
  if (situation.isolated) return { reason: 'isolated' }
  if (situation.temporary) return { reason: 'temporary' }
  if (!situation.modelHasTools) return { reason: 'model_without_tools' }
  if (subject.unusable !== undefined) return { reason: 'tool_disabled', detail: subject.unusable }
  if (choice === 'off' || (!subject.enabled && choice !== 'on')) return { reason: 'tool_disabled' }
  if (policy === 'deny') return { reason: 'always_denied' }
  return memoryRefusal(subject, situation) ?? serverRefusal(subject, situation.choices)
}

/** On whose say it runs. A permission for another definition than the one there is now asks again. */
function policyOf(subject: ToolSubject, situation: ToolSituation): Pick<ToolDecision, 'policy' | 'changed'> {
  const { choices, approved } = situation
  const isFor = (scope: ApprovalScope) =>
    subject.fingerprint === undefined || approved?.get(subject.id)?.[scope] === subject.fingerprint
  const chosen = [choices[subject.id], choices[policyChoice(subject.id)]].find(
    (choice) => choice === 'ask' || choice === 'allow' || choice === 'deny',
  )
  if (chosen === 'ask' || chosen === 'deny') return { policy: chosen }
  if (chosen === 'allow' && isFor('session')) return { policy: 'allow' }
  if (subject.policy === 'allow' && isFor('always')) return { policy: 'allow' }
  if (chosen === 'allow') return { policy: 'ask', changed: 'session' }
  return subject.policy === 'allow' ? { policy: 'ask', changed: 'always' } : { policy: subject.policy }
}

/** The only place where it is decided whether a tool is offered, and on whose say it runs. */
export function decideTool(subject: ToolSubject, situation: ToolSituation): ToolDecision {
  const said = policyOf(subject, situation)
  const refusal = refusalOf(subject, situation, said.policy)
  if (!refusal) return { configured: true, available: true, ...said }
  const { reason, detail } = refusal
  return {
    configured: true,
    available: false,
    reason,
    ...said,
    ...(detail !== undefined && { reasonDetail: textOf(detail) }),
    ...(typeof detail === 'object' && { reasonWords: detail.words }),
  }
}
