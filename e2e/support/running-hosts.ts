import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { _electron, type BrowserContext, type ElectronApplication, type Page } from 'playwright/test'
import type { Reply } from '../../src-main/ipc/contract'

const ROOT = join(import.meta.dirname, '../..')

/** One start of the app, in either host. */
export interface RunningHost {
  page: Page
  call(name: string, input: unknown): Promise<Reply<unknown>>
  /** Asks it to end, and resolves to the exit code. */
  stop(): Promise<number | null>
  /** Ends it without asking, with everything it started. */
  kill(): Promise<void>
  /** The main process, on the desktop. */
  electronApp?: ElectronApplication
}

export interface StartOptions {
  dataDir: string
  env?: Record<string, string>
}

/** The downloaded runtime where it can show a window, else the stand-in. */
export function electronExecutable(): { path: string; isReal: boolean } {
  const folder = join(ROOT, 'node_modules/electron')
  const hasWindow = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY
  if (hasWindow && existsSync(join(folder, 'dist/version')) && existsSync(join(folder, 'path.txt'))) {
    return { path: join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8').trim()), isReal: true }
  }
  return { path: join(ROOT, 'e2e/electron-stand-in/launch.mjs'), isReal: false }
}

function environment(extra: Record<string, string> = {}): Record<string, string> {
  const own = Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return { ...Object.fromEntries(own), STRATA_LOG: 'debug', ...extra }
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

/** The process leads a group of its own, so its browser and helpers go with it. */
async function killGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  if (process.platform === 'win32') child.kill('SIGKILL')
  else process.kill(-child.pid, 'SIGKILL')
  await ended(child)
}

/** The window is shown once its page has painted, which may be after its scripts ran. */
async function windowShown(electronApp: ElectronApplication): Promise<void> {
  await electronApp.evaluate(async ({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows()[0]
    if (window && !window.isVisible()) await new Promise<void>((shown) => window.once('show', () => shown()))
  })
}

export async function startDesktop({ dataDir, env }: StartOptions): Promise<RunningHost> {
  const electronApp = await _electron.launch({
    executablePath: electronExecutable().path,
    args: [ROOT, '--data', dataDir],
    cwd: ROOT,
    env: environment(env),
  })
  const child = electronApp.process()
  const page = await electronApp.firstWindow()
  await page.waitForFunction(() => 'strata' in window)
  await windowShown(electronApp)
  return {
    page,
    electronApp,
    call: (name, input) =>
      page.evaluate(
        ([callName, callInput]) => {
          const { strata } = window as unknown as { strata: Pick<RunningHost, 'call'> }
          return strata.call(callName, callInput)
        },
        [name, input] as const,
      ),
    async stop() {
      await electronApp.close()
      return ended(child)
    },
    kill: () => killGroup(child),
  }
}

interface ReadyLine {
  url: string
  token: string
  data: string
  version: string
}

/** Starts the web entry alone, as `npm run serve` does. Rejects with its words when it ends before it is ready. */
export async function startServer({ dataDir, env }: StartOptions, args: readonly string[] = []) {
  const child = spawn(process.execPath, [join(ROOT, 'out/main/serve.js'), '--data', dataDir, ...args], {
    cwd: ROOT,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  })
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  const lines = createInterface({ input: child.stdout })
  const first = once(lines, 'line')
  const exit = ended(child).then((code) => {
    throw Object.assign(new Error(`The web host ended with ${code}: ${said}`), { code })
  })
  exit.catch(() => {})
  const [line] = await Promise.race([first, exit])
  const ready: ReadyLine = JSON.parse(String(line))
  return { child, ready }
}

export async function startWeb(options: StartOptions, context: BrowserContext): Promise<RunningHost> {
  const { child, ready } = await startServer(options)
  const page = await context.newPage()
  await page.goto(`${ready.url}#token=${ready.token}`)
  return {
    page,
    async call(name, input) {
      const answer = await fetch(`${ready.url}api/call`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${ready.token}` },
        body: JSON.stringify({ name, input }),
      })
      if (!answer.ok) throw new Error(`${name}: HTTP ${answer.status}`)
      return (await answer.json()) as Reply<unknown>
    },
    async stop() {
      // like a window, the page goes first: what it says when its server is gone is another story
      await page.close()
      child.kill('SIGTERM')
      return ended(child)
    },
    async kill() {
      await page.close()
      await killGroup(child)
    },
  }
}
