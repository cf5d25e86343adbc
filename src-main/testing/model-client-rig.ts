import BetterSqlite3 from 'better-sqlite3'
import type { Piece, ProjectedRequest, RequestPart, WireMessage } from '../context/request-contract'
import { createModelClient, type ModelClient, type ModelTarget, type StreamPart } from '../models/client'
import type { ConnectionKind, WireProfile } from '../models/contract'
import { modelMigrations } from '../models/migrations'
import { saveConnection } from '../models/repository'
import { keyMigrations } from '../settings/keys'
import type { WriteDatabase } from '../storage/database'
import { migrate } from '../storage/open-database'
import { testKeyCipher } from './key-ciphers'

export const NOW = '2026-01-02T03:04:05.000Z'

export function memoryDatabase(): WriteDatabase {
  const database = new BetterSqlite3(':memory:')
  database.pragma('foreign_keys = ON')
  migrate(database, [...keyMigrations, ...modelMigrations], () => NOW)
  return database
}

export function pieces(...texts: string[]): Piece[] {
  return texts.map((text, at) => ({ segment: 'history', sourceId: `p${at}`, label: `p${at}`, text }))
}

export function text(...texts: string[]): RequestPart {
  return { type: 'text', pieces: pieces(...texts) }
}

export function says(
  role: WireMessage['role'],
  parts: string | readonly RequestPart[],
  rest: Partial<WireMessage> = {},
): WireMessage {
  return { role, parts: typeof parts === 'string' ? [text(parts)] : parts, mark: false, mid: false, ...rest }
}

export function request(messages: readonly WireMessage[], rest: Partial<ProjectedRequest> = {}): ProjectedRequest {
  return { messages, tools: [], maxOutputTokens: 1000, trace: [], ...rest }
}

export const noFiles = () => Promise.reject(new Error('No attachment was expected.'))

export interface Rig {
  client: ModelClient
  database: WriteDatabase
  events: unknown[]
  target(model: string, profile?: Partial<WireProfile>): Promise<ModelTarget>
}

/** A client with one connection `c1` to the given address, with the key `sk-test-1234567890`. */
export function rig(kind: ConnectionKind, baseUrl: string | undefined, send: typeof fetch = fetch): Rig {
  const database = memoryDatabase()
  saveConnection(database, {
    id: 'c1',
    name: 'Test server',
    kind,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    headers: {},
    override: {},
    learned: { profile: {} },
    createdAt: NOW,
  })
  const events: unknown[] = []
  let made = 0
  const client = createModelClient({
    database,
    keyCipher: testKeyCipher(),
    ids: () => `id${made++}`,
    now: () => NOW,
    emit: (name, payload) => events.push({ name, payload }),
    fetch: send,
  })
  return {
    client,
    database,
    events,
    async target(model, profile) {
      const found = await client.target(`c1/${model}`)
      return { ...found, apiKey: KEY, profile: { ...found.profile, ...profile } }
    },
  }
}

export const KEY = 'sk-test-1234567890'

export async function collectParts(parts: AsyncIterable<StreamPart>): Promise<StreamPart[]> {
  const all: StreamPart[] = []
  for await (const part of parts) all.push(part)
  return all
}

export function textOf(parts: readonly StreamPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}
