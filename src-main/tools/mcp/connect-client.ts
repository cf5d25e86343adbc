import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import type { McpServer } from '../contract'
import type { McpLimits } from './mcp-limits'
import { type HttpWay, mayBeOlder, openTransport } from './open-transport'
import type { ServerLog } from './server-log'
import { wantsSignIn } from './sign-in/sign-ins'

export interface ConnectionSettings {
  name: string
  transport: McpServer['transport']
  /** Values that must never be repeated anywhere. */
  secrets: readonly string[]
  limits: McpLimits
  /** Whoever a person signed in as; absent where the server is known by headers of its own. */
  signIn?: (onTokens: (tokens: OAuthTokens) => void) => Promise<OAuthClientProvider | undefined>
}

/** Over HTTP a server that refuses the newer way of asking is asked the older way. @throws what the first one said */
export async function connectClient(
  client: Client,
  { transport, limits, signIn }: ConnectionSettings,
  notes: ServerLog,
  isWanted: () => boolean,
): Promise<void> {
  const signedIn = await signIn?.(({ access_token, refresh_token }) => {
    notes.learn(access_token)
    if (refresh_token !== undefined) notes.learn(refresh_token)
  })
  const open = (way: HttpWay) => {
    const options = { way, startMs: limits.start, signIn: signedIn }
    return client.connect(
      openTransport(transport, (text) => notes.add(text), options),
      { timeout: limits.start },
    )
  }
  try {
    await open('streamable')
  } catch (error) {
    if (transport.kind !== 'http' || !mayBeOlder(error) || !isWanted()) throw error
    await client.close()
    await open('older').catch((older: unknown) => {
      throw wantsSignIn(older) ? older : error
    })
  }
}
