import type { Emit } from '../../app-contract'
import { AppError } from '../../ipc/app-error'
import { said, textOf } from '../../ipc/said-contract'
import type { ToolChoices } from '../../sessions/contract'
import type { WriteDatabase } from '../../storage/database'
import { schemaProblem } from '../arguments'
import type { McpServer } from '../contract'
import { fingerprintOf, transportHash } from '../definition'
import { keepSecrets, masked, type SecretStore, withKept } from '../kept-secrets'
import { isServerWanted } from '../policy'
import { knownTools, putKnownTools, putServer, removeServer, type StoredServer, storedServers } from '../repository'
import { HIDDEN } from '../secret-places'
import type { RawResult, Tool } from '../tool'
import type { ToolCall } from './call-tool'
import type { ConnectionSettings } from './connect-client'
import type { ListedTool } from './listing'
import { McpConnection } from './mcp-connection'
import { MCP_LIMITS, type McpLimits } from './mcp-limits'
import { secretNamesIn } from './read-servers-json'
import { addressOf, completed, fieldsOf, knowsUs, type SaveServer, serverPlaces } from './server-fields'
import { SignIns } from './sign-in/sign-ins'

export interface McpServersDeps {
  database: WriteDatabase
  /** Does a write nobody waits for, now or when there is room. */
  whenRoom: (lane: string, write: () => void) => void
  secrets: SecretStore
  emit: Emit
  ids: () => string
  nowIso: () => string
  limits?: McpLimits
}

/** A chat does not wait longer than this for servers that are still starting. */
const TURN_WAIT_MS = 2500
const NOT_WHAT_WAS_ALLOWED =
  'The server changed this tool after it was allowed, so it was not run. Call it again: the person is asked about the change.'
const PERSON_WAIT_MS = 20_000

export class McpServers {
  private readonly connections = new Map<string, McpConnection>()
  /** What each server listed last, this time or in an earlier run. */
  private readonly known = new Map<string, readonly ListedTool[]>()
  private readonly signIns: SignIns
  private readonly limits: McpLimits
  private readonly deps: McpServersDeps

  constructor(deps: McpServersDeps) {
    this.deps = deps
    this.limits = deps.limits ?? MCP_LIMITS
    this.signIns = new SignIns({
      secrets: deps.secrets,
      startMs: this.limits.start,
      personMs: this.limits.person,
      onChange: (id) => this.changed(id),
      onSignedIn: async (id) => {
        if (storedServers(deps.database).some((server) => server.id === id)) await this.restart(id)
      },
    })
  }

  list(): McpServer[] {
    return storedServers(this.deps.database).map((server) => this.shown(server))
  }

  private shown(server: StoredServer): McpServer {
    const connection = this.connections.get(server.id)
    const tail = connection?.log().slice(-20) ?? []
    const lastError = this.signIns.problemOf(server.id) ?? connection?.lastError
    return {
      ...server,
      transport: masked(server.transport, serverPlaces(server.secretNames)),
      state: connection?.state ?? 'stopped',
      ...(lastError !== undefined && { lastError: textOf(lastError) }),
      ...(typeof lastError === 'object' && { lastErrorWords: lastError.words }),
      ...(connection?.state === 'ready' ? { toolCount: connection.tools.length, prompts: connection.prompts } : {}),
      ...this.signIns.shown(server.id, connection?.needsSignIn ?? false),
      ...(tail.length === 0 ? {} : { stderrTail: tail }),
    }
  }

  async save(input: SaveServer): Promise<McpServer> {
    const { database, nowIso, ids, secrets } = this.deps
    const old = storedServers(database).find((server) => server.id === input.id)
    if (input.id !== undefined && !old) throw new AppError('not_found', 'This server is gone. Add it anew.')
    const id = old?.id ?? ids()
    const transport = input.transport ? completed(input.transport) : old?.transport
    const name = (input.name ?? old?.name)?.trim()
    if (!transport || name === undefined) throw new AppError('bad_input', 'A new server needs a name and an address.')
    if (transport.kind === 'http' && !URL.canParse(transport.url)) {
      throw new AppError('bad_input', 'The address is no URL. It begins with http:// or https://.', {
        details: { path: 'transport.url' },
      })
    }
    const fields = fieldsOf(transport)
    // One shown as dots was a secret before, whatever the window says of it now.
    const secretNames = Object.keys(fields).filter((name) => {
      const asked = input.secretNames ?? [...(old?.secretNames ?? []), ...secretNamesIn(fields)]
      return asked.includes(name) || fields[name] === HIDDEN
    })
    const server: StoredServer = {
      id,
      name,
      transport: masked(transport, serverPlaces(secretNames)),
      secretNames,
      selectedForChat: input.selectedForChat ?? old?.selectedForChat ?? true,
      enabled: input.enabled ?? old?.enabled ?? true,
    }
    putServer(database, server, nowIso())
    // Tokens are for the address they were given for.
    if (old && addressOf(old.transport) !== addressOf(transport)) this.signIns.forget(id)
    const before = old && { value: old.transport, places: serverPlaces(old.secretNames) }
    await keepSecrets(secrets, `mcp/${id}`, { value: transport, places: serverPlaces(secretNames) }, before)
    await this.drop(id)
    this.changed(id)
    return this.shown(server)
  }

  async remove(id: string): Promise<number> {
    await this.drop(id)
    this.signIns.forget(id)
    this.known.delete(id)
    this.deps.secrets.remove(`mcp/${id}`)
    const removed = removeServer(this.deps.database, id)
    this.changed(id)
    return removed
  }

  async restart(id: string): Promise<McpServer> {
    const server = this.stored(id)
    this.signIns.forgetProblem(id)
    const connection = await this.connection(server)
    await connection.restart(PERSON_WAIT_MS)
    return this.shown(server)
  }

  /** The page a person signs in at, null where the server wants nobody to. The rest goes on when the browser is back. */
  async signIn(id: string): Promise<{ page: string | null; server: McpServer }> {
    const server = this.stored(id)
    if (server.transport.kind !== 'http')
      throw new AppError('bad_input', 'Only a server with a web address can ask for a sign-in.')
    const { transport } = await this.withSecrets(server)
    const page = transport.kind === 'http' ? await this.signIns.begin(id, transport) : undefined
    if (page === undefined) await this.restart(id)
    return { page: page ?? null, server: this.shown(server) }
  }

  stopSignIn(id: string): McpServer {
    this.signIns.stop(id)
    return this.shown(this.stored(id))
  }

  /** Forgets the tokens, and who we are to that server. */
  async signOut(id: string): Promise<McpServer> {
    this.signIns.forget(id)
    return this.restart(id)
  }

  log(id: string): string[] {
    return this.connections.get(this.stored(id).id)?.log() ?? []
  }

  async prompt(id: string, name: string, given: Record<string, string>): Promise<string> {
    const connection = await this.connection(this.stored(id))
    try {
      return await connection.prompt(name, given)
    } catch (cause) {
      throw new AppError(
        'tool.failed',
        said`The prompt could not be read: ${cause instanceof Error ? cause.message : String(cause)}`,
        { cause },
      )
    }
  }

  /** Starts what a turn needs and waits a little; what is not up by then is "down" for this turn, with its reason. */
  async wake(choices: Readonly<ToolChoices>): Promise<void> {
    const wanted = storedServers(this.deps.database).filter(
      (server) => server.enabled && isServerWanted(server, choices),
    )
    await Promise.all(wanted.map(async (server) => (await this.connection(server)).ensureForTurn(TURN_WAIT_MS)))
  }

  /** Every tool of every server, as last listed: one that is down keeps its tools, with the reason. */
  tools(): Tool[] {
    return storedServers(this.deps.database).flatMap((server) => this.toolsOf(server))
  }

  private toolsOf(server: StoredServer): Tool[] {
    const { id, enabled, selectedForChat } = server
    const connection = this.connections.get(id)
    const state = enabled ? (connection?.state ?? 'stopped') : 'stopped'
    const lastError = enabled ? connection?.lastError : 'It is switched off in Settings.'
    const transport = masked(server.transport, serverPlaces(server.secretNames))
    const reached = transportHash(transport)
    return this.listed(id, connection).map((listed) => {
      const problem = schemaProblem(listed.schema)
      const { name, description, schema } = listed
      const fingerprint = fingerprintOf(listed, reached)
      return {
        definition: { name, description, schema, transport },
        subject: {
          fingerprint,
          id: `mcp/${id}/${listed.name}`,
          origin: 'mcp',
          enabledByDefault: true,
          defaultPolicy: 'ask',
          server: { id, selectedForChat, state, ...(lastError === undefined ? {} : { lastError }) },
          ...(problem === undefined ? {} : { unusable: problem }),
        },
        name,
        serverName: server.name,
        description,
        schema: problem === undefined ? schema : { type: 'object' },
        run: (given, context) => this.call(id, { name, given, ...context }, fingerprint),
      }
    })
  }

  /**
   * A person may have removed it, switched it off or edited it while its call waited, and a server that is started for
   * the call may list another tool under this name: what runs is what was allowed, or nothing.
   */
  private async call(id: string, call: Omit<ToolCall, 'refuses'>, fingerprint: string): Promise<RawResult> {
    const server = storedServers(this.deps.database).find((candidate) => candidate.id === id)
    if (!server?.enabled)
      return { outcome: 'failed', text: 'The server of this tool was removed or switched off in the meantime.' }
    const reached = transportHash(masked(server.transport, serverPlaces(server.secretNames)))
    const refuses = (tools: readonly ListedTool[]): string | undefined => {
      const listed = tools.find((tool) => tool.name === call.name)
      if (listed && fingerprintOf(listed, reached) === fingerprint) return undefined
      return listed ? NOT_WHAT_WAS_ALLOWED : 'The server does not list this tool any more, so it was not run.'
    }
    return (await this.connection(server)).call({ ...call, refuses })
  }

  private listed(id: string, connection: McpConnection | undefined): readonly ListedTool[] {
    if (connection?.state === 'ready') return connection.tools
    const known = this.known.get(id) ?? (knownTools(this.deps.database, id) as ListedTool[])
    this.known.set(id, known)
    return known
  }

  async close(): Promise<void> {
    this.signIns.close()
    await Promise.all([...this.connections.values()].map((connection) => connection.close()))
    this.connections.clear()
  }

  private stored(id: string): StoredServer {
    const server = storedServers(this.deps.database).find((candidate) => candidate.id === id)
    if (!server) throw new AppError('not_found', 'This server is gone.')
    return server
  }

  private async connection(server: StoredServer): Promise<McpConnection> {
    const existing = this.connections.get(server.id)
    if (existing) return existing
    const { transport, secrets } = await this.withSecrets(server)
    const raced = this.connections.get(server.id)
    if (raced) return raced
    const settings: ConnectionSettings = {
      name: server.name,
      transport,
      secrets,
      limits: this.limits,
      ...(knowsUs(transport) ? {} : { signIn: (onTokens) => this.signIns.provider(server.id, onTokens) }),
    }
    const connection = new McpConnection(settings, () => this.changed(server.id))
    this.connections.set(server.id, connection)
    return connection
  }

  private async withSecrets(server: StoredServer): Promise<{ transport: McpServer['transport']; secrets: string[] }> {
    const places = serverPlaces(server.secretNames)
    const { value, secrets } = await withKept(this.deps.secrets, `mcp/${server.id}`, server.transport, places)
    return { transport: value, secrets }
  }

  private async drop(id: string): Promise<void> {
    const connection = this.connections.get(id)
    this.connections.delete(id)
    await connection?.close()
  }

  private changed(id: string): void {
    const connection = this.connections.get(id)
    if (connection?.state === 'ready' && connection.tools !== this.known.get(id)) {
      this.known.set(id, connection.tools)
      const { tools } = connection
      // called by whatever happens to a connection: a full disk must not look like a server's failure
      this.deps.whenRoom(`tools of ${id}`, () => putKnownTools(this.deps.database, id, tools))
    }
    this.deps.emit('mcp.changed', { ids: [id] })
    this.deps.emit('tools.changed', { ids: [] })
  }
}
