import { sessionMigrations } from '../sessions/migrations'
import { createSessionStore } from '../sessions/session-store'
import { createTransferRoom } from '../transfer/handlers'
import { fixedClock } from './fixed-clock'
import { idSequence } from './id-sequence'
import { memoryDatabase } from './memory-database'
import { temporaryFolder } from './temporary-folder'

/** The room of imports over a real store. */
export function transferHouse() {
  const database = memoryDatabase(sessionMigrations)
  const ids = idSequence('n')
  const { now } = fixedClock()
  const store = createSessionStore({ database, dataDir: temporaryFolder(), ids, now, emit: () => {} })
  const room = createTransferRoom({
    database,
    store,
    ids,
    now,
    emit: () => {},
    prompts: { list: () => [], insert: () => {} },
    settings: { carried: () => ({}), take: () => ({ count: 0, refused: [] }) },
    readRecords: () => [],
  })
  const take = (fileName: string, content: string | Uint8Array, dryRun = false) =>
    room.handlers['transfer.import']({ fileName, dataBase64: Buffer.from(content).toString('base64'), dryRun })
  const branch = (id = '') => store.branchOf(id).map(({ role, text }) => [role, text])
  const count = (table: string) =>
    database.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0
  return { database, store, room, take, branch, count }
}
