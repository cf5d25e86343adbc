import { setTimeout as wait } from 'node:timers/promises'
import type { WriteDatabase } from './database'

const TRIES = 100
const PAUSE_MS = 200

/**
 * Empties the journal, which may still hold deleted text. Never waits on the thread for a reader: it comes back until
 * nobody reads, or `stopped` says that it is too late.
 */
export async function emptyJournal(database: WriteDatabase, stopped: () => boolean = () => false): Promise<void> {
  for (let number = 0; number < TRIES && database.open && !stopped(); number += 1) {
    if (isEmptied(database)) return
    await wait(PAUSE_MS, undefined, { ref: false })
  }
}

function isEmptied(database: WriteDatabase): boolean {
  const patience = database.pragma('busy_timeout', { simple: true })
  database.pragma('busy_timeout = 0')
  try {
    const [answer] = database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
    return answer?.busy !== 1
  } finally {
    database.pragma(`busy_timeout = ${patience}`)
  }
}
