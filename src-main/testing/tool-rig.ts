import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ModelServer, startModelServer } from '../../e2e/support/model-server'
import type { OutputOf } from '../ipc/contract'
import type { toolCalls } from '../tools/contract'
import { runningApp, type TestApp } from './running-app'

const modules = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol')
export const EVERYTHING = join(modules, 'server-everything/dist/index.js')
export const FILESYSTEM = join(modules, 'server-filesystem/dist/index.js')
export const MEMORY = join(modules, 'server-memory/dist/index.js')
export const HOSTILE = join(import.meta.dirname, '../tools/hostile-mcp-server.mjs')

export interface Body {
  tools?: { function: { name: string; description: string; parameters: unknown } }[]
  tool_choice?: unknown
  messages: { role: string; content: unknown; tool_call_id?: string; tool_calls?: unknown[] }[]
}

export type Ended = 'done' | { code: string; message: string }

/** A call a scripted model makes. */
export const toolCall = (name: string, given: unknown, id = 'call-1') => ({
  toolCalls: [{ id, name, arguments: given }],
})

/** The app with a model on loopback that calls tools. */
export class ToolRig {
  constructor(
    readonly server: ModelServer,
    public app: TestApp,
  ) {}

  /** The scripted model; the dry run's, made in the same second, may be listed before it. */
  async modelId(): Promise<string> {
    const models = await this.app.call('models.list', {})
    return models.find((model) => !model.id.startsWith('dry-run/'))?.id ?? ''
  }

  body(index: number): Body {
    return this.server.requests.at(index)?.body as Body
  }

  /** Names of the tools in the body that left. */
  toolNames(index = -1): string[] {
    return (this.body(index).tools ?? []).map((tool) => tool.function.name)
  }

  /** What the model was told the tools returned, oldest first. */
  results(index = -1): string[] {
    return this.body(index)
      .messages.filter((message) => message.role === 'tool')
      .map((message) => String(message.content))
  }

  /** Adds a server by pasted JSON and starts it. */
  async addServer(script: string, name = 'test', args: string[] = ['stdio']): Promise<string> {
    return this.paste(name, { command: process.execPath, args: [script, ...args] })
  }

  async paste(name: string, entry: object): Promise<string> {
    const json = JSON.stringify({ mcpServers: { [name]: entry } })
    const { servers, skipped } = await this.app.call('mcp.import', { json })
    const id = servers[0]?.id ?? ''
    const started = await this.app.call('mcp.restart', { id })
    if (skipped.length > 0 || started.state !== 'ready')
      throw new Error(`The server ${name} did not start: ${JSON.stringify([skipped, started])}`)
    return id
  }

  async session(): Promise<string> {
    return (await this.app.call('sessions.create', {})).id
  }

  send(sessionId: string, text = 'go'): Promise<{ turnId: string; replyMessageId: string }> {
    return this.app.call('turns.send', { sessionId, text })
  }

  async ended(turnId: string): Promise<Ended> {
    return Promise.race([
      this.app.event('turn.done', (payload) => payload.turnId === turnId).then(() => 'done' as const),
      this.app.event('turn.failed', (payload) => payload.turnId === turnId),
    ])
  }

  /** Nothing asks: for tests that are about something else. */
  async allow(sessionId: string, ...names: string[]): Promise<void> {
    const tools = await this.app.call('tools.list', { sessionId })
    const toolChoices = Object.fromEntries(
      tools.filter((tool) => names.includes(tool.name)).map((tool) => [tool.id, 'allow' as const]),
    )
    await this.app.call('sessions.update', { sessionId, patch: { toolChoices } })
  }

  /** Lets the model call one allowed tool; the result it was told, and the turn. */
  async run(
    name: string,
    given: unknown = {},
    sessionId?: string,
  ): Promise<{ result: string; sessionId: string; messageId: string; turnId: string }> {
    const id = sessionId ?? (await this.session())
    await this.allow(id, name)
    this.server.answer(toolCall(name, given), { text: 'Noted.' })
    const { turnId, replyMessageId } = await this.send(id)
    const end = await this.ended(turnId)
    if (end !== 'done') throw new Error(`The turn failed: ${end.message}`)
    return { result: this.results().at(-1) ?? '', sessionId: id, messageId: replyMessageId, turnId }
  }

  async part(sessionId: string, callId = 'call-1') {
    const { messages } = await this.app.call('sessions.get', { sessionId })
    const parts = messages.flatMap((message) => message.parts)
    return parts.find((part) => part.type === 'tool' && part.callId === callId)
  }

  async tools(sessionId?: string): Promise<OutputOf<(typeof toolCalls)['tools.list']>> {
    return this.app.call('tools.list', sessionId === undefined ? {} : { sessionId })
  }

  async close(): Promise<void> {
    await this.app.close()
    await this.server.close()
  }
}

/** Connects the scripted model as the default one. */
export async function connectModel(app: TestApp, url: string, vision = false): Promise<string> {
  const { id } = await app.call('connections.save', {
    name: 'Local',
    kind: 'openai-compatible',
    baseUrl: `${url}/v1`,
    apiKey: 'k',
  })
  const [model] = await app.call('models.refresh', { connectionId: id })
  const modelId = model?.id ?? ''
  await app.call('models.save', { id: modelId, capabilities: { tools: true, vision } })
  await app.call('settings.update', { patch: { general: { defaultModelId: modelId, titleFromModel: false } } })
  return modelId
}

export async function toolRig(options: { vision?: boolean } = {}): Promise<ToolRig> {
  const server = await startModelServer()
  const app = await runningApp(mkdtempSync(join(tmpdir(), 'strata-tools-')))
  await connectModel(app, server.url, options.vision)
  return new ToolRig(server, app)
}
