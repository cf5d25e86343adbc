import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser, Page } from 'playwright'
import { chromium } from 'playwright'
import type { Calls } from '../../src-main/app-contract'
import type { OutputOf, RawInputOf, Reply } from '../../src-main/ipc/contract'

const ROOT = join(import.meta.dirname, '../..')
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

export interface BenchHost {
  url: string
  child: ChildProcess
  /** Milliseconds from the start of the process to the line that says it is ready. */
  readyMs: number
  call<Name extends keyof Calls>(name: Name, input: RawInputOf<Calls[Name]>): Promise<OutputOf<Calls[Name]>>
  open(browser: Browser): Promise<Page>
  stop(): Promise<void>
}

/** The built web host (`npm run build` first) on a data folder. */
export async function startHost(dataDir: string, env: Record<string, string> = {}): Promise<BenchHost> {
  const began = performance.now()
  const child = spawn(process.execPath, [join(ROOT, 'out/main/serve.js'), '--port', '0', '--data', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const readyMs = performance.now() - began
  const { url, token } = JSON.parse(String(line)) as { url: string; token: string }
  return {
    url,
    child,
    readyMs,
    async call(name, input) {
      const answer = await fetch(`${url}api/call`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
        body: JSON.stringify({ name, input }),
      })
      const reply = (await answer.json()) as Reply<never>
      if (!reply.ok) throw new Error(`${name}: ${reply.error.message}`)
      return reply.value
    },
    async open(browser) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 820 }, locale: 'en-US' })
      const page = await context.newPage()
      await page.goto(`${url}#token=${token}`)
      return page
    },
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

export function startBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path))
  return chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--enable-precise-memory-info', '--js-flags=--expose-gc'],
  })
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** What this machine needs now for a fixed piece of work, in ms: figures of a loaded machine are read against it. */
export function yardstick(): number {
  const began = performance.now()
  let sum = 0
  for (let index = 0; index < 20_000_000; index++) sum = (sum * 31 + index) | 0
  return performance.now() - began + (sum === 1 ? 1 : 0)
}
