import { BrowserWindow, type IpcMainInvokeEvent, ipcMain } from 'electron'
import type { Logger } from 'pino'
import type { RunningApp } from '../app-host'
import { isOwnPage } from './own-page'

/** The desktop transport: `call` in, `event` out. A frame that does not show one of our own pages is refused. */
export function connectAppCalls(app: RunningApp, log: Logger): void {
  ipcMain.handle('call', async (event: IpcMainInvokeEvent, name: unknown, input: unknown) => {
    const frame = event.senderFrame
    if (!frame || frame.parent !== null || !isOwnPage(frame.url)) {
      log.warn({ origin: frame?.url.split(/[?#]/)[0] }, 'call from a foreign frame refused')
      throw new Error('Calls are accepted from the app’s own pages only.')
    }
    const started = performance.now()
    const reply = await app.call(name, input)
    const ms = Math.round(performance.now() - started)
    log.debug({ call: String(name).slice(0, 80), ms, code: reply.ok ? 'ok' : reply.error.code }, 'call')
    return reply
  })
  app.subscribe((message) => {
    for (const window of BrowserWindow.getAllWindows()) {
      // a page that ended reads everything anew when it is back
      if (!window.isDestroyed() && !window.webContents.isCrashed()) window.webContents.send('event', message)
    }
  })
}
