import { EventEmitter } from 'node:events'
import type { BrowserWindow } from './browser-window.ts'
import { ipcMain } from './ipc-main.ts'
import { session } from './small-parts.ts'
import { structuredText } from './structured-text.ts'

type OpenHandler = (details: { url: string; frameName: string; disposition: string }) => { action: 'deny' | 'allow' }
interface FromPage {
  kind: 'invoke' | 'send'
  channel: string
  args: string
  id: number
}

const codec = structuredText()
let lastId = 0

export class WebContents extends EventEmitter {
  readonly id = ++lastId
  readonly session = session.defaultSession
  readonly mainFrame: { url: string; parent: null } = { url: '', parent: null }
  readonly window: BrowserWindow
  #openHandler: OpenHandler | undefined

  constructor(window: BrowserWindow) {
    super()
    this.setMaxListeners(0)
    this.window = window
  }

  /** The page's process is Chromium's own here and does not end by itself. */
  isCrashed(): boolean {
    return false
  }

  send(channel: string, ...args: unknown[]) {
    const text = JSON.stringify({ kind: 'event', channel, args: codec.encode(args) })
    this.window.whenStarted.then(() => this.window.toPreload(text))
  }

  getURL() {
    return this.mainFrame.url
  }

  isDestroyed() {
    return this.window.isDestroyed()
  }

  setWindowOpenHandler(handler: OpenHandler) {
    this.#openHandler = handler
  }

  /** Child windows are not emulated: the handler is asked, and nothing opens whatever it says. */
  windowOpened(url: string, frameName: string, hasGesture: boolean) {
    // Electron reports the click itself; here only its consequence is known
    if (hasGesture) this.emit('input-event', {}, { type: 'mouseDown' })
    this.#openHandler?.({ url, frameName, disposition: 'foreground-tab' })
  }

  reload() {
    this.window.command('Page.reload').catch(() => {})
  }

  close() {
    this.window.close()
  }

  openDevTools() {}

  /** A message of the preload: an event for ipcMain, or a call that is answered. */
  async receive(payload: string): Promise<void> {
    const { kind, channel, args, id }: FromPage = JSON.parse(payload)
    const event = { sender: this, senderFrame: this.mainFrame, frameId: 1, processId: 1 }
    const decoded = codec.decode(args) as unknown[]
    if (kind === 'send') {
      ipcMain.emit(channel, event, ...decoded)
      return
    }
    const reply: { kind: 'reply'; id: number; value?: string; error?: string } = { kind: 'reply', id }
    try {
      reply.value = codec.encode(await ipcMain.answer(channel, event, decoded))
    } catch (error) {
      reply.error = `Error invoking remote method '${channel}': ${error}`
    }
    this.window.toPreload(JSON.stringify(reply))
  }
}
