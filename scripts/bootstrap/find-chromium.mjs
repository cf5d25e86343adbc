import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { projectNode, ROOT } from './project-node.mjs'
import { runProgram, say } from './run-program.mjs'

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

/**
 * A Chromium that starts: the one named by `CHROMIUM`, an installed one, Playwright's download, or (as root on a
 * Debian) the system's package. Undefined when there is none; what to do was said then.
 */
export async function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM
  const found = (await firstThatStarts(USUAL_PLACES)) ?? (await firstThatStarts(await playwrightPlaces()))
  if (found) return found
  say('No Chromium found. Downloading one …')
  return (await fromPlaywright()) ?? (await fromDebian()) ?? giveUp()
}

async function firstThatStarts(paths) {
  for (const path of paths) {
    if (existsSync(path) && (await starts(path))) return path
  }
  return undefined
}

/** Windows shows a window for `--version`, so there the file must do. */
async function starts(path) {
  if (process.platform === 'win32') return true
  return (await runProgram(path, ['--version'], { quiet: true, limitMs: 20_000 })) === 0
}

async function playwrightPlaces() {
  const { chromium } = await import('playwright')
  return [chromium.executablePath()]
}

async function fromPlaywright() {
  const cli = join(ROOT, 'node_modules/playwright/cli.js')
  await runProgram(projectNode(), [cli, 'install', 'chromium'], {
    limitMs: 120_000,
    waiting: 'still downloading',
    env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000' },
  })
  return firstThatStarts(await playwrightPlaces())
}

async function fromDebian() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  say('Installing the packages chromium and fonts-noto-cjk …')
  const options = { env: { DEBIAN_FRONTEND: 'noninteractive' }, limitMs: 400_000, waiting: 'still installing' }
  await runProgram('apt-get', ['update', '-q'], options)
  const names = ['chromium', 'fonts-noto-cjk']
  await runProgram('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...names], options)
  return firstThatStarts(USUAL_PLACES)
}

function giveUp() {
  say('No Chromium: install Chromium or Chrome, or set CHROMIUM to its path. The end-to-end tests need it.')
  return undefined
}
