import { AppError } from '../ipc/app-error'
import type { KeyCipher } from '../settings/key-cipher'
import { describeSecrets, removeSecrets, saveSecret } from '../settings/keys'
import type { ReadDatabase, WriteDatabase } from '../storage/database'
import { normaliseBaseUrl } from './base-url'
import { profileOf, secretOwner } from './client'
import type { Connection, ConnectionDraft } from './contract'
import { cleanHeader } from './header-rules'
import { listLessons } from './lesson-repository'
import { shownLesson } from './lesson-words'
import { findConnection, type StoredConnection } from './repository'
import { isSecretHeader, REDACTED } from './secret-text'

const KEY = 'key'

/** What may leave the main process. */
export function shownConnection(
  database: ReadDatabase,
  stored: StoredConnection,
  keyStore: KeyCipher['kind'],
): Connection {
  const secrets = describeSecrets(database, secretOwner(stored.id))
  const key = secrets.find((secret) => secret.name === KEY)
  const secretHeaders = secrets
    .filter((secret) => secret.name.startsWith('header:'))
    .map((secret) => [secret.name.slice('header:'.length), REDACTED])
  return {
    id: stored.id,
    name: stored.name,
    kind: stored.kind,
    ...(stored.baseUrl === undefined ? {} : { baseUrl: stored.baseUrl }),
    headers: { ...stored.headers, ...Object.fromEntries(secretHeaders) },
    hasKey: key !== undefined,
    ...(key?.hint === undefined ? {} : { keyHint: key.hint }),
    profile: profileOf(stored),
    learned: listLessons(database, stored.id).map(shownLesson),
    keyStore: key?.store ?? keyStore,
    createdAt: stored.createdAt,
  }
}

/** A key is sent as a header: line breaks and the like would break the request, and are never part of one. */
export function cleanKey(raw: string): string {
  const key = raw.trim().replace(/^bearer\s+/i, '')
  const pair = /^[A-Z][A-Z0-9_]*\s*=\s*["']?(.+?)["']?$/.exec(key)
  const value = pair?.[1] ?? key
  if (/[^\x21-\x7e]/.test(value)) {
    throw new AppError('bad_input', 'The key holds spaces or characters no key has. Copy it again.', {
      details: { path: 'apiKey' },
    })
  }
  return value
}

export interface SplitHeaders {
  plain: Record<string, string>
  secret: Record<string, string>
  /** Secret headers that are to stay as they are stored. */
  kept: string[]
}

export function splitHeaders(headers: Record<string, string>): SplitHeaders {
  const split: SplitHeaders = { plain: {}, secret: {}, kept: [] }
  for (const [name, raw] of Object.entries(headers)) {
    const value = cleanHeader(name, raw)
    if (!isSecretHeader(name)) split.plain[name] = value
    else if (value === REDACTED) split.kept.push(name)
    else split.secret[name] = value
  }
  return split
}

/** What was learned of an address does not hold for another one. */
export function sameServer(before: StoredConnection | undefined, after: { kind: string; baseUrl?: string }): boolean {
  return before !== undefined && before.kind === after.kind && before.baseUrl === after.baseUrl
}

/** The connection a draft describes, on top of the stored one it names. Throws `bad_input`, `not_found`. */
export function fromDraft(
  database: ReadDatabase,
  draft: ConnectionDraft,
  fresh: { id: string; createdAt: string },
): { connection: StoredConnection; before: StoredConnection | undefined; headers: SplitHeaders | undefined } {
  const before = draft.id === undefined ? undefined : findConnection(database, draft.id)
  if (draft.id !== undefined && !before) {
    throw new AppError('not_found', 'This connection is no longer there. Reload the list.')
  }
  const baseUrl = normaliseBaseUrl(draft.kind, draft.baseUrl)
  const headers = draft.headers && splitHeaders(draft.headers)
  const address = { kind: draft.kind, ...(baseUrl === undefined ? {} : { baseUrl }) }
  return {
    before,
    headers,
    connection: {
      id: before?.id ?? fresh.id,
      name: draft.name.trim() || draft.kind,
      ...address,
      headers: headers?.plain ?? before?.headers ?? {},
      override: { ...before?.override, ...draft.profile },
      learned: before && sameServer(before, address) ? before.learned : { profile: {} },
      createdAt: before?.createdAt ?? fresh.createdAt,
    },
  }
}

/** Writes the key and the secret headers of a draft. A missing key keeps the stored one, '' removes it. */
export async function saveSecretsOf(
  deps: { database: WriteDatabase; keyCipher: KeyCipher; now: () => string },
  connectionId: string,
  input: { apiKey: string | undefined; headers: SplitHeaders | undefined },
): Promise<void> {
  const { database, keyCipher } = deps
  const owner = secretOwner(connectionId)
  const save = (name: string, text: string) => saveSecret(database, keyCipher, { owner, name, text, now: deps.now() })
  const key = input.apiKey === undefined ? undefined : cleanKey(input.apiKey)
  if (key === '') removeSecrets(database, { owner, name: KEY })
  else if (key !== undefined) await save(KEY, key)
  if (!input.headers) return
  const { secret, kept } = input.headers
  for (const { name } of describeSecrets(database, owner)) {
    if (name !== KEY && !kept.includes(name.slice('header:'.length))) removeSecrets(database, { owner, name })
  }
  for (const [name, value] of Object.entries(secret)) await save(`header:${name}`, value)
}
