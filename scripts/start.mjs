// npm start: installs, builds, and opens Strata. Runs on any Node from 20 on.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildIfNeeded } from './bootstrap/app-build.mjs'
import { findElectron, noWindowReason, rootFlags } from './bootstrap/electron-runtime.mjs'
import { installPackages } from './bootstrap/npm-packages.mjs'
import { projectNode, ROOT } from './bootstrap/project-node.mjs'
import { handOver, say } from './bootstrap/run-program.mjs'

const args = process.argv.slice(2)
const wantsWeb = args.includes('--web')
const wantsDesktop = args.includes('--desktop')
const passedOn = args.filter((argument) => argument !== '--web' && argument !== '--desktop')

async function start() {
  await installPackages()
  await buildIfNeeded()
  const reason = wantsWeb ? undefined : noWindowReason()
  if (wantsWeb) return openWeb('as asked for with --web')
  if (reason && !wantsDesktop) return openWeb(`because ${reason}`)
  const electron = await findElectron({ retry: wantsDesktop })
  if ('reason' in electron) return openWeb(`because Electron is not here: ${electron.reason}`)
  handOver(electron.executable, [...rootFlags(), ROOT, ...passedOn])
}

/** @param {string} why completes "Strata opens in the browser …" */
function openWeb(why) {
  say(`Strata opens in the browser, ${why}.`)
  handOver(projectNode(), [join(ROOT, 'out/main/serve.js'), ...passedOn], {
    onLine(line) {
      const { url, token, data } = JSON.parse(line)
      const address = `${url}#token=${token}`
      say(`\n  ${address}\n\nThe address holds a secret: share it with nobody. Data: ${data}. Ctrl+C stops.`)
      openBrowser(address)
    },
  })
}

function openBrowser(address) {
  if (noWindowReason()) return
  const openers = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }
  const [program, ...before] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...before, address], { stdio: 'ignore', detached: true })
  child.on('error', () => say('No browser could be opened; open the address yourself.'))
  child.unref()
}

start().catch((error) => {
  say(error.message)
  process.exit(1)
})
