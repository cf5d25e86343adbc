import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { WriteDatabase } from './database'

/** Bytes: what a few answers, their index and the journal need before it makes sense to go on. */
const ROOM = 256 * 1024

/**
 * Tries whether there is room: a small file and one page of the database, both really written.
 * @throws whatever the disk answers
 */
export function probeDisk(dataDir: string, database: WriteDatabase): void {
  const path = join(dataDir, '.room-probe')
  try {
    const file = openSync(path, 'w', 0o600)
    try {
      for (let left = ROOM; left > 0; left -= writeSync(file, Buffer.alloc(Math.min(left, 65_536), 1)));
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } finally {
    rmSync(path, { force: true })
  }
  const waits = database.pragma('busy_timeout', { simple: true })
  // another program's lock must not hold this thread at every probe
  database.pragma('busy_timeout = 0')
  try {
    database.pragma(`user_version = ${String(database.pragma('user_version', { simple: true }))}`)
  } finally {
    database.pragma(`busy_timeout = ${String(waits)}`)
  }
}
