import { join } from 'node:path'
import { app, BrowserWindow, dialog, screen } from 'electron'
import type { Logger } from 'pino'
import { APP_ORIGIN } from './app-scheme'
import { failedPageWords } from './failed-page'
import { devServer } from './own-page'
import { createReloadGuard } from './reload-guard'
import { guardContents } from './window-guards'
import { FIRST_SIZE, readWindowState, writeWindowState } from './window-state'

export interface WindowOptions {
  dataDir: string
  preload: string
  log: Logger
}

/** Opens the one window, where and as large as it was last time. */
export function openMainWindow({ dataDir, preload, log }: WindowOptions): BrowserWindow {
  const state = readWindowState(
    dataDir,
    screen.getAllDisplays().map((display) => display.workArea),
  )
  const place = state ? { x: state.x, y: state.y, width: state.width, height: state.height } : FIRST_SIZE
  const window = new BrowserWindow({
    ...place,
    minWidth: 400,
    minHeight: 300,
    title: 'Strata',
    show: false,
    autoHideMenuBar: true,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: true,
    },
  })
  guardContents(window.webContents, log)
  if (state?.maximized) window.maximize()
  window.once('ready-to-show', () => window.show())
  window.on('close', () => {
    try {
      writeWindowState(dataDir, { ...window.getNormalBounds(), maximized: window.isMaximized() })
    } catch (error) {
      // the next start opens where the last one did
      log.warn({ err: error }, 'the place of the window could not be stored')
    }
  })
  const mayReload = createReloadGuard()
  window.webContents.on('render-process-gone', (_event, gone) => {
    log.error({ reason: gone.reason, exitCode: gone.exitCode }, 'the page ended')
    if (gone.reason === 'clean-exit' || window.isDestroyed()) return
    if (mayReload()) window.webContents.reload()
    else askAboutFailedPage(window, log)
  })
  window.webContents.on('preload-error', (_event, path, error) => log.error({ err: error, path }, 'preload failed'))
  const address = devServer() ?? `${APP_ORIGIN}/index.html`
  window.loadURL(address).catch((error: unknown) => log.error({ err: error }, 'the page could not be loaded'))
  return window
}

/** No third time by itself: the person decides, and reads what is safe. */
function askAboutFailedPage(window: BrowserWindow, log: Logger): void {
  const words = failedPageWords()
  dialog
    .showMessageBox(window, {
      type: 'error',
      message: words.title,
      detail: words.text,
      buttons: [words.reload, words.close],
      defaultId: 0,
      cancelId: 1,
      noLink: true,
    })
    .then(({ response }) => {
      if (response === 1) app.quit()
      else if (!window.isDestroyed()) window.webContents.reload()
    })
    .catch((error: unknown) => log.error({ err: error }, 'the failed page could not be asked about'))
}

/** Brings the window to the front, also from the dock or task bar. */
export function showWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

export function preloadPath(outMain: string): string {
  return join(outMain, '../preload/index.cjs')
}
