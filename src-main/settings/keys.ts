import { randomUUID } from 'node:crypto'
import { AppError } from '../ipc/app-error'
import type { Migration, ReadDatabase, WriteDatabase } from '../storage/database'
import type { KeyCipher } from './key-cipher'

export const keyMigrations: readonly Migration[] = [
  {
    name: 'settings/002-secrets',
    up(database) {
      database.exec(`CREATE TABLE secret (
        owner TEXT NOT NULL,
        name TEXT NOT NULL,
        bytes BLOB NOT NULL,
        store TEXT NOT NULL CHECK (store IN ('os', 'file', 'memory')),
        process TEXT NOT NULL,
        hint TEXT,
        saved_at TEXT NOT NULL,
        PRIMARY KEY (owner, name)
      ) STRICT`)
    },
  },
]

/** Marks rows of this process: a `memory` secret of an earlier one can never be decrypted and counts as missing. */
const PROCESS = randomUUID()
const HINT_LENGTH = 4
const HINT_FROM_LENGTH = 12

/** `owner` is a path such as `connection/<id>`, `name` says which of its secrets. */
export interface SecretPlace {
  owner: string
  name: string
}

interface SecretRow {
  owner: string
  name: string
  bytes: Uint8Array
  store: KeyCipher['kind']
  hint: string | null
}

const READABLE = "(store <> 'memory' OR process = ?)"

/** The last characters of a long secret, so that a person can tell two keys apart. */
export function hintOf(text: string): string | undefined {
  return text.length >= HINT_FROM_LENGTH ? `…${text.slice(-HINT_LENGTH)}` : undefined
}

export async function saveSecret(
  database: WriteDatabase,
  cipher: KeyCipher,
  secret: SecretPlace & { text: string; now: string },
): Promise<void> {
  const bytes = await cipher.encrypt(secret.text).catch((error: unknown) => {
    throw new AppError('internal', 'The key store of this system took no key. Unlock it and save again.', {
      cause: error,
    })
  })
  database
    .prepare(
      `INSERT INTO secret (owner, name, bytes, store, process, hint, saved_at) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (owner, name) DO UPDATE SET bytes = excluded.bytes, store = excluded.store,
         process = excluded.process, hint = excluded.hint, saved_at = excluded.saved_at`,
    )
    .run(secret.owner, secret.name, Buffer.from(bytes), cipher.kind, PROCESS, hintOf(secret.text) ?? null, secret.now)
}

/** The plain text, or undefined when none is stored. Throws when it cannot be decrypted any more. */
export async function readSecret(
  database: ReadDatabase,
  cipher: KeyCipher,
  place: SecretPlace,
): Promise<string | undefined> {
  const row = database
    .prepare<[string, string, string], SecretRow>(`SELECT * FROM secret WHERE owner = ? AND name = ? AND ${READABLE}`)
    .get(place.owner, place.name, PROCESS)
  if (!row) return undefined
  try {
    return await cipher.decrypt(new Uint8Array(row.bytes))
  } catch (error) {
    throw new AppError('model.unauthorised', 'The stored key cannot be read any more. Enter it again in Settings.', {
      cause: error,
    })
  }
}

export interface SecretDescription {
  name: string
  store: KeyCipher['kind']
  hint?: string
}

/** What may be shown of an owner's secrets. */
export function describeSecrets(database: ReadDatabase, owner: string): SecretDescription[] {
  return database
    .prepare<[string, string], SecretRow>(
      `SELECT owner, name, store, hint FROM secret WHERE owner = ? AND ${READABLE} ORDER BY name`,
    )
    .all(owner, PROCESS)
    .map((row) => ({ name: row.name, store: row.store, ...(row.hint === null ? {} : { hint: row.hint }) }))
}

/** Removes one secret, or all of an owner when no name is given. Returns how many went. */
export function removeSecrets(database: WriteDatabase, place: { owner: string; name?: string }): number {
  const result =
    place.name === undefined
      ? database.prepare('DELETE FROM secret WHERE owner = ?').run(place.owner)
      : database.prepare('DELETE FROM secret WHERE owner = ? AND name = ?').run(place.owner, place.name)
  return result.changes
}

/** After the user agreed to a file: what lived in memory is encrypted again so that it survives a restart. */
export async function keepSecretsInFile(database: WriteDatabase, cipher: KeyCipher, now: string): Promise<number> {
  if (cipher.kind !== 'memory' || !cipher.allowFile) return 0
  const rows = database
    .prepare<[string], SecretRow>("SELECT * FROM secret WHERE store = 'memory' AND process = ?")
    .all(PROCESS)
  const plain: (SecretPlace & { text: string })[] = []
  for (const row of rows) {
    plain.push({ owner: row.owner, name: row.name, text: await cipher.decrypt(new Uint8Array(row.bytes)) })
  }
  await cipher.allowFile()
  for (const secret of plain) await saveSecret(database, cipher, { ...secret, now })
  return plain.length
}
