import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Root needs --no-sandbox; the rest keeps Chromium quiet, small and off the network. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
]

export type Parameters = Record<string, unknown>
export type Answer = Record<string, unknown>

interface Waiting {
  done(answer: Answer): void
  failed(error: Error): void
  method: string
}

/** A Chromium of our own and the protocol to it. Emits `<session id or ''>` with method and parameters, and `closed`. */
export class DevTools extends EventEmitter {
  #socket: WebSocket | undefined
  #process: ChildProcess | undefined
  #waiting = new Map<number, Waiting>()
  #sequence = 0

  send(method: string, params: Parameters = {}, sessionId?: string): Promise<Answer> {
    return new Promise((done, failed) => {
      if (this.#socket?.readyState !== WebSocket.OPEN) return failed(new Error(`${method}: Chromium is gone`))
      const id = ++this.#sequence
      this.#waiting.set(id, { done, failed, method })
      this.#socket.send(JSON.stringify({ id, method, params, sessionId }))
    })
  }

  async launch(): Promise<void> {
    const executable = process.env.CHROMIUM ?? USUAL_PLACES.find((path) => existsSync(path))
    if (!executable) throw new Error('No Chromium found; set CHROMIUM to its path.')
    const profile = mkdtempSync(join(tmpdir(), 'electron-stand-in-'))
    const own = ['--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`, '--no-startup-window']
    const child = spawn(executable, [...CHROMIUM_FLAGS, ...own], { stdio: ['ignore', 'ignore', 'pipe'] })
    this.#process = child
    process.on('exit', () => {
      child.kill('SIGKILL')
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    })
    const address = await addressOf(child)
    await this.#connect(address)
    // Playwright's launcher waits for this very line
    process.stderr.write(`\nDevTools listening on ${address}\n`)
  }

  /** Resolves when the browser has ended. */
  close(): Promise<void> {
    const child = this.#process
    if (!child || child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
    const ended = new Promise<void>((done) => child.once('exit', () => done()))
    this.send('Browser.close').catch(() => child.kill())
    return ended
  }

  #connect(address: string): Promise<void> {
    const socket = new WebSocket(address)
    this.#socket = socket
    socket.onmessage = (event) => this.#receive(String(event.data))
    socket.onclose = () => {
      for (const entry of this.#waiting.values()) entry.failed(new Error(`${entry.method}: Chromium is gone`))
      this.#waiting.clear()
      this.emit('closed')
    }
    return new Promise((done, failed) => {
      socket.onopen = () => done()
      socket.onerror = () => failed(new Error(`No connection to ${address}`))
    })
  }

  #receive(text: string): void {
    const message = JSON.parse(text)
    const entry = this.#waiting.get(message.id)
    if (!entry) {
      this.emit(message.sessionId ?? '', message.method, message.params)
      return
    }
    this.#waiting.delete(message.id)
    if (message.error) entry.failed(new Error(`${entry.method}: ${message.error.message}`))
    else entry.done(message.result)
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((done, failed) => {
    let said = ''
    child.once('error', failed)
    child.once('exit', (code) => failed(new Error(`Chromium ended with ${code}\n${said}`)))
    child.stderr?.on('data', (text) => {
      said = (said + text).slice(-20_000)
      const address = /^DevTools listening on (ws:\/\/\S+)/m.exec(said)?.[1]
      if (address) done(address)
    })
  })
}

export const devTools = new DevTools()
devTools.setMaxListeners(0)
