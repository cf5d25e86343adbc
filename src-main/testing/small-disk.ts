import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  path: string
  /** Leaves a few kilobytes. */
  fill(): void
  free(): void
  /** Only while nothing on it is open. */
  makeReadOnly(): void
  /** With everything on it; the folder too, unless it was there before. */
  remove(): void
}

/** Bytes left on a full disk: less than a page of a database and its journal need. */
const LEFT = 8192

/** A disk of its own in memory, over a folder. Undefined where this account may not mount one: only root on Linux may. */
export function smallDisk(megabytes: number, over?: string): SmallDisk | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  const path = over ?? mkdtempSync(join(tmpdir(), 'strata-disk-'))
  const filler = join(path, 'filler')
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    // a container may not give its root that right
    if (over === undefined) rmSync(path, { recursive: true })
    return undefined
  }
  return {
    path,
    fill() {
      const { bavail, bsize } = statfsSync(path)
      try {
        writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - LEFT)))
      } catch (error) {
        // the app wrote meanwhile: the disk is full all the same
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      }
    },
    free: () => rmSync(filler, { force: true }),
    makeReadOnly: () => void execFileSync('mount', ['-o', 'remount,ro', path]),
    remove() {
      execFileSync('umount', ['-l', path])
      if (over === undefined) rmSync(path, { recursive: true, force: true })
    },
  }
}
