import type { structuredText } from './structured-text.ts'

type Codec = ReturnType<typeof structuredText>

/**
 * The isolated world: what a sandboxed preload sees of Electron. Injected as text; `__standInPost` is the binding
 * through which it speaks to the main process, `__standInReceive` how it is answered.
 */
export function preloadWorld(source: string, exposeInMainWorld: (key: string, api: unknown) => void, codec: Codec) {
  type Listener = (event: unknown, ...args: unknown[]) => void
  type World = typeof globalThis & { __standInPost(text: string): void; __standInReceive(text: string): void }

  const world = globalThis as World
  const listeners = new Map<string, Listener[]>()
  const pending = new Map<number, { done: (value: unknown) => void; failed: (error: unknown) => void }>()
  // Begins elsewhere in every document: a late answer to the page before a reload must not settle a call of this one.
  let sequence = Math.floor(performance.timeOrigin * 1000)

  const post = (message: object) => world.__standInPost(JSON.stringify(message))

  const ipcRenderer = {
    invoke: (channel: string, ...args: unknown[]) =>
      new Promise((done, failed) => {
        const id = ++sequence
        const encoded = codec.encode(args)
        pending.set(id, { done, failed })
        post({ kind: 'invoke', id, channel, args: encoded })
      }),
    send: (channel: string, ...args: unknown[]) => post({ kind: 'send', channel, args: codec.encode(args) }),
    on(channel: string, listener: Listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
      return ipcRenderer
    },
    once(channel: string, listener: Listener) {
      const once: Listener = (...args) => {
        ipcRenderer.removeListener(channel, once)
        listener(...args)
      }
      return ipcRenderer.on(channel, once)
    },
    removeListener(channel: string, listener: Listener) {
      const kept = (listeners.get(channel) ?? []).filter((candidate) => candidate !== listener)
      listeners.set(channel, kept)
      return ipcRenderer
    },
    off: (channel: string, listener: Listener) => ipcRenderer.removeListener(channel, listener),
    removeAllListeners(channel?: string) {
      if (channel === undefined) listeners.clear()
      else listeners.delete(channel)
      return ipcRenderer
    },
  }

  world.__standInReceive = (text) => {
    const message = JSON.parse(text)
    if (message.kind === 'event') {
      const args = codec.decode(message.args) as unknown[]
      for (const listener of listeners.get(message.channel) ?? []) listener({ sender: ipcRenderer, ports: [] }, ...args)
      return
    }
    const entry = pending.get(message.id)
    pending.delete(message.id)
    if (message.error === undefined) entry?.done(codec.decode(message.value))
    else entry?.failed(new Error(message.error))
  }

  const electron = { ipcRenderer, contextBridge: { exposeInMainWorld } }
  const require = (name: string) => {
    if (name === 'electron' || name === 'electron/renderer') return electron
    throw new Error(`module not found: ${name}`)
  }
  const process = { platform: 'linux', env: {}, argv: [], type: 'renderer', sandboxed: true, contextIsolated: true }
  const module = { exports: {} }
  new Function('require', 'module', 'exports', 'process', source)(require, module, module.exports, process)
}
