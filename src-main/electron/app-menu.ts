import { app, Menu, type MenuItemConstructorOptions, shell } from 'electron'

export interface MenuActions {
  dataDir: string
  /** Offered only while keys live in memory. */
  keepKeysInFile?: () => void
}

/** The plain platform menu: editing, zoom and window commands. The app's own commands are in its palette. */
export function setAppMenu({ dataDir, keepKeysInFile }: MenuActions): void {
  const isMac = process.platform === 'darwin'
  const dev: MenuItemConstructorOptions[] = import.meta.env.DEV ? [{ role: 'reload' }, { role: 'toggleDevTools' }] : []
  const keys: MenuItemConstructorOptions[] = keepKeysInFile
    ? [{ id: 'keep-keys', label: 'Keep API Keys in a File…', click: keepKeysInFile }]
    : []
  const file: MenuItemConstructorOptions[] = [
    { id: 'open-data', label: 'Open Data Folder', click: () => void shell.openPath(dataDir) },
    ...keys,
    { type: 'separator' },
    isMac ? { role: 'close' } : { role: 'quit' },
  ]
  const view: MenuItemConstructorOptions[] = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
    ...dev,
  ]
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(isMac ? [{ role: 'appMenu', label: app.name } as const] : []),
      { label: 'File', submenu: file },
      { role: 'editMenu' },
      { label: 'View', submenu: view },
      { role: 'windowMenu' },
    ]),
  )
}
