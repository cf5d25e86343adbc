import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectNode, ROOT } from './project-node.mjs'
import { runProgram, say } from './run-program.mjs'

const STAMP = join(ROOT, 'out/.built-from')
const SOURCES = [
  'src-main',
  'src-preload',
  'src-renderer',
  'electron.vite.config.ts',
  'package.json',
  'package-lock.json',
]

/** Builds, if `out/` was made from other sources. Throws when the build fails. */
export async function buildIfNeeded() {
  const wanted = fingerprint()
  const isCurrent = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted
  if (isCurrent && existsSync(join(ROOT, 'out/main/serve.js'))) return
  say('Building …')
  if ((await build()) !== 0) throw new Error('The build failed. Its messages are above.')
}

/** Builds in any case. Resolves to the exit code. */
export async function build() {
  const from = fingerprint()
  const code = await runProgram(projectNode(), [join(ROOT, 'node_modules/electron-vite/bin/electron-vite.js'), 'build'])
  if (code === 0) {
    mkdirSync(join(ROOT, 'out'), { recursive: true })
    writeFileSync(STAMP, from)
  }
  return code
}

/** Names, sizes and times of every source file, so that a removed file counts too. */
function fingerprint() {
  const hash = createHash('sha256')
  for (const source of SOURCES) addTo(hash, source)
  return hash.digest('hex')
}

function addTo(hash, path) {
  const full = join(ROOT, path)
  if (!existsSync(full)) return
  const found = statSync(full)
  if (found.isDirectory()) {
    for (const name of readdirSync(full).sort()) addTo(hash, `${path}/${name}`)
  } else if (!/\.test\.tsx?$/.test(path)) {
    hash.update(`${path} ${found.size} ${found.mtimeMs}\n`)
  }
}
