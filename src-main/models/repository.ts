import { z } from 'zod'
import type { ReadDatabase, WriteDatabase } from '../storage/database'
import { storedJson } from '../storage/stored-json'
import { CONNECTION_KINDS, type ConnectionKind, type Model, wireProfileSchema } from './contract'
import { learnedProfile, modelsWithoutTools } from './lesson-repository'
import type { ProfilePatch } from './profiles'
import { type ListedModel, type ModelFacts, modelFactsSchema, modelOf } from './stored-model'

const headersSchema = z.record(z.string(), z.string())
const patchSchema = wireProfileSchema.partial()

/** A connection as the main process knows it. Keys and secret header values lie in the secret table, never here. */
export interface StoredConnection {
  id: string
  name: string
  kind: ConnectionKind
  baseUrl?: string
  /** Only headers whose values may be seen. */
  headers: Record<string, string>
  /** Set by hand; wins until a refusal shows that it is wrong. */
  override: ProfilePatch
  /** What refusals taught of its roles; kept as lessons, not with the connection. */
  learned: { profile: ProfilePatch }
  createdAt: string
}

interface ConnectionRow {
  id: string
  name: string
  kind: string
  base_url: string | null
  headers: string
  profile: string
  created_at: string
}

interface ModelRow {
  connection_id: string
  name: string
  server: string
  chosen: string
  available: number
}

function readJson<T>(schema: z.ZodType<T>, text: string): T {
  // one damaged row must not hide the other connections: it counts as saying nothing
  const read = schema.safeParse(storedJson<unknown>(text, undefined) ?? {})
  return read.success ? read.data : schema.parse(schema.safeParse({}).success ? {} : [])
}

function toConnection(database: ReadDatabase, row: ConnectionRow): StoredConnection {
  return {
    id: row.id,
    name: row.name,
    kind: z.enum(CONNECTION_KINDS).parse(row.kind),
    ...(row.base_url === null ? {} : { baseUrl: row.base_url }),
    headers: readJson(headersSchema, row.headers),
    override: readJson(patchSchema, row.profile),
    learned: { profile: learnedProfile(database, row.id) },
    createdAt: row.created_at,
  }
}

export function listConnections(database: ReadDatabase): StoredConnection[] {
  return database
    .prepare<[], ConnectionRow>('SELECT * FROM connection ORDER BY rowid')
    .all()
    .map((row) => toConnection(database, row))
}

export function findConnection(database: ReadDatabase, id: string): StoredConnection | undefined {
  const row = database.prepare<[string], ConnectionRow>('SELECT * FROM connection WHERE id = ?').get(id)
  return row && toConnection(database, row)
}

export function saveConnection(database: WriteDatabase, connection: StoredConnection): StoredConnection {
  database
    .prepare(
      `INSERT INTO connection (id, name, kind, base_url, headers, profile, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, kind = excluded.kind, base_url = excluded.base_url,
         headers = excluded.headers, profile = excluded.profile`,
    )
    .run(
      connection.id,
      connection.name,
      connection.kind,
      connection.baseUrl ?? null,
      JSON.stringify(connection.headers),
      JSON.stringify(connection.override),
      connection.createdAt,
    )
  return connection
}

/** Its models and calibrations go with it. Returns how many connections went. */
export function removeConnection(database: WriteDatabase, id: string): number {
  return database.prepare('DELETE FROM connection WHERE id = ?').run(id).changes
}

/** A refusal has the last word over what was set by hand before. */
export function overrule(database: WriteDatabase, connectionId: string, changed: ProfilePatch): void {
  const connection = findConnection(database, connectionId)
  if (!connection) return
  const override = Object.fromEntries(Object.entries(connection.override).filter(([field]) => !(field in changed)))
  saveConnection(database, { ...connection, override })
}

function factsOf(row: ModelRow): { name: string; server: ModelFacts; chosen: ModelFacts; available: boolean } {
  return {
    name: row.name,
    server: readJson(modelFactsSchema, row.server),
    chosen: readJson(modelFactsSchema, row.chosen),
    available: row.available === 1,
  }
}

/** A model that refused tools has none, whatever was said of it before. */
function asLearned(model: Model, refusers: ReadonlySet<string>): Model {
  if (!refusers.has(model.name)) return model
  return { ...model, capabilities: { ...model.capabilities, tools: false } }
}

/** In the server's order; models the server no longer lists stand last. */
export function listModels(database: ReadDatabase, connection: StoredConnection): Model[] {
  const refusers = modelsWithoutTools(database, connection.id)
  return database
    .prepare<[string], ModelRow>('SELECT * FROM model WHERE connection_id = ? ORDER BY available DESC, position, name')
    .all(connection.id)
    .map((row) => asLearned(modelOf(connection, factsOf(row)), refusers))
}

/** What answers where nobody has chosen: the first model of the first connection to a server. */
export function firstAnsweringModel(database: ReadDatabase): Model | undefined {
  const real = listConnections(database).filter((connection) => connection.kind !== 'dry-run')
  return real.flatMap((connection) => listModels(database, connection))[0]
}

/** A name nobody listed is taken at its word: many servers list nothing, or not everything. */
export function findModel(database: ReadDatabase, connection: StoredConnection, name: string): Model {
  const row = database
    .prepare<[string, string], ModelRow>('SELECT * FROM model WHERE connection_id = ? AND name = ?')
    .get(connection.id, name)
  const model = modelOf(connection, row ? factsOf(row) : { name, server: {}, chosen: {}, available: true })
  return asLearned(model, modelsWithoutTools(database, connection.id))
}

/** What the server lists now. What the user chose stays; unlisted models without choices go. Returns all model ids. */
export function saveListing(database: WriteDatabase, connectionId: string, models: readonly ListedModel[]): string[] {
  const insert = database.prepare(
    `INSERT INTO model (connection_id, name, position, server, available) VALUES (?, ?, ?, ?, 1)
     ON CONFLICT (connection_id, name) DO UPDATE SET position = excluded.position, server = excluded.server,
       available = 1`,
  )
  database.transaction(() => {
    database.prepare('UPDATE model SET available = 0 WHERE connection_id = ?').run(connectionId)
    for (const [position, { name, ...facts }] of models.entries()) {
      insert.run(connectionId, name, position, JSON.stringify(facts))
    }
    database.prepare("DELETE FROM model WHERE connection_id = ? AND available = 0 AND chosen = '{}'").run(connectionId)
  })()
  return models.map((model) => `${connectionId}/${model.name}`)
}

/** What the user set by hand for a model, as a whole. */
export function readChoices(database: ReadDatabase, place: { connectionId: string; name: string }): ModelFacts {
  const row = database
    .prepare<[string, string], { chosen: string }>('SELECT chosen FROM model WHERE connection_id = ? AND name = ?')
    .get(place.connectionId, place.name)
  return row ? readJson(modelFactsSchema, row.chosen) : {}
}

export function saveChoices(
  database: WriteDatabase,
  place: { connectionId: string; name: string },
  chosen: ModelFacts,
): void {
  database
    .prepare(
      `INSERT INTO model (connection_id, name, position, chosen) VALUES (?, ?,
         (SELECT COALESCE(MAX(position), -1) + 1 FROM model WHERE connection_id = ?), ?)
       ON CONFLICT (connection_id, name) DO UPDATE SET chosen = excluded.chosen`,
    )
    .run(place.connectionId, place.name, place.connectionId, JSON.stringify(chosen))
}

/** What an answer or a refusal showed about a model: counts as the server's own word until it lists it anew. */
export function learnFacts(
  database: WriteDatabase,
  place: { connectionId: string; name: string },
  facts: ModelFacts,
): void {
  database.transaction(() => {
    const row = database
      .prepare<[string, string], { server: string }>('SELECT server FROM model WHERE connection_id = ? AND name = ?')
      .get(place.connectionId, place.name)
    const known = row ? readJson(modelFactsSchema, row.server) : {}
    const capabilities = { ...known.capabilities, ...facts.capabilities }
    const server = JSON.stringify({ ...known, ...facts, capabilities })
    database
      .prepare(
        `INSERT INTO model (connection_id, name, position, server) VALUES (?, ?,
           (SELECT COALESCE(MAX(position), -1) + 1 FROM model WHERE connection_id = ?), ?)
         ON CONFLICT (connection_id, name) DO UPDATE SET server = excluded.server`,
      )
      .run(place.connectionId, place.name, place.connectionId, server)
  })()
}

/** `<connectionId>/<name>`; names may hold slashes, connection ids do not. */
export function splitModelId(modelId: string): { connectionId: string; name: string } {
  const slash = modelId.indexOf('/')
  return slash < 0
    ? { connectionId: modelId, name: '' }
    : { connectionId: modelId.slice(0, slash), name: modelId.slice(slash + 1) }
}

export interface Calibration {
  /** Real tokens per o200k (or cl100k) token. */
  factor: number
  /** How many answers taught it. */
  samples: number
}

export function readCalibration(
  database: ReadDatabase,
  place: { connectionId: string; name: string },
): Calibration | undefined {
  return database
    .prepare<[string, string], Calibration>(
      'SELECT factor, samples FROM model_calibration WHERE connection_id = ? AND name = ?',
    )
    .get(place.connectionId, place.name)
}

/** Does nothing when the connection is gone. */
export function saveCalibration(
  database: WriteDatabase,
  place: { connectionId: string; name: string },
  calibration: Calibration & { at: string },
): void {
  database
    .prepare(
      `INSERT INTO model_calibration (connection_id, name, factor, samples, updated_at)
       SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM connection WHERE id = ?)
       ON CONFLICT (connection_id, name) DO UPDATE SET factor = excluded.factor, samples = excluded.samples,
         updated_at = excluded.updated_at`,
    )
    .run(place.connectionId, place.name, calibration.factor, calibration.samples, calibration.at, place.connectionId)
}
