import { join } from 'node:path'
import { app, type BrowserWindow, dialog, session } from 'electron'
import { version } from '../package.json'
import type { RunningApp } from './app-host'
import { connectAppCalls } from './electron/app-calls'
import { setAppMenu } from './electron/app-menu'
import { registerAppScheme, serveAppScheme } from './electron/app-scheme'
import { endedWords } from './electron/failed-page'
import { chooseKeyCipher } from './electron/key-store'
import { openMainWindow, preloadPath, showWindow } from './electron/main-window'
import { guardPermissions } from './electron/window-guards'
import { openDataFolder } from './host/data-folder'
import { type FolderLock, lockFolder } from './host/folder-lock'
import { installLastResort, UNEXPECTED_EXIT } from './host/last-resort'
import { openLog } from './host/open-log'
import { openApp } from './open-app'
import { storageError } from './storage/storage-error'

const OUT_MAIN = import.meta.dirname
const STOP_LIMIT_MS = 15_000
/** After an error nobody expected the words stand this long before everything closes. */
const TO_READ_MS = 4_000

/** `--data DIR` or `--data=DIR`; everything else on the command line belongs to Electron. */
function dataArgument(args: readonly string[]): string | undefined {
  const at = args.findIndex((argument) => argument === '--data' || argument.startsWith('--data='))
  const found = args[at]
  return found === '--data' ? args[at + 1] : found?.slice('--data='.length)
}

async function openDesktop(dataDir: string): Promise<void> {
  await app.whenReady()
  const lock = lockFolder(dataDir, { pid: process.pid, host: 'desktop', since: new Date().toISOString() })
  const log = openLog(dataDir)
  let started: RunningApp | undefined
  let quit: (code: number) => void = (code) => app.exit(code)
  installLastResort({
    log,
    app: () => started,
    end(error) {
      if (!started) return cannotStart(error)
      const words = endedWords(app.getLocale())
      // the box closes with the app: nobody has to be there for the answers to be stored
      void dialog.showMessageBox({ type: 'error', message: words.title, detail: words.text })
      setTimeout(() => quit(UNEXPECTED_EXIT), TO_READ_MS)
    },
  })
  app.on('child-process-gone', (_event, gone) => log.error({ kind: gone.type, reason: gone.reason }, 'a helper ended'))
  const keyCipher = await chooseKeyCipher(dataDir)
  const resourcesDir = app.isPackaged ? join(process.resourcesPath, 'resources') : join(OUT_MAIN, '../../resources')
  const running = await openApp({ dataDir, host: 'desktop', keyCipher, version, resourcesDir, log })
  started = running

  serveAppScheme(join(OUT_MAIN, '../renderer'))
  guardPermissions(session.defaultSession)
  connectAppCalls(running, log)
  setAppMenu(dataDir)

  let window: BrowserWindow | undefined
  const open = () => {
    if (window && !window.isDestroyed()) return showWindow(window)
    window = openMainWindow({ dataDir, preload: preloadPath(OUT_MAIN), log })
  }
  app.on('second-instance', open)
  app.on('activate', open)
  app.on('window-all-closed', () => process.platform !== 'darwin' && app.quit())
  quit = closeBeforeQuit(running, lock, (error) => log.error({ err: error }, 'closing failed'))
  open()
  log.info({ version, electron: process.versions.electron, keys: keyCipher.kind }, 'ready')
}

/**
 * Holds the quit back until running turns are stored and the databases are closed. Returns the way to quit with another
 * exit code than 0.
 */
function closeBeforeQuit(running: RunningApp, lock: FolderLock, onError: (error: unknown) => void) {
  let closed = false
  let closing = false
  let exitCode = 0
  app.on('before-quit', (event) => {
    if (closed) return
    event.preventDefault()
    if (closing) return
    closing = true
    setTimeout(() => app.exit(exitCode || 1), STOP_LIMIT_MS).unref()
    running
      .close()
      .catch(onError)
      .finally(() => {
        closed = true
        lock.release()
        if (exitCode === 0) app.quit()
        else app.exit(exitCode)
      })
  })
  return (code: number): void => {
    exitCode = code
    app.quit()
  }
}

function cannotStart(failure: unknown): void {
  const error = storageError(failure) ?? failure
  const text = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${text}\n`)
  dialog.showErrorBox('Strata could not start', text)
  app.exit(2)
}

async function start(): Promise<void> {
  const dataDir = openDataFolder(dataArgument(process.argv))
  // the browser profile moves with the data folder, and with it the single-instance lock
  app.setPath('userData', join(dataDir, 'browser'))
  if (app.requestSingleInstanceLock()) return openDesktop(dataDir)
  process.stderr.write(`Strata is already open with ${dataDir}; its window was brought to the front.\n`)
  app.exit(0)
}

registerAppScheme()
start().catch(cannotStart)
