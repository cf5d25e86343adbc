import { app, Menu, type MenuItemConstructorOptions, shell } from 'electron'

/** The plain platform menu: editing, zoom and window commands. The app's own commands are in its palette. */
export function setAppMenu(dataDir: string): void {
  const isMac = process.platform === 'darwin'
  const dev: MenuItemConstructorOptions[] = import.meta.env.DEV ? [{ role: 'reload' }, { role: 'toggleDevTools' }] : []
  const file: MenuItemConstructorOptions[] = [
    { id: 'open-data', label: 'Open Data Folder', click: () => void shell.openPath(dataDir) },
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
