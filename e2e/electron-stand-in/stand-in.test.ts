import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, type ElectronApplication, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const MAIN = `
import { app, BrowserWindow, ipcMain, protocol, safeStorage, utilityProcess } from 'electron'
import { join } from 'node:path'

protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true } }])
const here = import.meta.dirname
ipcMain.handle('echo', (event, value) => ({ value, from: event.senderFrame.url }))
ipcMain.handle('fail', () => { throw new Error('on purpose') })
ipcMain.handle('keyring', async () => {
  if (!(await safeStorage.isAsyncEncryptionAvailable())) return safeStorage.getSelectedStorageBackend()
  const bytes = await safeStorage.encryptStringAsync('secret')
  return [bytes.includes('secret'), (await safeStorage.decryptStringAsync(bytes)).result]
})
ipcMain.handle('child', () => new Promise((done) => {
  const child = utilityProcess.fork(join(here, 'child.js'))
  child.once('message', (message) => { done(message); child.kill() })
  child.postMessage(20)
}))
ipcMain.on('ping', (event, value) => event.sender.send('pong', value))
await app.whenReady()
protocol.handle('app', (request) => {
  const { pathname } = new URL(request.url)
  const headers = { 'Content-Type': 'text/html', 'Content-Security-Policy': "script-src 'self'" }
  if (pathname === '/index.html') return new Response('<title>fixture</title><script>document.title = "inline ran"</script>', { headers })
  return new Response('no', { status: 404, headers })
})
app.on('window-all-closed', () => app.quit())
app.on('before-quit', () => console.log('before-quit was asked'))
const window = new BrowserWindow({ width: 900, height: 500, webPreferences: { preload: join(here, 'preload.cjs'), sandbox: true } })
window.on('close', () => console.log('close was asked'))
window.webContents.on('input-event', (_event, input) => console.log('input', input.type))
window.webContents.setWindowOpenHandler(({ url }) => { console.log('asked for', url); return { action: 'deny' } })
await window.loadURL('app://fixture/index.html')
`

const PRELOAD = `
const { contextBridge, ipcRenderer } = require('electron')
globalThis.hidden = 'isolated'
let refusal
try { require('fs') } catch (error) { refusal = error.message }
contextBridge.exposeInMainWorld('bridge', {
  invoke: (name, value) => ipcRenderer.invoke(name, value),
  ping: (value, answer) => { ipcRenderer.once('pong', (_event, back) => answer(back)); ipcRenderer.send('ping', value) },
  boom: () => { throw new TypeError('from the preload') },
  fs: refusal,
})
`

const CHILD = `process.parentPort.on('message', ({ data }) => process.parentPort.postMessage(data + 1))`

interface Bridge {
  invoke(name: string, value?: unknown): Promise<unknown>
  ping(value: unknown, answer: (back: unknown) => void): void
  boom(): void
  fs: string
}
type BridgedWindow = Window & { bridge: Bridge; hidden?: string }

function writeFixture(): string {
  const dir = mkdtempSync(join(tmpdir(), 'stand-in-fixture-'))
  mkdirSync(join(dir, 'out'))
  writeFileSync(join(dir, 'package.json'), '{"name":"fixture","version":"1.2.3","type":"module","main":"out/main.js"}')
  writeFileSync(join(dir, 'out/main.js'), MAIN)
  writeFileSync(join(dir, 'out/preload.cjs'), PRELOAD)
  writeFileSync(join(dir, 'out/child.js'), CHILD)
  return dir
}

async function launch(dir: string, env: Record<string, string> = {}): Promise<ElectronApplication> {
  const inherited = Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return _electron.launch({
    executablePath: join(import.meta.dirname, 'launch.mjs'),
    args: [dir],
    env: { ...Object.fromEntries(inherited), ...env },
  })
}

describe('the Electron stand-in', () => {
  const dir = writeFixture()
  const said: string[] = []
  let electronApp: ElectronApplication
  let page: Page

  beforeAll(async () => {
    electronApp = await launch(dir)
    electronApp.process().stdout?.on('data', (text) => said.push(String(text)))
    page = await electronApp.firstWindow()
    await page.waitForURL(/index\.html/)
    await page.waitForFunction(() => 'bridge' in window)
  })

  afterAll(async () => {
    await electronApp.close()
    rmSync(dir, { recursive: true, force: true })
  })

  it('serves custom schemes and keeps their content policy', async () => {
    expect(await page.title()).toBe('fixture')
    expect(await page.evaluate(async () => (await fetch('/missing')).status)).toBe(404)
  })

  it('isolates the preload and gives it only what a sandbox gives', async () => {
    const seen = await page.evaluate(() => {
      const { bridge, hidden } = window as unknown as BridgedWindow
      return { hidden, fs: bridge.fs, frozen: Object.isFrozen(bridge) }
    })
    expect(seen).toEqual({ hidden: undefined, fs: 'module not found: fs', frozen: true })
  })

  it('clones what crosses by invoke, and says which page called', async () => {
    const { same, from } = await page.evaluate(async () => {
      const { bridge } = window as unknown as BridgedWindow
      const value = {
        date: new Date(5),
        map: new Map([['a', 1n]]),
        bytes: new Uint8Array([1, 2]),
        none: undefined,
        $: 1,
      }
      const answer = (await bridge.invoke('echo', value)) as { value: typeof value; from: string }
      const back = answer.value
      const same = [back.date.getTime(), back.map.get('a') === 1n, [...back.bytes], 'none' in back, back.$]
      return { same, from: answer.from }
    })
    expect(same).toEqual([5, true, [1, 2], true, 1])
    expect(from).toBe('app://fixture/index.html')
  })

  it("gives Electron's error texts", async () => {
    const texts = await page.evaluate(async () => {
      const { bridge } = window as unknown as BridgedWindow
      const text = (name: string) => bridge.invoke(name).catch((error: Error) => error.message)
      return [await text('fail'), await text('nobody')]
    })
    expect(texts).toEqual([
      "Error invoking remote method 'fail': Error: on purpose",
      "Error invoking remote method 'nobody': Error: No handler registered for 'nobody'",
    ])
  })

  it('carries events, functions and thrown errors over the bridge', async () => {
    const result = await page.evaluate(async () => {
      const { bridge } = window as unknown as BridgedWindow
      const pong = await new Promise((done) => bridge.ping({ n: 1 }, done))
      let thrown = ''
      try {
        bridge.boom()
      } catch (error) {
        thrown = String(error)
      }
      return { pong, thrown }
    })
    expect(result).toEqual({ pong: { n: 1 }, thrown: 'TypeError: from the preload' })
  })

  it('has a keyring and child processes', async () => {
    const invoke = (name: string) =>
      page.evaluate((channel) => (window as unknown as BridgedWindow).bridge.invoke(channel), name)
    expect(await invoke('keyring')).toEqual([false, 'secret'])
    expect(await invoke('child')).toBe(21)
  })

  it('asks before a window opens, reports the click, and opens none', async () => {
    await page.evaluate(() => {
      document.body.innerHTML = '<a href="https://example.invalid/" target="_blank">out</a>'
    })
    await page.getByRole('link').click()
    await expect.poll(() => said.join('')).toContain('asked for https://example.invalid/')
    expect(said.join('')).toContain('input mouseDown')
    expect(electronApp.windows()).toHaveLength(1)
  })

  it('works again after a reload', async () => {
    await page.reload()
    await page.waitForFunction(() => 'bridge' in window)
    const answer = await page.evaluate(() => (window as unknown as BridgedWindow).bridge.invoke('echo', 'again'))
    expect(answer).toMatchObject({ value: 'again' })
  })

  it('lets a test reach the main process', async () => {
    expect(await electronApp.evaluate(({ app }) => app.getVersion())).toBe('1.2.3')
    const size = await electronApp.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())
    expect(size).toMatchObject({ width: 900, height: 500 })
  })

  it('plays a system without a keyring, and quits in order', async () => {
    const other = await launch(dir, { STAND_IN_KEYRING: 'none' })
    const output: string[] = []
    other.process().stdout?.on('data', (text) => output.push(String(text)))
    const window = await other.firstWindow()
    await window.waitForFunction(() => 'bridge' in window)
    expect(await window.evaluate(() => (window as unknown as BridgedWindow).bridge.invoke('keyring'))).toBe(
      'basic_text',
    )
    const ended = new Promise((done) => other.process().once('exit', done))
    await other.close()
    expect(await ended).toBe(0)
    expect(output.join('')).toMatch(/before-quit was asked[\s\S]*close was asked/)
  })
})
