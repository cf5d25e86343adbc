import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for the data: on a small disk of its own where this account may mount one, else a plain folder. */
export function dataDisk(megabytes) {
  const path = mkdtempSync(join(tmpdir(), 'strata-soak-'))
  const filler = join(path, 'filler')
  let isSmall = process.platform === 'linux' && process.getuid?.() === 0 && megabytes > 0
  if (isSmall) {
    try {
      const size = `size=${megabytes}m,mode=0700`
      execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', path], { stdio: 'ignore' })
    } catch {
      isSmall = false
    }
  }
  return {
    path,
    isSmall,
    /** Leaves less than a page of a database and its journal need. */
    fill() {
      const { bavail, bsize } = statfsSync(path)
      try {
        writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - 8192)))
      } catch (error) {
        // the app wrote meanwhile: the disk is full all the same
        if (error.code !== 'ENOSPC') throw error
      }
    },
    /** Also when the app alone filled it. */
    isFull() {
      const { bavail, bsize } = statfsSync(path)
      return isSmall && bavail * bsize < 256 * 1024
    },
    free: () => rmSync(filler, { force: true }),
    remove() {
      if (isSmall) execFileSync('umount', ['-l', path])
      rmSync(path, { recursive: true, force: true })
    },
  }
}
