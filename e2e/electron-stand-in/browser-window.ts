import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { contextBridge } from './context-bridge.ts'
import { type Answer, devTools, type Parameters } from './devtools.ts'
import { app, preventable } from './electron-app.ts'
import { preloadWorld } from './preload-world.ts'
import { answerScheme, fromWire, hasSchemes, toWire, WIRE_PATTERN, type WireRequest } from './schemes.ts'
import { structuredText } from './structured-text.ts'
import { WebContents } from './web-contents.ts'

interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

export interface WindowOptions extends Partial<Bounds> {
  title?: string
  show?: boolean
  webPreferences?: { preload?: string; sandbox?: boolean; contextIsolation?: boolean; nodeIntegration?: boolean }
}

interface PageEvent {
  context: { id: number; name: string; auxData?: { frameId?: string } }
  frame: { url: string; parentId?: string }
  exceptionDetails: { executionContextId?: number; text: string; exception?: { description?: string } }
  url: string
  windowName: string
  userGesture: boolean
  name: string
  payload: string
  requestId: string
  request: WireRequest
}

const ISOLATED_WORLD = 'Electron Isolated Context'

export class BrowserWindow extends EventEmitter {
  static readonly #all = new Map<number, BrowserWindow>()

  static getAllWindows() {
    return [...BrowserWindow.#all.values()]
  }

  static getFocusedWindow() {
    return BrowserWindow.getAllWindows()[0] ?? null
  }

  static fromWebContents(contents: WebContents | undefined) {
    return contents?.window ?? null
  }

  static fromId(id: number) {
    return BrowserWindow.#all.get(id) ?? null
  }

  readonly webContents: WebContents
  readonly id: number
  readonly whenStarted: Promise<void>
  targetId = ''
  #session = ''
  #isolatedContext: number | undefined
  #isPainted = false
  #isShown: boolean
  #isMaximized = false
  #title: string
  #bounds: Bounds
  #loaded: (() => void) | undefined
  readonly #options: WindowOptions

  constructor(options: WindowOptions = {}) {
    super()
    if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready')
    this.setMaxListeners(0)
    this.#options = options
    this.#title = options.title ?? app.name
    this.#isShown = options.show !== false
    this.#bounds = { x: options.x ?? 0, y: options.y ?? 0, width: options.width ?? 800, height: options.height ?? 600 }
    this.webContents = new WebContents(this)
    this.id = this.webContents.id
    BrowserWindow.#all.set(this.id, this)
    this.whenStarted = this.#start()
    this.whenStarted.catch((error: unknown) => console.error('The stand-in could not open a window:', error))
    app.emit('browser-window-created', {}, this)
  }

  command(method: string, params?: Parameters): Promise<Answer> {
    return devTools.send(method, params, this.#session)
  }

  toPreload(text: string) {
    if (this.#isolatedContext === undefined || this.isDestroyed()) return
    const expression = `__standInReceive(${JSON.stringify(text)})`
    this.command('Runtime.evaluate', { contextId: this.#isolatedContext, expression }).catch(() => {})
  }

  async #start() {
    const { width, height } = this.#bounds
    const target = await devTools.send('Target.createTarget', { url: 'about:blank', newWindow: true, width, height })
    this.targetId = String(target.targetId)
    const attached = await devTools.send('Target.attachToTarget', { targetId: this.targetId, flatten: true })
    this.#session = String(attached.sessionId)
    devTools.on(this.#session, (method: string, params: PageEvent) => this.#pageEvents[method]?.(params))
    await this.command('Page.enable')
    await this.command('Runtime.enable')
    await this.command('Runtime.addBinding', { name: '__standInPost', executionContextName: ISOLATED_WORLD })
    if (hasSchemes()) await this.command('Fetch.enable', { patterns: [{ urlPattern: WIRE_PATTERN }] })
    await this.#applySize()
    const { preload } = this.#options.webPreferences ?? {}
    if (preload) await this.#injectPreload(preload)
  }

  async #injectPreload(path: string) {
    const { contextIsolation, nodeIntegration, sandbox } = this.#options.webPreferences ?? {}
    if (contextIsolation === false || nodeIntegration) throw new Error('Only isolated pages without Node are emulated.')
    const source = readFileSync(path, 'utf8')
    if (sandbox !== false && /^\s*(import|export)\s/m.test(source)) {
      throw new Error(`A sandboxed preload cannot be an ES module: ${path}`)
    }
    const isolated = `{
      const bridge = (${contextBridge})('preload')
      const codec = (${structuredText})();
      (${preloadWorld})(${JSON.stringify(source)}, bridge.expose, codec)
    }`
    await this.command('Page.addScriptToEvaluateOnNewDocument', { source: `(${contextBridge})('main')` })
    await this.command('Page.addScriptToEvaluateOnNewDocument', { worldName: ISOLATED_WORLD, source: isolated })
  }

  readonly #pageEvents: Record<string, (event: PageEvent) => void> = {
    'Runtime.executionContextCreated': ({ context }) => {
      const isOurs = context.name === ISOLATED_WORLD && context.auxData?.frameId === this.targetId
      if (isOurs) this.#isolatedContext = context.id
    },
    'Runtime.executionContextsCleared': () => {
      this.#isolatedContext = undefined
    },
    'Page.frameNavigated': ({ frame }) => {
      if (frame.parentId) return
      this.webContents.mainFrame.url = fromWire(frame.url)
      this.webContents.emit('did-navigate', {}, this.webContents.mainFrame.url)
    },
    'Page.domContentEventFired': () => void this.webContents.emit('dom-ready'),
    'Page.loadEventFired': () => {
      this.#loaded?.()
      this.webContents.emit('did-finish-load')
      if (!this.#isPainted) this.emit('ready-to-show')
      this.#isPainted = true
    },
    'Page.windowOpen': ({ url, windowName, userGesture }) =>
      this.webContents.windowOpened(url, windowName, userGesture),
    'Page.javascriptDialogOpening': () => {
      this.command('Page.handleJavaScriptDialog', { accept: true }).catch(() => {})
    },
    'Runtime.exceptionThrown': ({ exceptionDetails }) => {
      if (exceptionDetails.executionContextId !== this.#isolatedContext) return
      const text = exceptionDetails.exception?.description ?? exceptionDetails.text
      console.error(`Unable to load preload script\n${text}`)
      this.webContents.emit('preload-error', {}, this.#options.webPreferences?.preload, new Error(text))
    },
    'Runtime.bindingCalled': ({ name, payload }) => {
      if (name === '__standInPost') this.webContents.receive(payload)
    },
    'Fetch.requestPaused': ({ requestId, request }) => {
      this.#fulfil(requestId, request).catch((error: unknown) => {
        console.error('The protocol handler failed:', error)
        this.command('Fetch.failRequest', { requestId, errorReason: 'Failed' }).catch(() => {})
      })
    },
  }

  async #fulfil(requestId: string, request: WireRequest) {
    const response = await answerScheme(request)
    await this.command('Fetch.fulfillRequest', {
      requestId,
      responseCode: response.status,
      responseHeaders: [...response.headers].map(([name, value]) => ({ name, value })),
      body: Buffer.from(await response.arrayBuffer()).toString('base64'),
    })
  }

  async loadURL(url: string) {
    await this.whenStarted
    const loaded = new Promise<void>((done) => {
      this.#loaded = done
    })
    const { errorText } = await this.command('Page.navigate', { url: toWire(url) })
    if (errorText) {
      this.webContents.emit('did-fail-load', {}, -1, errorText, url, true)
      throw new Error(`${errorText} loading '${url}'`)
    }
    await loaded
  }

  /** The page behind the window has ended, however. */
  gone() {
    if (!BrowserWindow.#all.delete(this.id)) return
    devTools.removeAllListeners(this.#session)
    this.webContents.emit('destroyed')
    this.emit('closed')
    if (BrowserWindow.#all.size > 0 || app.isQuitting) return
    if (app.listenerCount('window-all-closed') > 0) app.emit('window-all-closed')
    else app.quit()
  }

  close() {
    const event = preventable()
    this.emit('close', event)
    if (!event.defaultPrevented) this.destroy()
  }

  destroy() {
    if (this.isDestroyed()) return
    devTools.send('Target.closeTarget', { targetId: this.targetId }).catch(() => {})
    this.gone()
  }

  isDestroyed() {
    return !BrowserWindow.#all.has(this.id)
  }

  show() {
    this.#isShown = true
    this.emit('show')
  }

  hide() {
    this.#isShown = false
    this.emit('hide')
  }

  focus() {
    this.emit('focus')
  }

  maximize() {
    this.#isMaximized = true
  }

  isVisible() {
    return this.#isShown
  }

  isMaximized() {
    return this.#isMaximized
  }

  isMinimized() {
    return false
  }

  restore() {}

  getNormalBounds() {
    return { ...this.#bounds }
  }

  getBounds() {
    return { ...this.#bounds }
  }

  setBounds(bounds: Partial<Bounds>) {
    Object.assign(this.#bounds, bounds)
    this.#applySize().catch(() => {})
    this.emit('resize')
  }

  getTitle() {
    return this.#title
  }

  async #applySize() {
    const { width, height } = this.#bounds
    await this.command('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false })
  }
}

app.on('close-windows', () => {
  for (const window of BrowserWindow.getAllWindows()) window.close()
})

devTools.on('closed', () => {
  for (const window of BrowserWindow.getAllWindows()) window.gone()
})

devTools.on(
  '',
  (
    method: string,
    params: { targetId?: string; targetInfo?: { targetId: string; type: string; openerId?: string } },
  ) => {
    const windowOf = (targetId: string | undefined) =>
      BrowserWindow.getAllWindows().find((window) => window.targetId === targetId)
    if (method === 'Target.targetDestroyed') windowOf(params.targetId)?.gone()
    const { targetInfo } = params
    if (method !== 'Target.targetCreated' || targetInfo?.type !== 'page' || !targetInfo.openerId) return
    if (windowOf(targetInfo.openerId)) {
      devTools.send('Target.closeTarget', { targetId: targetInfo.targetId }).catch(() => {})
    }
  },
)
