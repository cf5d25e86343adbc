import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { destination, type Logger, pino, stdTimeFunctions } from 'pino'
import { ailmentOf } from '../storage/storage-error'

const MAX_BYTES = 5 * 1024 * 1024
const KEPT = 3

/** Names that may hold what a person typed or a secret; they are cut even where a caller logs a whole object. */
const CUT = ['apiKey', 'authorization', 'Authorization', 'headers', 'token', 'body', 'text', 'input', 'value']

/** Opens `logs/strata.log`: names, durations and error codes, never bodies or keys. Older files are kept, three of 5 MB. */
export function openLog(dataDir: string, level: string = process.env.STRATA_LOG || 'info'): Logger {
  const folder = join(dataDir, 'logs')
  const path = join(folder, 'strata.log')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    rotate(path)
  } catch (error) {
    if (ailmentOf(error) === undefined) throw error
  }
  const redact = { paths: [...CUT, ...CUT.map((name) => `*.${name}`)], censor: '[cut]' }
  const stream = openStream(path)
  // a full disk ends no app that could still say so
  stream.removeAllListeners('error')
  stream.on('error', () => undefined)
  return pino({ level, base: { pid: process.pid }, timestamp: stdTimeFunctions.isoTime, redact }, stream)
}

/** The file, or the terminal where the disk has no room even for its name. */
function openStream(path: string) {
  try {
    return destination({ dest: path, sync: true, mode: 0o600 })
  } catch (error) {
    if (ailmentOf(error) === undefined) throw error
    return destination({ dest: 2, sync: true })
  }
}

function rotate(path: string): void {
  if (!existsSync(path) || statSync(path).size < MAX_BYTES) return
  for (let number = KEPT - 1; number >= 1; number--) {
    if (existsSync(`${path}.${number}`)) renameSync(`${path}.${number}`, `${path}.${number + 1}`)
  }
  renameSync(path, `${path}.1`)
}
