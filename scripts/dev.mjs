// npm run dev: hot reload, in Electron where its runtime is, else in the browser.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { findElectron, noWindowReason } from './bootstrap/electron-runtime.mjs'
import { installPackages } from './bootstrap/npm-packages.mjs'
import { projectNode, ROOT } from './bootstrap/project-node.mjs'
import { handOver, say } from './bootstrap/run-program.mjs'

const args = process.argv.slice(2)

/** A port that stays the same while the server restarts with every change. */
function freePort() {
  return new Promise((done, failed) => {
    const server = createServer()
    server.once('error', failed)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => done(port))
    })
  })
}

await installPackages()
const vite = join(ROOT, 'node_modules/electron-vite/bin/electron-vite.js')
// development never writes into the folder a person keeps their chats in
const env = { STRATA_DATA: process.env.STRATA_DATA || join(ROOT, '.cache/dev-data') }
const noWindow = args.includes('--web') ? 'as asked for' : noWindowReason()
const electron = noWindow ? { reason: noWindow } : await findElectron({ retry: false })
if ('executable' in electron) {
  if (process.getuid?.() === 0) env.NO_SANDBOX = '1'
  handOver(projectNode(), [vite, 'dev', '--watch'], { env })
} else {
  say(`In the browser: ${electron.reason}.`)
  handOver(projectNode(), [vite, 'dev', '--watch'], {
    env: {
      ...env,
      ELECTRON_EXEC_PATH: projectNode(),
      ELECTRON_ENTRY: join(ROOT, 'scripts/dev-web-entry.mjs'),
      STRATA_DEV_PORT: String(await freePort()),
      STRATA_DEV_TOKEN: randomBytes(18).toString('base64url'),
    },
  })
}
