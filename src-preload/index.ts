import { contextBridge, ipcRenderer } from 'electron'
import type { EventMessage, Reply } from '../src-main/ipc/contract'

/** All that a page gets of the world outside: calls in, events out. */
export interface StrataBridge {
  call(name: string, input: unknown): Promise<Reply<unknown>>
  /** Returns the way to unsubscribe. */
  on(listener: (event: EventMessage) => void): () => void
}

const strata: StrataBridge = {
  call: (name, input) => ipcRenderer.invoke('call', name, input),
  on(listener) {
    // the event object of Electron stays on this side: it would hand the page the sender
    const forward = (_event: unknown, message: EventMessage) => listener(message)
    ipcRenderer.on('event', forward)
    return () => {
      ipcRenderer.removeListener('event', forward)
    }
  },
}

contextBridge.exposeInMainWorld('strata', strata)
