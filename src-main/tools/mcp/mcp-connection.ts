import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SseError } from '@modelcontextprotocol/sdk/client/sse.js'
import {
  ElicitRequestSchema,
  ErrorCode,
  GetPromptResultSchema,
  LoggingMessageNotificationSchema,
  McpError,
  PromptListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { rewritten, type Said, textOf } from '../../ipc/said-contract'
import type { McpPrompt, McpServer } from '../contract'
import type { RawResult } from '../tool'
import { answerForm } from './answer-forms'
import { callTool, neverRan, type RunningCall, STOPPED, type ToolCall } from './call-tool'
import { type ConnectionSettings, connectClient } from './connect-client'
import { type ListedTool, listPrompts, listTools } from './listing'
import { partText } from './read-result'
import { ServerLog } from './server-log'
import { wantsSignIn } from './sign-in/sign-ins'
import { startProblem } from './start-problem'

const NEEDS_SIGN_IN = 'It needs you to sign in.'

/** One MCP server: started on demand, restarted with growing pauses, never trusted. */
export class McpConnection {
  state: McpServer['state'] = 'stopped'
  lastError: Said | undefined
  tools: readonly ListedTool[] = []
  prompts: readonly McpPrompt[] = []
  needsSignIn = false
  private client: Client | undefined
  /** The one being started. */
  private opening: Client | undefined
  private starting: Promise<void> | undefined
  private failures = 0
  private notBefore = 0
  private startedAt = 0
  private readySince = 0
  private closed = false
  private stale = false
  private relisting = false
  private probing = false
  private readonly running = new Set<RunningCall>()
  private readonly notes: ServerLog

  constructor(
    private readonly settings: ConnectionSettings,
    private readonly onChange: () => void,
  ) {
    this.notes = new ServerLog(settings.secrets)
  }

  log(): string[] {
    return this.notes.lines()
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

  /**
   * For a turn: it waits this long for a start altogether, however often it asks, and not at all for a server that
   * failed again and again.
   */
  ensureForTurn(waitMs: number): Promise<void> {
    const spent = this.starting === undefined ? 0 : Date.now() - this.startedAt
    return this.ensure(this.failures > 1 ? 0 : Math.max(0, waitMs - spent))
  }

  private async start(): Promise<void> {
    this.startedAt = Date.now()
    const client = new Client({ name: 'strata', version: '1' }, { capabilities: { elicitation: { form: {} } } })
    this.opening = client
    this.listen(client)
    this.set('starting')
    try {
      await connectClient(client, this.settings, this.notes, () => this.opening === client)
      await this.list(client)
      if (this.opening !== client) return
      this.client = client
      this.readySince = Date.now()
      this.lastError = undefined
      this.needsSignIn = false
      this.set('ready')
    } catch (error) {
      const isOurs = this.opening === client
      await client.close().catch((closing: unknown) => this.notes.trouble('It did not close', closing))
      if (isOurs) this.failed(this.problemOf(error))
    } finally {
      if (this.opening === client) this.opening = undefined
    }
  }

  private problemOf(error: unknown): Said {
    this.needsSignIn = this.settings.signIn !== undefined && wantsSignIn(error)
    return this.needsSignIn ? NEEDS_SIGN_IN : startProblem(error, this.settings.transport)
  }

  private listen(client: Client): void {
    client.onerror = (error) => {
      this.notes.trouble(error.message)
      // Its stream begins anew without what was said before: so does everything else.
      if (error instanceof SseError && this.client === client) void client.close()
      else if (this.settings.transport.kind === 'http' && this.client === client) void this.probe(client)
    }
    client.onclose = () => {
      if (this.client === client) this.lost()
    }
    client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => {
      const { name, limits } = this.settings
      const server = { name, redact: (text: string) => this.notes.redact(text), personMs: limits.person }
      return answerForm(params, this.running, server, signal)
    })
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => this.relist(client))
    client.setNotificationHandler(PromptListChangedNotificationSchema, () => this.relist(client))
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
      this.notes.add(`${params.level}: ${typeof params.data === 'string' ? params.data : JSON.stringify(params.data)}`)
    })
  }

  /** A broken stream does not say whether the server is gone; a question to it does. Ends what waits in vain. */
  private async probe(client: Client): Promise<void> {
    if (this.probing) return
    this.probing = true
    try {
      await client.ping({ timeout: Math.min(5000, this.settings.limits.start) })
    } catch (failure) {
      // An answer, even this one, is a sign of life.
      if (failure instanceof McpError && failure.code === ErrorCode.MethodNotFound) return
      if (this.client === client)
        await client.close().catch((error: unknown) => this.notes.trouble('It did not close', error))
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
        if (this.client === client) this.onChange()
      }
    } catch (error) {
      this.notes.trouble('The lists could not be read again', error)
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
      this.notes.trouble('The prompts could not be listed', error)
    }
  }

  async call(call: ToolCall): Promise<RawResult> {
    const progress = (text: string) => call.progress(this.notes.redact(text))
    const raw = await this.tryCall({ ...call, progress }).catch(
      (error: unknown): RawResult => ({
        outcome: 'failed',
        text: error instanceof Error ? error.message : String(error),
      }),
    )
    return { ...raw, text: this.notes.redact(raw.text) }
  }

  private async tryCall(call: ToolCall, isSecond = false): Promise<RawResult> {
    await this.ensure(this.settings.limits.start)
    if (call.signal.aborted) return STOPPED
    const { client } = this
    if (!client || this.state !== 'ready')
      return {
        outcome: 'failed',
        text: `The server ${this.settings.name} is down: ${textOf(this.lastError ?? 'it did not start')}`,
      }
    const refused = call.refuses(this.tools)
    if (refused !== undefined) return { outcome: 'failed', text: refused }
    try {
      return await callTool(client, call, this.settings.limits, this.running)
    } catch (error) {
      if (this.settings.signIn && wantsSignIn(error)) {
        await client.close()
        this.signedOut()
        return { outcome: 'failed', text: `The server ${this.settings.name} needs the person to sign in again.` }
      }
      if (!isSecond && this.settings.transport.kind === 'http' && neverRan(error)) {
        await client.close()
        return this.tryCall(call, true)
      }
      if (this.state === 'ready') throw error
      return {
        outcome: 'failed',
        text: `The server went down during the call: ${textOf(this.lastError ?? String(error))}`,
      }
    }
  }

  /** A server's prompt as text to insert. Images in it are named only. */
  async prompt(name: string, given: Record<string, string>): Promise<string> {
    const { start, call } = this.settings.limits
    await this.ensure(start)
    if (!this.client) throw new Error(textOf(this.lastError ?? 'The server is not running.'))
    const params = { name, arguments: given }
    const { messages } = await this.client.request({ method: 'prompts/get', params }, GetPromptResultSchema, {
      timeout: call,
    })
    const texts = messages.map(({ content }) => partText(content, []) ?? '[an image, not inserted]')
    return this.notes.redact(texts.join('\n\n'))
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
    await open?.close().catch((error: unknown) => this.notes.trouble('It did not close', error))
    await this.starting
  }

  private signedOut(): void {
    if (this.closed) return
    this.needsSignIn = true
    this.lastError = NEEDS_SIGN_IN
    this.onChange()
  }

  private lost(): void {
    this.client = undefined
    if (Date.now() - this.readySince >= this.settings.limits.sound) this.failures = 0
    this.failed('The connection to the server ended. It is started again when it is needed.')
  }

  private failed(message: Said): void {
    const { backOff } = this.settings.limits
    this.lastError = rewritten(message, (text) => this.notes.redact(text))
    this.notBefore = Date.now() + (backOff[Math.min(this.failures, backOff.length - 1)] ?? 0)
    this.failures += 1
    this.notes.trouble(textOf(message))
    this.set('failed')
  }

  private set(state: McpServer['state']): void {
    if (this.closed) return
    this.state = state
    this.onChange()
  }
}
