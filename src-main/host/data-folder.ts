import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { opening } from '../storage/opening-error'

export interface DataFolderQuestion {
  /** From `--data`. */
  given?: string | undefined
  env: Record<string, string | undefined>
  platform: NodeJS.Platform
  home: string
}

/** Where everything is kept: `--data`, else `STRATA_DATA`, else the platform's place for an app's own files. */
export function dataFolderPath({ given, env, platform, home }: DataFolderQuestion): string {
  const chosen = given || env.STRATA_DATA
  if (chosen) return resolve(chosen)
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Strata')
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Strata')
  return join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'strata')
}

/** Creates the folder so that only this account can enter it. An existing folder keeps its rights. @throws AppError */
export function openDataFolder(given: string | undefined): string {
  const path = dataFolderPath({ given, env: process.env, platform: process.platform, home: homedir() })
  opening(path, () => mkdirSync(path, { recursive: true, mode: 0o700 }))
  return path
}
