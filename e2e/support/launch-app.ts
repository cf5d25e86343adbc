import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, test as base, type ElectronApplication, expect, type Page } from 'playwright/test'
import type { Calls } from '../../src-main/app-contract'
import type { OutputOf, RawInputOf, Reply } from '../../src-main/ipc/contract'
import { type ModelServer, startModelServer } from './model-server'
import { type RunningHost, startDesktop, startWeb } from './running-hosts'

export type Host = 'desktop' | 'web'

/** The app under test: the same for both hosts. */
export interface StrataApp {
  readonly host: Host
  readonly dataDir: string
  /** The window's page; another one after `restart`. */
  readonly page: Page
  /** The main process. Throws in the web host. */
  readonly electronApp: ElectronApplication
  /** One call of the treaty, past the window. Throws `<code>: <message>` when it is refused. */
  call<Name extends keyof Calls>(name: Name, input: RawInputOf<Calls[Name]>): Promise<OutputOf<Calls[Name]>>
  /** The reply as it came, also for calls the treaty does not know. */
  reply(name: string, input: unknown): Promise<Reply<unknown>>
  /** Ends the app in order. Resolves to its exit code. */
  stop(): Promise<number | null>
  /** Ends the app in order (if it still runs) and starts it on the same data. Resolves to the first end's exit code. */
  restart(): Promise<number | null>
  /** Ends the app the hard way: kill -9 on its whole process group. `restart` starts it again. */
  kill(): Promise<void>
  /** What went wrong in the pages: uncaught errors and refusals by the content policy. A test fails if any is left. */
  readonly problems: string[]
}

interface Fixtures {
  app: StrataApp
  modelServer: ModelServer
  /** Environment of the app under test. */
  appEnv: Record<string, string>
}

interface WorkerOptions {
  host: Host
}

function watch(page: Page, problems: string[]): void {
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy/i.test(message.text())) problems.push(message.text())
  })
}

class LaunchedApp implements StrataApp {
  readonly problems: string[] = []
  readonly host: Host
  readonly dataDir: string
  readonly #env: Record<string, string>
  readonly #context: () => Promise<BrowserContext>
  #running: RunningHost | undefined

  constructor(host: Host, dataDir: string, env: Record<string, string>, context: () => Promise<BrowserContext>) {
    this.host = host
    this.dataDir = dataDir
    this.#env = env
    this.#context = context
  }

  get #host(): RunningHost {
    if (!this.#running) throw new Error('The app is not running.')
    return this.#running
  }

  get page() {
    return this.#host.page
  }

  get electronApp() {
    const { electronApp } = this.#host
    if (!electronApp) throw new Error('The web host has no Electron.')
    return electronApp
  }

  async start(): Promise<void> {
    const options = { dataDir: this.dataDir, env: this.#env }
    this.#running =
      this.host === 'desktop' ? await startDesktop(options) : await startWeb(options, await this.#context())
    watch(this.page, this.problems)
  }

  async stop(): Promise<number | null> {
    const running = this.#running
    this.#running = undefined
    return running ? running.stop() : null
  }

  reply(name: string, input: unknown) {
    return this.#host.call(name, input)
  }

  async call<Name extends keyof Calls>(name: Name, input: RawInputOf<Calls[Name]>): Promise<OutputOf<Calls[Name]>> {
    const reply = await this.reply(name, input)
    if (!reply.ok) throw new Error(`${name}: ${reply.error.code}: ${reply.error.message}`)
    return reply.value as OutputOf<Calls[Name]>
  }

  async restart() {
    const code = await this.stop()
    await this.start()
    return code
  }

  async kill() {
    const running = this.#running
    this.#running = undefined
    await running?.kill()
  }
}

/** `test` with the running app, and a model server that is started when a test asks for it. */
export const test = base.extend<Fixtures, WorkerOptions>({
  host: ['web', { option: true, scope: 'worker' }],
  appEnv: [{}, { option: true }],

  app: async ({ host, appEnv, browser }, use) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'strata-e2e-'))
    const contexts: BrowserContext[] = []
    const app = new LaunchedApp(host, dataDir, appEnv, async () => {
      const context =
        contexts[0] ?? (await browser.newContext({ viewport: { width: 1280, height: 820 }, locale: 'en-US' }))
      if (contexts.length === 0) contexts.push(context)
      return context
    })
    await app.start()
    await use(app)
    await app.stop()
    for (const context of contexts) await context.close()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
    expect(app.problems).toEqual([])
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needed fixtures off this pattern
  modelServer: async ({}, use) => {
    const server = await startModelServer()
    await use(server)
    await server.close()
  },
})

export { expect }
