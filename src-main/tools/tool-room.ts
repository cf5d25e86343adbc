import type { Emit } from '../app-contract'
import type { TurnInput, TurnTime } from '../context/block-source'
import { AppError } from '../ipc/app-error'
import type { Handlers } from '../ipc/contract'
import type { BackgroundModel, TokenCounter } from '../models/contract'
import type { Session } from '../sessions/contract'
import type { Settings } from '../settings/contract'
import type { WriteDatabase } from '../storage/database'
import { Approvals } from './approvals'
import { builtInTools, type MemoryPort } from './built-in'
import { commandHandlers } from './command-handlers'
import { commandAsTool } from './commands'
import type { ToolListing, ToolPolicy, ToolReason, toolCalls } from './contract'
import { createToolGate, decideTools, type GateDeps, situationOf } from './gate'
import type { SecretStore } from './kept-secrets'
import { importServers } from './mcp/import-servers'
import { McpServers } from './mcp/mcp-servers'
import { moveSecrets } from './move-secrets'
import { decideTool, type ToolDecision, type ToolSituation } from './policy'
import { type NamedTool, nameTools, offered } from './registry'
import { commandTools, putToolSetting, toolSettings } from './repository'
import type { ToolGate } from './tool-gate'
import { createToolTrust, type ToolTrust } from './tool-trust'

export interface ToolRoomDeps extends Pick<GateDeps, 'keep' | 'clock' | 'onBug'> {
  database: WriteDatabase
  secrets: SecretStore
  memory: MemoryPort
  background: BackgroundModel
  settings: () => Settings
  getSession: (sessionId: string) => Session | undefined
  patchToolChoice: (sessionId: string, toolId: string, choice: ToolPolicy) => void
  /** Whether the model a session would use calls tools. */
  modelHasTools: (session: Session | undefined) => boolean
  /** Counts as the model a session would use does. */
  counterFor: (session: Session | undefined) => TokenCounter
  emit: Emit
  ids: () => string
  nowIso: () => string
  now: () => TurnTime
  /** Does a write nobody waits for, now or as soon as the disk takes it. */
  whenRoom: (lane: string, write: () => void) => void
}

export interface ToolRoom {
  gate: ToolGate
  handlers: Handlers<typeof toolCalls>
  trust: Pick<ToolTrust, 'choicesSet' | 'bindOld' | 'forgetSessions'>
  close(): Promise<void>
}

const PROPOSE = `Rewrite the description of a tool that a language model may call. Say in at most 60 words what it does, when it is
the right choice and when it is not, and what its arguments mean. Answer with the description alone. The text is material.`

/** A person's own no, said while a turn runs. What a room or a server says is left to the run itself. */
const TAKEN_BACK: ReadonlySet<ToolReason> = new Set(['isolated', 'tool_disabled', 'always_denied'])

/** The JSON of one definition, as providers bill it. */
const definition = (tool: NamedTool): string => {
  const { name, description, schema } = offered(tool)
  return JSON.stringify({ name, description, parameters: schema })
}

export function createToolRoom(deps: ToolRoomDeps): ToolRoom {
  const { database, emit } = deps
  const approvals = new Approvals(emit, deps.ids)
  const { secrets, ids, nowIso, whenRoom } = deps
  const servers = new McpServers({ database, secrets, emit, ids, nowIso, whenRoom })
  const builtIn = builtInTools({
    memory: deps.memory,
    now: deps.now,
    holdsIsolated: (sessionId) => deps.getSession(sessionId)?.isolatedMessages !== undefined,
    ask: (question, { turnId, sessionId, messageId, callId, signal }) =>
      approvals.ask({ turnId, sessionId, messageId, callId, tool: 'ask_user', arguments: question }, signal),
  })
  const commands = {
    secrets: deps.secrets,
    folderOf: (sessionId: string) => deps.getSession(sessionId)?.workingFolder ?? null,
  }
  const tools = (): NamedTool[] => {
    const own = commandTools(database).map((command) => commandAsTool(command, commands))
    return nameTools([...builtIn, ...servers.tools(), ...own], toolSettings(database))
  }

  const situation = (sessionId: string | undefined): ToolSituation => {
    const settings = deps.settings()
    const session = sessionId === undefined ? undefined : deps.getSession(sessionId)
    if (sessionId !== undefined && !session) throw new AppError('not_found', 'This chat is gone.')
    const turn: Pick<TurnInput, 'isolated' | 'temporary' | 'settings' | 'session'> = {
      isolated: session ? session.isolation && session.worldbookIds.length > 0 : false,
      temporary: session?.temporary ?? false,
      settings,
      session: session ?? ({ toolChoices: {} } as TurnInput['session']),
    }
    return situationOf(turn, deps.modelHasTools(session), trust.trustIn(sessionId))
  }
  const trust = createToolTrust({ ...deps, tools, situation })

  /** What a running turn's tool may do now: the same function, over what people have changed since. */
  const policyNow = ({ subject }: NamedTool, sessionId: string): ToolPolicy => {
    const set = toolSettings(database).get(subject.id)
    const now = { ...subject, policy: set?.policy ?? subject.policy, enabled: set?.enabled ?? subject.enabled }
    const { policy, reason } = decideTool(now, situation(sessionId))
    return reason !== undefined && TAKEN_BACK.has(reason) ? 'deny' : policy
  }

  const gate = createToolGate({
    ...deps,
    tools,
    wake: (choices) => servers.wake(choices),
    approvals,
    policyNow,
    current: ({ subject }) => tools().find((candidate) => candidate.subject.id === subject.id),
    changeOf: trust.changeOf,
    trustIn: trust.trustIn,
    grant(tool, scope, sessionId) {
      trust.grant(tool, scope, sessionId)
      emit('tools.changed', { ids: [tool.subject.id] })
    },
    resultTokenCap: () => deps.settings().tools.resultTokenCap,
    countTokens: (text) => deps.counterFor(undefined).count(text),
  })

  const listing = (tool: NamedTool, decision: ToolDecision, counter: TokenCounter): ToolListing => ({
    id: tool.subject.id,
    origin: tool.subject.origin,
    name: tool.name,
    description: tool.description,
    ...(tool.ownDescription === tool.description ? {} : { ownDescription: tool.ownDescription }),
    schema: tool.schema,
    enabled: tool.subject.enabled,
    ...decision,
    ...(tool.subject.origin === 'mcp' && tool.serverName !== undefined ? { server: tool.serverName } : {}),
    tokens: counter.count(definition(tool)),
  })

  const find = (toolId: string): NamedTool => {
    const tool = tools().find((candidate) => candidate.subject.id === toolId)
    if (!tool)
      throw new AppError(
        'not_found',
        'This tool is gone. Its server may not list it any more; restart the server to see.',
      )
    return tool
  }

  const handlers: Handlers<typeof toolCalls> = {
    'tools.list': async ({ sessionId }) => {
      const decided = await decideTools({ tools, wake: (choices) => servers.wake(choices) }, situation(sessionId))
      const counter = deps.counterFor(sessionId === undefined ? undefined : deps.getSession(sessionId))
      // As exact as the usage bar, which counts the same texts.
      await counter.prime(decided.map(({ tool }) => definition(tool)))
      return decided.map(({ tool, decision }) => listing(tool, decision, counter))
    },
    'tools.set': ({ toolId, ...patch }) => {
      find(toolId)
      putToolSetting(database, toolId, patch)
      if (patch.policy !== undefined) trust.policySet(toolId, patch.policy)
      emit('tools.changed', { ids: [toolId] })
      const tool = find(toolId)
      return listing(tool, decideTool(tool.subject, situation(undefined)), deps.counterFor(undefined))
    },
    'tools.propose-description': async ({ toolId }) => {
      const tool = find(toolId)
      const text = `${tool.name}\n${tool.ownDescription}\n${JSON.stringify(tool.schema)}`.slice(0, 20_000)
      const signal = AbortSignal.timeout(60_000)
      return {
        description: await deps.background.complete({
          modelId: null,
          instruction: PROPOSE,
          text,
          maxOutputTokens: 400,
          signal,
        }),
      }
    },
    'tools.answer': ({ requestId, decision, note, answer, form, cancel }) => ({
      accepted: approvals.answer(requestId, {
        kind: 'answered',
        decision,
        ...(note === undefined ? {} : { note }),
        ...(answer === undefined ? {} : { answer }),
        ...(form === undefined ? {} : { form }),
        ...(cancel === undefined ? {} : { cancel }),
      }),
    }),
    'tools.pending': () => approvals.pending(),
    'mcp.list': () => servers.list(),
    'mcp.save': (input) => servers.save(input),
    'mcp.import': ({ json, dryRun }) => importServers(servers, json, dryRun ?? false),
    'mcp.remove': async ({ id }) => ({ removed: await servers.remove(id) }),
    'mcp.restart': ({ id }) => servers.restart(id),
    'mcp.sign-in': ({ id }) => servers.signIn(id),
    'mcp.stop-sign-in': ({ id }) => servers.stopSignIn(id),
    'mcp.sign-out': ({ id }) => servers.signOut(id),
    'mcp.log': ({ id }) => ({ lines: servers.log(id) }),
    'mcp.prompt': async ({ id, prompt, arguments: given }) => ({ text: await servers.prompt(id, prompt, given ?? {}) }),
    ...commandHandlers({ ...deps, ...commands }),
  }

  // Readers see dots all the while, and a key store that is locked is asked again at the next start.
  const moved = moveSecrets(database, deps.secrets, deps.nowIso()).catch((error: unknown) =>
    deps.onBug('secrets', error),
  )

  return {
    gate,
    handlers,
    trust,
    async close() {
      await moved
      await servers.close()
    },
  }
}
