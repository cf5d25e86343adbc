import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './project-node.mjs'
import { runProgram, say } from './run-program.mjs'

const STAMP = join(ROOT, 'node_modules/.strata-installed')

/** Installs what `package-lock.json` names, unless it is there. Throws when npm fails. */
export async function installPackages() {
  const wanted = fingerprint()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return
  if (!isInstalled()) {
    say('Installing packages (about 1 GB on disk; the first time takes a minute or two) …')
    // no package needs its install script: native parts come prebuilt, and one script would download from elsewhere
    const options = { waiting: 'still installing', limitMs: 20 * 60 * 1000, shell: process.platform === 'win32' }
    const code = await runProgram('npm', ['ci', '--ignore-scripts', '--loglevel=error'], options)
    if (code !== 0) throw new Error(`npm ci failed (exit code ${code}). Its messages are above.`)
  }
  writeFileSync(STAMP, wanted)
}

function fingerprint() {
  const lock = readFileSync(join(ROOT, 'package-lock.json'))
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform} ${process.arch}\n`
}

/** npm's own record of what it installed, compared with the lock file. Optional packages may be for other systems. */
function isInstalled() {
  const record = join(ROOT, 'node_modules/.package-lock.json')
  if (!existsSync(record)) return false
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  return Object.entries(packages).every(
    ([path, { version, optional, link }]) =>
      path === '' || optional || link || (installed[path]?.version === version && existsSync(join(ROOT, path))),
  )
}
