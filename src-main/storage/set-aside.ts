import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { stampOf } from './backup-names'
import { DATABASE_FILE, filesOf } from './damage'

/** `strata.damaged-2026-11-30T12-00-00-000Z.sqlite`, not there yet and with nothing of its own beside it. */
export function freeAside(dataDir: string, nowIso: string): string {
  const base = join(dataDir, `strata.damaged-${stampOf(nowIso)}`)
  for (let number = 1; ; number += 1) {
    const path = `${base}${number === 1 ? '' : `-${number}`}.sqlite`
    if (!filesOf(path).some((each) => existsSync(each))) return path
  }
}

/**
 * Gives a damaged database and its journal another name beside the old one: they keep their bytes, and nothing of ours
 * ever deletes them. Returns the new names within the data folder. The map of the journal (`-shm`) is made from it.
 */
export async function moveAside(dataDir: string, nowIso: string): Promise<string[]> {
  const aside = freeAside(dataDir, nowIso)
  const moved: string[] = []
  for (const ending of ['', '-wal']) {
    const from = `${join(dataDir, DATABASE_FILE)}${ending}`
    if (!existsSync(from)) continue
    await rename(from, `${aside}${ending}`)
    moved.push(`${aside.slice(dataDir.length + 1)}${ending}`)
  }
  return moved
}
