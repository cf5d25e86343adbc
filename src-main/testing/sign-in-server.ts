import { randomUUID } from 'node:crypto'
import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import { InvalidGrantError, InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js'
import type { AuthorizationParams, OAuthServerProvider } from '@modelcontextprotocol/sdk/server/auth/provider.js'
import { mcpAuthRouter } from '@modelcontextprotocol/sdk/server/auth/router.js'
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { OAuthClientInformationFull, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** A real authorisation server: the SDK's endpoints over what is kept in memory. */
export class SignInAuthority implements OAuthServerProvider {
  readonly clients: OAuthClientInformationFull[] = []
  readonly codes = new Map<string, AuthorizationParams>()
  readonly access = new Set<string>()
  readonly refresh = new Set<string>()
  /** A refresh token that was given in twice. */
  reused = 0
  /** The person says no. */
  denies = false

  readonly clientsStore = {
    getClient: (id: string) => this.clients.find((client) => client.client_id === id),
    registerClient: (client: Omit<OAuthClientInformationFull, 'client_id' | 'client_id_issued_at'>) => {
      const full = { client_id: randomUUID(), ...client }
      this.clients.push(full)
      return full
    },
  }

  async authorize(
    _client: OAuthClientInformationFull,
    params: AuthorizationParams,
    response: Parameters<OAuthServerProvider['authorize']>[2],
  ): Promise<void> {
    const back = new URL(params.redirectUri)
    if (params.state !== undefined) back.searchParams.set('state', params.state)
    if (this.denies) back.searchParams.set('error', 'access_denied')
    else {
      const code = randomUUID()
      this.codes.set(code, params)
      back.searchParams.set('code', code)
    }
    response.redirect(back.href)
  }

  async challengeForAuthorizationCode(_client: OAuthClientInformationFull, code: string): Promise<string> {
    return this.codes.get(code)?.codeChallenge ?? ''
  }

  async exchangeAuthorizationCode(_client: OAuthClientInformationFull, code: string): Promise<OAuthTokens> {
    if (!this.codes.delete(code)) throw new InvalidGrantError('This code was used.')
    return this.tokens()
  }

  async exchangeRefreshToken(_client: OAuthClientInformationFull, token: string): Promise<OAuthTokens> {
    if (!this.refresh.delete(token)) {
      this.reused += 1
      throw new InvalidGrantError('This token was used.')
    }
    return this.tokens()
  }

  async verifyAccessToken(token: string) {
    if (!this.access.has(token)) throw new InvalidTokenError('Nobody knows this token.')
    return { token, clientId: 'any', scopes: [], expiresAt: Math.floor(Date.now() / 1000) + 3600 }
  }

  private tokens(): OAuthTokens {
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`]
    this.access.add(access)
    this.refresh.add(refresh)
    return { access_token: access, token_type: 'bearer', expires_in: 3600, refresh_token: refresh }
  }
}

type Asked = IncomingMessage & { body?: unknown }

export interface SignInServer {
  url: string
  authority: SignInAuthority
  close(): Promise<void>
}

/** An MCP server over HTTP that answers only who has signed in. Its one tool repeats the token it was given. */
export async function startSignInServer(): Promise<SignInServer> {
  const authority = new SignInAuthority()
  const app = createMcpExpressApp()
  const http: HttpServer = await new Promise((resolve) => {
    const listening: HttpServer = app.listen(0, '127.0.0.1', () => resolve(listening))
  })
  const address = http.address()
  const base = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  const url = `${base}/mcp`
  const resourceMetadataUrl = `${base}/.well-known/oauth-protected-resource/mcp`
  const off = { rateLimit: false as const }
  app.use(
    mcpAuthRouter({
      provider: authority,
      issuerUrl: new URL(base),
      resourceServerUrl: new URL(url),
      authorizationOptions: off,
      tokenOptions: off,
      clientRegistrationOptions: off,
    }),
  )
  app.post(
    '/mcp',
    requireBearerAuth({ verifier: authority, resourceMetadataUrl }),
    async (request: Asked, response: ServerResponse) => {
      const server = new McpServer({ name: 'signed', version: '1' })
      server.registerTool('whoami', { description: 'Repeats the token.' }, async (extra) => ({
        content: [{ type: 'text', text: `you are ${extra.authInfo?.token}` }],
      }))
      const transport = new StreamableHTTPServerTransport()
      await server.connect(transport as Transport)
      await transport.handleRequest(request, response, request.body)
    },
  )
  app.all('/mcp', (_request: Asked, response: ServerResponse) => void response.writeHead(405).end())
  return {
    url,
    authority,
    close: () =>
      new Promise((resolve) => {
        http.closeAllConnections()
        http.close(() => resolve())
      }),
  }
}
