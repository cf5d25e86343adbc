import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { type CallToolResult, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import type { McpServer } from '../contract'
import type { RawResult } from '../tool'
import { BoundedStdio } from './bounded-stdio'

const START_TIMEOUT_MS = 20_000
const LIST_TIMEOUT_MS = 15_000
const CALL_TIMEOUT_MS = 120_000
const LONGEST_CALL_MS = 15 * 60_000
const LOG_LINES = 200
const MOST_TOOLS = 1000
const BACK_OFF_MS = [0, 1000, 3000, 10_000, 30_000] as const

export interface ListedTool {
  name: string
  description: string
  schema: unknown
}

export interface ConnectionSettings {
  name: string
  transport: McpServer['transport']
}

/** Words for how a connection failed, ending in what to do. */
function startProblem(error: unknown, settings: ConnectionSettings): string {
  const text = error instanceof Error ? error.message : String(error)
  const { transport } = settings
  if (transport.kind === 'stdio') {
    if (/ENOENT/.test(text))
      return `The command “${transport.command}” was not found. Check the spelling, or give its full path.`
    if (/EACCES/.test(text)) return `The command “${transport.command}” may not be executed. Check its permissions.`
    if (/timed out/i.test(text)) return 'It started but did not answer in time. The log shows what it printed.'
    if (/closed/i.test(text)) return 'It ended right after the start. The log shows what it printed.'
  } else {
    if (/ECONNREFUSED|fetch failed/i.test(text))
      return `Nothing answers at ${transport.url}. Start the server or check the address.`
    if (/\b401\b|\b403\b/.test(text)) return 'The server refused the sign-in. Check the headers.'
    if (/\b404\b/.test(text)) return `There is no MCP server at ${transport.url}. Its path is often /mcp.`
  }
  return text
}

/** One MCP server: started on demand, restarted with growing pauses, never trusted. */
export class McpConnection {
  state: McpServer['state'] = 'stopped'
  lastError: string | undefined
  tools: ListedTool[] = []
  prompts: { name: string; description?: string }[] = []
  private client: Client | undefined
  private starting: Promise<void> | undefined
  private failures = 0
  private notBefore = 0
  private closed = false
  private readonly lines: string[] = []
  private readonly settings: ConnectionSettings
  private readonly onChange: () => void

  constructor(settings: ConnectionSettings, onChange: () => void) {
    this.settings = settings
    this.onChange = onChange
  }

  log(): string[] {
    return [...this.lines]
  }

  /** Resolves when it is ready or known to have failed; waits at most `waitMs`, the start itself goes on. */
  async ensure(waitMs: number): Promise<void> {
    if (this.state === 'ready' || this.closed) return
    if (this.starting === undefined && Date.now() < this.notBefore) return
    this.starting ??= this.start().finally(() => {
      this.starting = undefined
    })
    await Promise.race([this.starting, new Promise<void>((resolve) => setTimeout(resolve, waitMs).unref())])
  }

  private async start(): Promise<void> {
    this.set('starting')
    const client = new Client({ name: 'strata', version: '1' }, { capabilities: {} })
    client.onerror = (error) => this.note(`! ${error.message}`)
    client.onclose = () => {
      if (this.client === client) this.lost()
    }
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => this.relist(client))
    try {
      await client.connect(this.transport(), { timeout: START_TIMEOUT_MS })
      this.client = client
      await this.list(client)
      this.failures = 0
      this.lastError = undefined
      this.set('ready')
    } catch (error) {
      this.client = undefined
      await client.close().catch((closing: unknown) => this.note(`! ${String(closing)}`))
      this.failed(startProblem(error, this.settings))
    }
  }

  private transport(): Transport {
    const { transport } = this.settings
    if (transport.kind === 'stdio') {
      const { command, args, env, cwd } = transport
      return new BoundedStdio({ command, args, env, ...(cwd === undefined ? {} : { cwd }) }, (text) => this.note(text))
    }
    // The SDK's class declares `sessionId` as optional-undefined, which exact optional types tell apart.
    return new StreamableHTTPClientTransport(new URL(transport.url), {
      requestInit: { headers: transport.headers },
    }) as Transport
  }

  private async relist(client: Client): Promise<void> {
    try {
      await this.list(client)
      this.onChange()
    } catch (error) {
      this.note(`! The tool list could not be read again: ${String(error)}`)
    }
  }

  private async list(client: Client): Promise<void> {
    const tools: ListedTool[] = []
    let cursor: string | undefined
    do {
      const page = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout: LIST_TIMEOUT_MS })
      for (const tool of page.tools)
        tools.push({ name: tool.name, description: tool.description ?? '', schema: tool.inputSchema })
      cursor = page.nextCursor
    } while (cursor !== undefined && tools.length < MOST_TOOLS)
    // Sorted, so that equal lists are equal bytes whatever order the server had.
    this.tools = tools.slice(0, MOST_TOOLS).sort((a, b) => (a.name < b.name ? -1 : 1))
    if (client.getServerCapabilities()?.prompts) {
      const { prompts } = await client.listPrompts({}, { timeout: LIST_TIMEOUT_MS })
      this.prompts = prompts.map(({ name, description }) => ({
        name,
        ...(description === undefined ? {} : { description }),
      }))
    }
  }

  async call(
    name: string,
    given: Record<string, unknown>,
    signal: AbortSignal,
    onProgress: (text: string) => void,
  ): Promise<RawResult> {
    await this.ensure(START_TIMEOUT_MS)
    const { client } = this
    if (!client || this.state !== 'ready')
      return {
        outcome: 'failed',
        text: `The server ${this.settings.name} is down: ${this.lastError ?? 'it did not start'}`,
      }
    try {
      const result = await client.callTool({ name, arguments: given }, undefined, {
        signal,
        timeout: CALL_TIMEOUT_MS,
        resetTimeoutOnProgress: true,
        maxTotalTimeout: LONGEST_CALL_MS,
        onprogress: ({ progress, total, message }) =>
          onProgress(message ?? (total === undefined ? `${progress}` : `${progress} of ${total}`)),
      })
      return readResult(result as CallToolResult)
    } catch (error) {
      if (signal.aborted) return { outcome: 'stopped', text: 'The call was stopped.' }
      const text = error instanceof Error ? error.message : String(error)
      if (/timed out/i.test(text))
        return { outcome: 'timed_out', text: `The tool did not answer within ${CALL_TIMEOUT_MS / 1000} seconds.` }
      return {
        outcome: 'failed',
        text: this.state === 'ready' ? text : `The server went down during the call: ${this.lastError ?? text}`,
      }
    }
  }

  async prompt(name: string, given: Record<string, string>): Promise<string> {
    await this.ensure(START_TIMEOUT_MS)
    if (!this.client) throw new Error(this.lastError ?? 'The server is not running.')
    const { messages } = await this.client.getPrompt({ name, arguments: given }, { timeout: CALL_TIMEOUT_MS })
    return messages.flatMap((message) => (message.content.type === 'text' ? [message.content.text] : [])).join('\n\n')
  }

  /** A person's restart forgets the pauses. */
  async restart(waitMs: number): Promise<void> {
    this.failures = 0
    this.notBefore = 0
    await this.starting
    const { client } = this
    this.client = undefined
    await client?.close()
    this.set('stopped')
    await this.ensure(waitMs)
  }

  async close(): Promise<void> {
    this.closed = true
    await this.starting
    const { client } = this
    this.client = undefined
    await client?.close()
    this.state = 'stopped'
  }

  private lost(): void {
    this.client = undefined
    this.failed('The connection to the server ended. It is started again when it is needed.')
  }

  private failed(message: string): void {
    this.lastError = message
    this.notBefore = Date.now() + (BACK_OFF_MS[Math.min(this.failures, BACK_OFF_MS.length - 1)] ?? 0)
    this.failures += 1
    this.note(`! ${message}`)
    this.set('failed')
  }

  private set(state: McpServer['state']): void {
    if (this.closed) return
    this.state = state
    this.onChange()
  }

  private note(text: string): void {
    for (const line of text.split('\n')) if (line.trim() !== '') this.lines.push(line.slice(0, 2000))
    this.lines.splice(0, Math.max(0, this.lines.length - LOG_LINES))
  }
}

/** Text stays text, images go beside it, the rest is named. The outcome is the server's own word, not a guess. */
export function readResult(result: CallToolResult): RawResult {
  const texts: string[] = []
  const images: { mediaType: string; dataBase64: string }[] = []
  for (const part of result.content ?? []) {
    if (part.type === 'text') texts.push(part.text)
    else if (part.type === 'image') images.push({ mediaType: part.mimeType, dataBase64: part.data })
    else if (part.type === 'audio') texts.push(`[audio, ${part.mimeType}, not shown to the model]`)
    else if (part.type === 'resource_link') texts.push(`[resource ${part.uri}${part.name ? `: ${part.name}` : ''}]`)
    else if (part.type === 'resource') {
      texts.push(
        'text' in part.resource
          ? `[resource ${part.resource.uri}]\n${part.resource.text}`
          : `[resource ${part.resource.uri}, binary]`,
      )
    }
  }
  if (texts.length === 0 && result.structuredContent !== undefined) texts.push(JSON.stringify(result.structuredContent))
  const text = texts.join('\n\n')
  return {
    outcome: result.isError ? 'failed' : 'completed',
    text: text === '' && images.length === 0 ? '(no content)' : text,
    ...(images.length === 0 ? {} : { images }),
  }
}
