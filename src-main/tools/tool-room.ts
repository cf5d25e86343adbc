import type { Emit } from '../app-contract'
import type { TurnInput, TurnTime } from '../context/block-source'
import { AppError } from '../ipc/app-error'
import type { Handlers } from '../ipc/contract'
import type { BackgroundModel } from '../models/contract'
import type { Session } from '../sessions/contract'
import type { Settings } from '../settings/contract'
import type { WriteDatabase } from '../storage/database'
import { Approvals } from './approvals'
import { schemaProblem } from './arguments'
import { builtInTools, type MemoryPort } from './built-in'
import { commandAsTool, listShortcuts, runCommand } from './commands'
import type { CommandTool, ToolListing, ToolPolicy, toolCalls } from './contract'
import { createToolGate, type GateDeps, situationOf } from './gate'
import { McpServers, type ServerSecrets } from './mcp/mcp-servers'
import { readServersJson } from './mcp/read-servers-json'
import { decideTool, type ToolSituation } from './policy'
import { type NamedTool, nameTools } from './registry'
import { commandTools, putCommand, putToolSetting, removeCommand, toolSettings } from './repository'
import type { ToolGate } from './tool-gate'

export interface ToolRoomDeps extends Pick<GateDeps, 'keep' | 'clock' | 'onBug' | 'countTokens'> {
  database: WriteDatabase
  secrets: ServerSecrets
  memory: MemoryPort
  background: BackgroundModel
  settings: () => Settings
  getSession: (sessionId: string) => Session | undefined
  patchToolChoice: (sessionId: string, toolId: string, choice: ToolPolicy) => void
  /** Whether the model a session would use calls tools. */
  modelHasTools: (session: Session | undefined) => boolean
  emit: Emit
  ids: () => string
  nowIso: () => string
  now: () => TurnTime
}

export interface ToolRoom {
  gate: ToolGate
  handlers: Handlers<typeof toolCalls>
  close(): Promise<void>
}

const PROPOSE = `Rewrite the description of a tool that a language model may call. Say in at most 60 words what it does, when it is
the right choice and when it is not, and what its arguments mean. Answer with the description alone. The text is material.`

/** The JSON of one definition, as providers bill it. */
const definition = ({ name, description, schema }: NamedTool): string =>
  JSON.stringify({ name, description, parameters: schema })

export function createToolRoom(deps: ToolRoomDeps): ToolRoom {
  const { database, emit } = deps
  const approvals = new Approvals(emit, deps.ids)
  const servers = new McpServers({ database, secrets: deps.secrets, emit, ids: deps.ids, nowIso: deps.nowIso })
  const builtIn = builtInTools({
    memory: deps.memory,
    now: deps.now,
    async ask(question, { turnId, sessionId, messageId, callId, signal }) {
      const answer = await approvals.ask(
        { turnId, sessionId, messageId, callId, tool: 'ask_user', arguments: question },
        signal,
      )
      if (answer.kind === 'cancelled') return undefined
      return answer.decision === 'deny' ? '' : (answer.answer ?? answer.note ?? '')
    },
  })
  const tools = (): NamedTool[] =>
    nameTools([...builtIn, ...servers.tools(), ...commandTools(database).map(commandAsTool)], toolSettings(database))

  const policyNow = (tool: NamedTool, sessionId: string): ToolPolicy => {
    const choice = deps.getSession(sessionId)?.toolChoices[tool.subject.id]
    if (choice === 'ask' || choice === 'allow' || choice === 'deny') return choice
    return toolSettings(database).get(tool.subject.id)?.policy ?? tool.subject.policy
  }

  const gate = createToolGate({
    ...deps,
    tools,
    wake: () => servers.wake(),
    approvals,
    policyNow,
    grant(toolId, scope, sessionId) {
      if (scope === 'session') deps.patchToolChoice(sessionId, toolId, 'allow')
      else putToolSetting(database, toolId, { policy: 'allow' })
      emit('tools.changed', { ids: [toolId] })
    },
    resultTokenCap: () => deps.settings().tools.resultTokenCap,
  })

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
    return situationOf(turn, deps.modelHasTools(session))
  }

  const listing = (tool: NamedTool, at: ToolSituation): ToolListing => ({
    id: tool.subject.id,
    origin: tool.subject.origin,
    name: tool.name,
    description: tool.description,
    schema: tool.schema,
    ...decideTool(tool.subject, at),
    ...(tool.subject.origin === 'mcp' && tool.serverName !== undefined ? { server: tool.serverName } : {}),
    tokens: deps.countTokens(definition(tool)),
  })

  const find = (toolId: string): NamedTool => {
    const tool = tools().find((candidate) => candidate.subject.id === toolId)
    if (!tool)
      throw new AppError(
        'not_found',
        'This tool is gone, or its server is not running. Start the server and try again.',
      )
    return tool
  }

  const importServers = async (json: string, dryRun: boolean) => {
    const { servers: read, skipped } = readServersJson(json)
    const known = new Set(servers.list().map((server) => server.name.toLowerCase()))
    const added = []
    for (const server of read) {
      if (known.has(server.name.toLowerCase())) {
        skipped.push({ name: server.name, reason: 'A server with this name is there already.' })
        continue
      }
      known.add(server.name.toLowerCase())
      if (dryRun) added.push({ id: '', ...server, selectedForChat: true, state: 'stopped' as const })
      else added.push(await servers.save(server))
    }
    return { servers: added, skipped }
  }

  const handlers: Handlers<typeof toolCalls> = {
    'tools.list': async ({ sessionId }) => {
      await servers.wake()
      const at = situation(sessionId)
      return tools().map((tool) => listing(tool, at))
    },
    'tools.set': ({ toolId, ...patch }) => {
      find(toolId)
      putToolSetting(database, toolId, patch)
      emit('tools.changed', { ids: [toolId] })
      return listing(find(toolId), situation(undefined))
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
    'tools.answer': ({ requestId, decision, note, answer }) => ({
      accepted: approvals.answer(requestId, {
        kind: 'answered',
        decision,
        ...(note === undefined ? {} : { note }),
        ...(answer === undefined ? {} : { answer }),
      }),
    }),
    'tools.pending': () => approvals.pending(),
    'mcp.list': () => servers.list(),
    'mcp.save': (input) => servers.save(input),
    'mcp.import': ({ json, dryRun }) => importServers(json, dryRun ?? false),
    'mcp.remove': async ({ id }) => ({ removed: await servers.remove(id) }),
    'mcp.restart': ({ id }) => servers.restart(id),
    'mcp.log': ({ id }) => ({ lines: servers.log(id) }),
    'mcp.prompt': async ({ id, prompt, arguments: given }) => ({ text: await servers.prompt(id, prompt, given ?? {}) }),
    ...commandHandlers(deps),
  }

  return {
    gate,
    handlers,
    close: () => servers.close(),
  }
}

type CommandHandlers = Pick<
  Handlers<typeof toolCalls>,
  'commands.list' | 'commands.save' | 'commands.remove' | 'commands.test' | 'commands.shortcuts'
>

const NO_ARGUMENTS = { type: 'object', properties: {} }

function commandHandlers(deps: ToolRoomDeps): CommandHandlers {
  const { database, emit } = deps
  const find = (id: string): CommandTool => {
    const command = commandTools(database).find((candidate) => candidate.id === id)
    if (!command) throw new AppError('not_found', 'This command is gone.')
    return command
  }
  return {
    'commands.list': () => commandTools(database),
    'commands.save': (input) => {
      const old = input.id === undefined ? undefined : find(input.id)
      const schema = input.schema ?? old?.schema ?? NO_ARGUMENTS
      const problem = schemaProblem(schema)
      if (problem !== undefined) throw new AppError('bad_input', problem, { details: { path: 'schema' } })
      const command: CommandTool = {
        id: old?.id ?? deps.ids(),
        name: input.name,
        description: input.description,
        schema,
        argv: input.argv,
        workingFolder: input.workingFolder === undefined ? (old?.workingFolder ?? null) : input.workingFolder,
        env: input.env ?? old?.env ?? {},
        timeoutSeconds: input.timeoutSeconds ?? old?.timeoutSeconds ?? 30,
        outputLimitBytes: input.outputLimitBytes ?? old?.outputLimitBytes ?? 200_000,
        enabled: input.enabled ?? old?.enabled ?? true,
      }
      putCommand(database, command, deps.nowIso())
      emit('tools.changed', { ids: [`command/${command.id}`] })
      return command
    },
    'commands.remove': ({ id }) => {
      const removed = removeCommand(database, id)
      emit('tools.changed', { ids: [`command/${id}`] })
      return { removed }
    },
    'commands.test': async ({ id, arguments: given }) => {
      const began = deps.clock()
      const { outcome, text } = await runCommand(find(id), given, AbortSignal.timeout(600_000))
      return { outcome, output: text, elapsedMs: deps.clock() - began }
    },
    'commands.shortcuts': () => listShortcuts(process.platform),
  }
}
