import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  GetPromptResultSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { McpPrompt, McpServer } from '../contract'
import type { RawResult } from '../tool'
import { boundedFetch } from './bounded-fetch'
import { BoundedStdio } from './bounded-stdio'
import { type ListedTool, listPrompts, listTools } from './listing'
import { callResult, partText, readResult } from './read-result'
import { redactor } from './redact'
import { startProblem } from './start-problem'

const LOG_LINES = 200

/** Milliseconds. */
export interface McpLimits {
  start: number
  list: number
  call: number
  /** Progress prolongs a call up to this. */
  longestCall: number
  /** Pauses before the next start, by the number of failures in a row. */
  backOff: readonly number[]
  /** Up for this long, a server counts as sound again. */
  sound: number
  /** Between two readings of a list a server says has changed. */
  relist: number
}

export const MCP_LIMITS: McpLimits = {
  start: 20_000,
  list: 15_000,
  call: 120_000,
  longestCall: 15 * 60_000,
  backOff: [0, 1000, 3000, 10_000, 30_000],
  sound: 30_000,
  relist: 300,
}

export interface ConnectionSettings {
  name: string
  transport: McpServer['transport']
  /** Values that must never be repeated anywhere. */
  secrets: readonly string[]
  limits: McpLimits
}

/** One MCP server: started on demand, restarted with growing pauses, never trusted. */
export class McpConnection {
  state: McpServer['state'] = 'stopped'
  lastError: string | undefined
  tools: readonly ListedTool[] = []
  prompts: readonly McpPrompt[] = []
  private client: Client | undefined
  /** The one being started. */
  private opening: Client | undefined
  private starting: Promise<void> | undefined
  private failures = 0
  private notBefore = 0
  private readySince = 0
  private closed = false
  private stale = false
  private relisting = false
  private probing = false
  private readonly lines: string[] = []
  private readonly redact: (text: string) => string

  constructor(
    private readonly settings: ConnectionSettings,
    private readonly onChange: () => void,
  ) {
    this.redact = redactor(settings.secrets)
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
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, waitMs)
    })
    await Promise.race([this.starting, late])
    clearTimeout(timer)
  }

  private async start(): Promise<void> {
    const client = new Client({ name: 'strata', version: '1' }, { capabilities: {} })
    this.opening = client
    this.listen(client)
    this.set('starting')
    try {
      await client.connect(this.transport(), { timeout: this.settings.limits.start })
      await this.list(client)
      if (this.opening !== client) return
      this.client = client
      this.readySince = Date.now()
      this.lastError = undefined
      this.set('ready')
    } catch (error) {
      const isOurs = this.opening === client
      await client.close().catch((closing: unknown) => this.note(`! ${String(closing)}`))
      if (isOurs) this.failed(startProblem(error, this.settings.transport))
    } finally {
      if (this.opening === client) this.opening = undefined
    }
  }

  private listen(client: Client): void {
    client.onerror = (error) => {
      this.note(`! ${error.message}`)
      if (this.settings.transport.kind === 'http' && this.client === client) void this.probe(client)
    }
    client.onclose = () => {
      if (this.client === client) this.lost()
    }
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => this.relist(client))
    client.setNotificationHandler(PromptListChangedNotificationSchema, () => this.relist(client))
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
      this.note(`${params.level}: ${typeof params.data === 'string' ? params.data : JSON.stringify(params.data)}`)
    })
  }

  private transport(): Transport {
    const { transport } = this.settings
    if (transport.kind === 'stdio') {
      const { command, args, env, cwd } = transport
      return new BoundedStdio({ command, args, env, ...(cwd === undefined ? {} : { cwd }) }, (text) => this.note(text))
    }
    // The SDK's class declares `sessionId` as optional-undefined, which exact optional types tell apart.
    return new StreamableHTTPClientTransport(new URL(transport.url), {
      fetch: boundedFetch(),
      requestInit: { headers: transport.headers },
    }) as Transport
  }

  /** A broken stream does not say whether the server is gone; a question to it does. Ends what waits in vain. */
  private async probe(client: Client): Promise<void> {
    if (this.probing) return
    this.probing = true
    try {
      await client.ping({ timeout: Math.min(5000, this.settings.limits.start) })
    } catch {
      if (this.client === client) await client.close().catch((error: unknown) => this.note(`! ${String(error)}`))
    } finally {
      this.probing = false
    }
  }

  /** However often a server says its lists have changed, they are read one at a time, with pauses. */
  private async relist(client: Client): Promise<void> {
    this.stale = true
    if (this.relisting) return
    this.relisting = true
    try {
      while (this.stale && (this.client === client || this.opening === client)) {
        await new Promise((resolve) => setTimeout(resolve, this.settings.limits.relist))
        this.stale = false
        if (this.client !== client) continue
        await this.list(client)
        this.onChange()
      }
    } catch (error) {
      this.note(`! The lists could not be read again: ${String(error)}`)
    } finally {
      this.relisting = false
    }
  }

  private async list(client: Client): Promise<void> {
    const { list } = this.settings.limits
    const offers = client.getServerCapabilities()
    this.tools = offers?.tools ? await listTools(client, list) : []
    if (!offers?.prompts) return
    try {
      this.prompts = await listPrompts(client, list)
    } catch (error) {
      // Tools without prompts are worth more than neither.
      this.note(`! The prompts could not be listed: ${String(error)}`)
    }
  }

  async call(
    name: string,
    given: Record<string, unknown>,
    signal: AbortSignal,
    onProgress: (text: string) => void,
  ): Promise<RawResult> {
    const raw = await this.tryCall(name, given, signal, onProgress)
    return { ...raw, text: this.redact(raw.text) }
  }

  private async tryCall(
    name: string,
    given: Record<string, unknown>,
    signal: AbortSignal,
    onProgress: (text: string) => void,
    isSecond = false,
  ): Promise<RawResult> {
    const { limits, transport } = this.settings
    await this.ensure(limits.start)
    if (signal.aborted) return { outcome: 'stopped', text: 'The call was stopped.' }
    const { client } = this
    if (!client || this.state !== 'ready')
      return {
        outcome: 'failed',
        text: `The server ${this.settings.name} is down: ${this.lastError ?? 'it did not start'}`,
      }
    try {
      const result = await client.request({ method: 'tools/call', params: { name, arguments: given } }, callResult, {
        signal,
        timeout: limits.call,
        resetTimeoutOnProgress: true,
        maxTotalTimeout: limits.longestCall,
        onprogress: ({ progress, total, message }) =>
          onProgress(this.redact(message ?? (total === undefined ? `${progress}` : `${progress} of ${total}`))),
      })
      return readResult(result)
    } catch (error) {
      if (signal.aborted) return { outcome: 'stopped', text: 'The call was stopped.' }
      if (!isSecond && transport.kind === 'http' && neverRan(error)) {
        await client.close()
        return this.tryCall(name, given, signal, onProgress, true)
      }
      return this.callFailed(error)
    }
  }

  private callFailed(error: unknown): RawResult {
    const text = error instanceof Error ? error.message : String(error)
    if (/tim(ed|e) ?out/i.test(text))
      return {
        outcome: 'timed_out',
        text: `The tool did not answer within ${this.settings.limits.call / 1000} seconds.`,
      }
    return {
      outcome: 'failed',
      text: this.state === 'ready' ? text : `The server went down during the call: ${this.lastError ?? text}`,
    }
  }

  /** A server's prompt as text to insert. Images in it are named only. */
  async prompt(name: string, given: Record<string, string>): Promise<string> {
    const { start, call } = this.settings.limits
    await this.ensure(start)
    if (!this.client) throw new Error(this.lastError ?? 'The server is not running.')
    const params = { name, arguments: given }
    const { messages } = await this.client.request({ method: 'prompts/get', params }, GetPromptResultSchema, {
      timeout: call,
    })
    const texts = messages.map(({ content }) => partText(content, []) ?? '[an image, not inserted]')
    return this.redact(texts.join('\n\n'))
  }

  /** A person's restart forgets the pauses. */
  async restart(waitMs: number): Promise<void> {
    await this.end()
    this.failures = 0
    this.notBefore = 0
    this.set('stopped')
    await this.ensure(waitMs)
  }

  async close(): Promise<void> {
    this.closed = true
    await this.end()
    this.state = 'stopped'
  }

  /** Also a start on its way: nobody waits for a server that hangs. */
  private async end(): Promise<void> {
    const open = this.client ?? this.opening
    this.client = undefined
    this.opening = undefined
    await open?.close().catch((error: unknown) => this.note(`! ${String(error)}`))
    await this.starting
  }

  private lost(): void {
    this.client = undefined
    if (Date.now() - this.readySince >= this.settings.limits.sound) this.failures = 0
    this.failed('The connection to the server ended. It is started again when it is needed.')
  }

  private failed(message: string): void {
    const { backOff } = this.settings.limits
    this.lastError = this.redact(message)
    this.notBefore = Date.now() + (backOff[Math.min(this.failures, backOff.length - 1)] ?? 0)
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
    for (const line of this.redact(text).split('\n')) if (line.trim() !== '') this.lines.push(line.slice(0, 2000))
    this.lines.splice(0, Math.max(0, this.lines.length - LOG_LINES))
  }
}

/** The request did not reach a tool: nobody listens, or the server has forgotten this session since it restarted. */
function neverRan(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  if (typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'ECONNREFUSED') return true
  const status = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  const text = error instanceof Error ? error.message : ''
  return status === 404 || (status === 400 && /session/i.test(text))
}
