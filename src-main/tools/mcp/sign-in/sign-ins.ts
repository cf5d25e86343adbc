import { randomBytes } from 'node:crypto'
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { OAuthError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { AppError } from '../../../ipc/app-error'
import { type Said, said } from '../../../ipc/said-contract'
import type { McpServer } from '../../contract'
import type { SecretStore } from '../../kept-secrets'
import { type HttpTransport, mayBeOlder, openHttp } from '../open-transport'
import { type Callback, openCallback } from './loopback-callback'
import { NotRegistered, SignInProvider, SignInVault } from './sign-in-provider'

type HttpServer = Extract<McpServer['transport'], { kind: 'http' }>

interface UnderWay {
  url: string
  callback: Callback
  timer: NodeJS.Timeout
}

export interface SignInDeps {
  secrets: SecretStore
  /** Milliseconds a server has to say where to sign in, and a person to do it. */
  startMs: number
  personMs: number
  onChange: (serverId: string) => void
  onSignedIn: (serverId: string) => Promise<void>
}

/** The server wants to know who asks. */
export function wantsSignIn(error: unknown): boolean {
  if (error instanceof UnauthorizedError || error instanceof OAuthError || error instanceof NotRegistered) return true
  return error instanceof Error && 'code' in error && error.code === 401
}

/** Signing in at servers over HTTP: whoever is asked, where the browser comes back to, and what is kept. */
export class SignIns {
  private readonly underWay = new Map<string, UnderWay>()
  private readonly signedIn = new Set<string>()
  /** Why the last one came to nothing. */
  private readonly problems = new Map<string, Said>()

  constructor(private readonly deps: SignInDeps) {}

  /** For a connection nobody watches; undefined where nobody has signed in. */
  async provider(serverId: string, onTokens: (tokens: OAuthTokens) => void): Promise<OAuthClientProvider | undefined> {
    const vault = this.vault(serverId)
    const tokens = await vault.tokens()
    if (!tokens) {
      this.signedIn.delete(serverId)
      return undefined
    }
    this.signedIn.add(serverId)
    onTokens(tokens)
    return new SignInProvider(vault, onTokens)
  }

  /** For the tool centre. */
  shown(serverId: string, isNeeded: boolean): Pick<McpServer, 'signIn' | 'signInPage'> {
    const page = this.underWay.get(serverId)?.url
    if (page !== undefined) return { signIn: 'waiting', signInPage: page }
    if (isNeeded) return { signIn: 'needed' }
    return this.signedIn.has(serverId) ? { signIn: 'done' } : {}
  }

  problemOf(serverId: string): Said | undefined {
    return this.problems.get(serverId)
  }

  forgetProblem(serverId: string): void {
    this.problems.delete(serverId)
  }

  /** The address of the page to sign in at; undefined when the server asks for none. */
  async begin(serverId: string, server: HttpServer): Promise<string | undefined> {
    this.stop(serverId)
    this.problems.delete(serverId)
    const vault = this.vault(serverId)
    const state = randomBytes(32).toString('base64url')
    const known = await vault.registration()
    const callback = await openCallback(state, known ? Number(new URL(known.redirectUrl).port) : 0)
    try {
      let page: URL | undefined
      const open = (url: URL) => {
        page = url
      }
      const window = { redirectUrl: callback.redirectUrl, state, open }
      const transport = await this.asked(server, new SignInProvider(vault, () => undefined, window))
      if (!transport || page === undefined) {
        callback.close()
        return undefined
      }
      if (page.protocol !== 'https:' && page.protocol !== 'http:') throw new Error(`${page.protocol} is no web page.`)
      this.wait(serverId, { url: page.href, callback, transport })
      return page.href
    } catch (cause) {
      callback.close()
      const words = cause instanceof Error ? cause.message : String(cause)
      throw new AppError('tool.failed', said`The sign-in could not begin: ${words}`, { cause })
    }
  }

  /** The transport that was told to sign in: it knows where. */
  private async asked(server: HttpServer, signIn: SignInProvider): Promise<HttpTransport | undefined> {
    const { startMs } = this.deps
    for (const way of ['streamable', 'older'] as const) {
      const transport = openHttp(server, { way, startMs, signIn })
      const client = new Client({ name: 'strata', version: '1' }, { capabilities: {} })
      try {
        await client.connect(transport as Transport, { timeout: startMs })
        await client.close()
        return undefined
      } catch (error) {
        await client.close()
        if (error instanceof UnauthorizedError) return transport
        if (way === 'older' || !mayBeOlder(error)) throw error
      }
    }
    return undefined
  }

  private wait(serverId: string, { url, callback, transport }: Omit<UnderWay, 'timer'> & { transport: HttpTransport }) {
    const timer = setTimeout(() => this.stop(serverId), this.deps.personMs)
    const mine: UnderWay = { url, callback, timer }
    this.underWay.set(serverId, mine)
    this.deps.onChange(serverId)
    const end = async (problem?: Said) => {
      const isOurs = this.underWay.get(serverId) === mine
      clearTimeout(timer)
      callback.close()
      if (!isOurs) return
      this.underWay.delete(serverId)
      if (problem === undefined) return this.deps.onSignedIn(serverId)
      this.problems.set(serverId, problem)
      this.vault(serverId).forget('client')
      this.deps.onChange(serverId)
    }
    callback.code
      .then((code) => transport.finishAuth(code))
      .then(
        () => end(),
        (error: unknown) =>
          end(said`The sign-in did not succeed: ${error instanceof Error ? error.message : String(error)}`),
      )
      // a server that does not start now says so itself
      .catch(() => undefined)
  }

  stop(serverId: string): void {
    const mine = this.underWay.get(serverId)
    if (!mine) return
    this.underWay.delete(serverId)
    clearTimeout(mine.timer)
    mine.callback.close()
    // The authority may have shown an error instead of a way back, such as one for a client it has forgotten.
    this.vault(serverId).forget('client')
    this.deps.onChange(serverId)
  }

  /** Everything kept of it goes. */
  forget(serverId: string): void {
    this.stop(serverId)
    this.problems.delete(serverId)
    this.signedIn.delete(serverId)
    this.vault(serverId).forget()
  }

  close(): void {
    for (const { callback, timer } of this.underWay.values()) {
      clearTimeout(timer)
      callback.close()
    }
    this.underWay.clear()
  }

  private vault(serverId: string): SignInVault {
    return new SignInVault(this.deps.secrets, serverId)
  }
}
