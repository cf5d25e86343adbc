import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Backup } from './contract'

const PREFIXES = {
  manual: 'manual',
  migration: 'before-migration',
  'before-restore': 'before-restore',
} as const satisfies Record<Backup['reason'], string>

export const backupFolder = (dataDir: string): string => join(dataDir, 'backups')

/** A moment as part of a file name: `2026-11-30T12-00-00-000Z`. */
export const stampOf = (nowIso: string): string => nowIso.replaceAll(/[^\dTZ-]/g, '-')

/** `before-migration-2026-11-30T12-00-00-000Z`; a number follows when the moment is taken. */
export function freeName(folder: string, reason: Backup['reason'], nowIso: string): string {
  const base = `${PREFIXES[reason]}-${stampOf(nowIso)}`
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`
    if (!existsSync(join(folder, `${name}.sqlite`))) return name
  }
}

function reasonOf(name: string): Backup['reason'] | undefined {
  const reasons = Object.keys(PREFIXES) as Backup['reason'][]
  return reasons.find((reason) => name.startsWith(`${PREFIXES[reason]}-`))
}

/** Newest first. Files of other names are none of ours. */
export function listBackups(dataDir: string): Backup[] {
  const folder = backupFolder(dataDir)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .flatMap((fileName) => {
      const id = fileName.endsWith('.sqlite') ? fileName.slice(0, -'.sqlite'.length) : ''
      const reason = reasonOf(id)
      if (!reason) return []
      const file = statSync(join(folder, fileName))
      return [{ id, fileName, bytes: file.size, createdAt: file.mtime.toISOString(), reason }]
    })
    .sort((a, b) => (a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id) ? 1 : -1))
}
