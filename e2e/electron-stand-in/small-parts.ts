import { type ForkOptions, fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { app } from './electron-app.ts'
import { protocol } from './schemes.ts'

/** What the app asked of the desktop; tests read it through `electronApp.evaluate`. */
export const standInCalls: [name: string, ...args: unknown[]][] = []

export const shell = {
  openExternal: async (url: string) => void standInCalls.push(['openExternal', url]),
  openPath: async (path: string) => {
    standInCalls.push(['openPath', path])
    return ''
  },
}

export const dialog = {
  showMessageBox: async () => ({ response: 0, checkboxChecked: false }),
  showErrorBox: (title: string, text: string) => console.error('dialog:', title, text),
}

export const session = {
  defaultSession: { setPermissionRequestHandler() {}, setPermissionCheckHandler() {}, protocol },
}

const MARK = 'v10'
const flip = (bytes: Uint8Array) => Buffer.from(bytes.map((byte) => byte ^ 0x5a))
/** `STAND_IN_KEYRING=none` plays a Linux without a keyring. */
const hasKeyring = () => process.env.STAND_IN_KEYRING !== 'none'

export const safeStorage = {
  getSelectedStorageBackend: () => (hasKeyring() ? 'gnome_libsecret' : 'basic_text'),
  isEncryptionAvailable: () => app.isReady() && hasKeyring(),
  isAsyncEncryptionAvailable: async () => safeStorage.isEncryptionAvailable(),
  async encryptStringAsync(text: string) {
    if (!safeStorage.isEncryptionAvailable()) throw new Error('Encryption is not available.')
    return Buffer.concat([Buffer.from(MARK), flip(Buffer.from(text))])
  },
  async decryptStringAsync(bytes: Buffer) {
    if (bytes.subarray(0, MARK.length).toString() !== MARK) throw new Error('Error while decrypting the ciphertext.')
    return { result: flip(bytes.subarray(MARK.length)).toString(), shouldReEncrypt: false }
  },
}

interface MenuItemOptions {
  id?: string
  submenu?: MenuItemOptions[] | Menu
  [field: string]: unknown
}

export class MenuItem {
  readonly id: string | undefined
  readonly submenu: Menu | undefined

  constructor(options: MenuItemOptions) {
    Object.assign(this, options)
    this.id = options.id
    this.submenu = Array.isArray(options.submenu) ? Menu.buildFromTemplate(options.submenu) : options.submenu
  }
}

export class Menu {
  static #current: Menu | null = null
  items: MenuItem[] = []

  static buildFromTemplate(template: MenuItemOptions[]) {
    const menu = new Menu()
    menu.items = template.map((options) => new MenuItem(options))
    return menu
  }

  static setApplicationMenu(menu: Menu | null) {
    Menu.#current = menu
  }

  static getApplicationMenu() {
    return Menu.#current
  }

  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      if (item.id === id) return item
      const inner = item.submenu?.getMenuItemById(id)
      if (inner) return inner
    }
    return null
  }
}

const workArea = { x: 0, y: 0, width: 1920, height: 1080 }
const display = { workArea, workAreaSize: { width: 1920, height: 1080 }, scaleFactor: 1 }
export const screen = Object.assign(new EventEmitter(), {
  getPrimaryDisplay: () => display,
  getAllDisplays: () => [display],
})

export const nativeTheme = Object.assign(new EventEmitter(), { themeSource: 'system', shouldUseDarkColors: false })

export const utilityProcess = {
  fork(path: string, args: string[] = [], options: ForkOptions = {}) {
    const register = new URL('./utility-register.ts', import.meta.url).href
    const child = fork(path, args, { ...options, serialization: 'advanced', execArgv: ['--import', register] })
    return Object.assign(child, { postMessage: (message: object) => child.send(message) })
  },
}
