import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectNode, ROOT } from './project-node.mjs'
import { runProgram, say } from './run-program.mjs'

const PACKAGE = join(ROOT, 'node_modules/electron')
const FAILED = join(ROOT, 'node_modules/.cache/strata/electron-download-failed')
const LIMIT_MS = 180_000
const RETRY_AFTER_MS = 6 * 60 * 60 * 1000

/** The executable, if Electron's runtime was downloaded. */
export function electronExecutable() {
  const name = join(PACKAGE, 'path.txt')
  if (!existsSync(name) || !existsSync(join(PACKAGE, 'dist/version'))) return undefined
  const path = join(PACKAGE, 'dist', readFileSync(name, 'utf8').trim())
  return existsSync(path) ? path : undefined
}

/** Why no window can be shown here, else undefined. */
export function noWindowReason(env = process.env, platform = process.platform) {
  if (platform !== 'linux' || env.DISPLAY || env.WAYLAND_DISPLAY) return undefined
  return 'this session has no display'
}

/**
 * Looks for Electron's runtime, and downloads it if it may.
 * @param {{ retry: boolean }} options `retry`: try the download again although it failed a short while ago
 * @returns {Promise<{ executable: string } | { reason: string }>}
 */
export async function findElectron({ retry }) {
  const executable = electronExecutable()
  if (executable) return { executable }
  if (!retry && existsSync(FAILED) && Date.now() - statSync(FAILED).mtimeMs < RETRY_AFTER_MS) {
    return { reason: 'its runtime could not be downloaded a while ago (npm start -- --desktop tries again)' }
  }
  say('Downloading the Electron runtime (about 120 MB, once) …')
  const options = { limitMs: LIMIT_MS, waiting: 'still downloading' }
  const code = await runProgram(projectNode(), [join(PACKAGE, 'install.js')], options)
  const downloaded = electronExecutable()
  if (code === 0 && downloaded) {
    rmSync(FAILED, { force: true })
    return { executable: downloaded }
  }
  mkdirSync(join(FAILED, '..'), { recursive: true })
  writeFileSync(FAILED, `${code}\n`)
  return { reason: code === 124 ? 'the download of its runtime took too long' : 'its runtime could not be downloaded' }
}

/** Chromium refuses its sandbox to root. */
export function rootFlags() {
  return process.getuid?.() === 0 ? ['--no-sandbox'] : []
}
