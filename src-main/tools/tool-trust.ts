import type { Session, ToolChoices } from '../sessions/contract'
import type { WriteDatabase } from '../storage/database'
import { approvalOf, approvedTools, putApproval, removeApproval, removeApprovalsOf } from './approval-rows'
import type { ApprovalScope, ToolChange, ToolPolicy } from './contract'
import { canonicalJson } from './definition'
import { definitionLines, differenceOf } from './definition-lines'
import { type ApprovedTools, decideTool, policyChoice, type ToolSituation } from './policy'
import type { NamedTool } from './registry'
import { putToolSetting, toolSettings } from './repository'

export interface ToolTrustDeps {
  database: WriteDatabase
  tools: () => readonly NamedTool[]
  getSession: (sessionId: string) => Session | undefined
  patchToolChoice: (sessionId: string, toolId: string, choice: ToolPolicy) => void
  situation: (sessionId: string) => ToolSituation
  nowIso: () => string
}

/** What people allowed, kept with the definition they allowed. */
export interface ToolTrust {
  grant(tool: NamedTool, scope: ApprovalScope, sessionId: string): void
  changeOf(offered: NamedTool, now: NamedTool, sessionId: string): ToolChange | undefined
  trustIn(sessionId: string | undefined): { approved: ApprovedTools; holdsIsolated: boolean }
  /** After a person set a tool's policy for every chat. */
  policySet(toolId: string, policy: ToolPolicy): void
  /** After a chat's choices were changed: what was allowed there before keeps the definition it was allowed with. */
  choicesSet(sessionId: string, before: Readonly<ToolChoices>): void
  /** Permissions of before definitions were kept hold for the definition that is known now. */
  bindOld(sessions: readonly { id: string; toolChoices: Readonly<ToolChoices> }[]): void
  forgetSessions(sessionIds: readonly string[]): void
}

const allowedIn = (choices: Readonly<ToolChoices>, toolId: string): boolean =>
  choices[toolId] === 'allow' || choices[policyChoice(toolId)] === 'allow'

const isAllowing = (choices: Readonly<ToolChoices>): boolean => Object.values(choices).includes('allow')

export function createToolTrust(deps: ToolTrustDeps): ToolTrust {
  const { database } = deps
  const bind = ({ subject, definition }: NamedTool, sessionId?: string): void => {
    if (definition) putApproval(database, { toolId: subject.id, sessionId, definition, at: deps.nowIso() })
  }
  const bindChoices = (sessionId: string, choices: Readonly<ToolChoices>, before: Readonly<ToolChoices>): void => {
    if (!isAllowing(choices) && !isAllowing(before)) return
    for (const tool of deps.tools()) {
      const { id } = tool.subject
      if (!allowedIn(choices, id)) removeApproval(database, id, sessionId)
      else if (!allowedIn(before, id)) bind(tool, sessionId)
    }
  }
  return {
    grant(tool, scope, sessionId) {
      const { id } = tool.subject
      // A chat that switched the tool on for itself keeps that: the place of its choice is taken.
      const place = deps.getSession(sessionId)?.toolChoices[id] === 'on' ? policyChoice(id) : id
      database.transaction(() => {
        if (scope === 'session') deps.patchToolChoice(sessionId, place, 'allow')
        else putToolSetting(database, id, { policy: 'allow' })
        bind(tool, scope === 'session' ? sessionId : undefined)
      })()
    },
    changeOf(offered, now, sessionId) {
      const { definition } = now
      if (!definition) return undefined
      const { changed } = decideTool(now.subject, deps.situation(sessionId))
      const allowed = changed && approvalOf(database, now.subject.id, changed === 'session' ? sessionId : undefined)
      const before = allowed?.definition ?? offered.definition
      if (!before || (!allowed && offered.subject.fingerprint === now.subject.fingerprint)) return undefined
      return {
        ...(allowed && changed ? { scope: changed, allowedAt: allowed.at } : {}),
        lines: differenceOf(before, definition),
        before: definitionLines(before).join('\n'),
        after: definitionLines(definition).join('\n'),
      }
    },
    trustIn(sessionId) {
      const session = sessionId === undefined ? undefined : deps.getSession(sessionId)
      return {
        approved: approvedTools(database, sessionId),
        holdsIsolated: session?.isolatedMessages !== undefined,
      }
    },
    policySet(toolId, policy) {
      const tool = deps.tools().find((candidate) => candidate.subject.id === toolId)
      if (tool && policy === 'allow') bind(tool)
      else removeApproval(database, toolId)
    },
    choicesSet(sessionId, before) {
      const now = deps.getSession(sessionId)?.toolChoices ?? {}
      // choosing again what is chosen can only mean the tool as it is now
      bindChoices(sessionId, now, canonicalJson(now) === canonicalJson(before) ? {} : before)
    },
    bindOld(sessions) {
      const settings = toolSettings(database)
      const known = approvedTools(database)
      database.transaction(() => {
        for (const tool of deps.tools()) {
          const { id } = tool.subject
          if (settings.get(id)?.policy === 'allow' && known.get(id)?.always === undefined) bind(tool)
        }
        for (const { id, toolChoices } of sessions) {
          const here = approvedTools(database, id)
          const bound = Object.keys(toolChoices).filter((toolId) => here.get(toolId)?.session !== undefined)
          bindChoices(id, toolChoices, Object.fromEntries(bound.map((toolId) => [toolId, 'allow' as const])))
        }
      })()
    },
    forgetSessions: (sessionIds) => removeApprovalsOf(database, sessionIds),
  }
}
