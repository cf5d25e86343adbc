import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import {
  type OAuthClientInformationMixed,
  type OAuthClientMetadata,
  type OAuthTokens,
  OAuthTokensSchema,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import { z } from 'zod'
import type { SecretStore } from '../../kept-secrets'

const registration = z.object({ redirectUrl: z.string(), client: z.looseObject({ client_id: z.string() }) })

/** A sign-in under way, with a person in front of it. */
export interface SignInWindow {
  redirectUrl: string
  state: string
  open: (url: URL) => void
}

const ownerOf = (serverId: string): string => `mcp/${serverId}/sign-in`

/** What the key store holds of one server's sign-in. */
export class SignInVault {
  private readonly owner: string

  constructor(
    private readonly secrets: SecretStore,
    serverId: string,
  ) {
    this.owner = ownerOf(serverId)
  }

  async tokens(): Promise<OAuthTokens | undefined> {
    const { data } = OAuthTokensSchema.safeParse(await this.read('tokens'))
    return data
  }

  async registration(): Promise<{ redirectUrl: string; client: OAuthClientInformationMixed } | undefined> {
    return registration.safeParse(await this.read('client')).data
  }

  put(name: 'tokens' | 'client', value: unknown): Promise<void> {
    return this.secrets.put(this.owner, name, JSON.stringify(value))
  }

  forget(name?: 'tokens' | 'client'): void {
    this.secrets.remove(this.owner, name)
  }

  private async read(name: string): Promise<unknown> {
    const text = await this.secrets.get(this.owner, name)
    return text === undefined ? undefined : JSON.parse(text)
  }
}

/** The authority does not know this app, or not any more, and nobody is there to register it for. */
export class NotRegistered extends Error {}

/**
 * The SDK's idea of a person's sign-in at one server. Without a window nobody is asked and nothing registered: tokens are
 * used and refreshed, and what needs more than that fails.
 */
export class SignInProvider implements OAuthClientProvider {
  readonly saveClientInformation?: (client: OAuthClientInformationMixed) => Promise<void>
  private verifier = ''

  constructor(
    private readonly vault: SignInVault,
    /** Hears every token, so that none is ever repeated. */
    private readonly onTokens: (tokens: OAuthTokens) => void,
    private readonly window?: SignInWindow,
  ) {
    if (window)
      this.saveClientInformation = (client) => vault.put('client', { redirectUrl: window.redirectUrl, client })
  }

  get redirectUrl(): string {
    return this.window?.redirectUrl ?? 'http://127.0.0.1/'
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'Strata',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  }

  state(): string {
    return this.window?.state ?? ''
  }

  /** One made for another address of ours would be refused there. */
  async clientInformation(): Promise<OAuthClientInformationMixed | undefined> {
    const known = await this.vault.registration()
    if (!this.window && !known) throw new NotRegistered('Nobody has signed in here.')
    return this.window && known?.redirectUrl !== this.redirectUrl ? undefined : known?.client
  }

  async tokens(): Promise<OAuthTokens | undefined> {
    const tokens = await this.vault.tokens()
    if (tokens) this.onTokens(tokens)
    return tokens
  }

  async saveTokens(tokens: OAuthTokens): Promise<void> {
    this.onTokens(tokens)
    await this.vault.put('tokens', tokens)
  }

  redirectToAuthorization(url: URL): void {
    this.window?.open(url)
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier
  }

  codeVerifier(): string {
    return this.verifier
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    if (scope === 'all') this.vault.forget()
    else if (scope === 'client' || scope === 'tokens') this.vault.forget(scope)
  }
}
