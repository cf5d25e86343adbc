// What `import 'electron'` gives in the main process: the parts the app uses, answered over Chromium's own protocol.
import { BrowserWindow } from './browser-window.ts'
import { app } from './electron-app.ts'
import { ipcMain } from './ipc-main.ts'
import { protocol } from './schemes.ts'
import {
  dialog,
  Menu,
  MenuItem,
  nativeTheme,
  safeStorage,
  screen,
  session,
  shell,
  standInCalls,
  utilityProcess,
} from './small-parts.ts'

const contentsOf = () => BrowserWindow.getAllWindows().map((window) => window.webContents)

const webContents = {
  getAllWebContents: contentsOf,
  fromId: (id: number) => contentsOf().find((contents) => contents.id === id),
  fromDevToolsTargetId: (targetId: string) => contentsOf().find((contents) => contents.window.targetId === targetId),
}

export {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  MenuItem,
  nativeTheme,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  standInCalls,
  utilityProcess,
  webContents,
}
