import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { devTools } from './devtools.ts'

export const appDir = process.env.STAND_IN_APP_DIR ?? process.cwd()
const manifest = JSON.parse(readFileSync(join(appDir, 'package.json'), 'utf8'))
const EXIT_LIMIT_MS = 2000

/** An event that a listener may prevent, as Electron's are. */
export function preventable() {
  const event = {
    defaultPrevented: false,
    preventDefault() {
      event.defaultPrevented = true
    },
  }
  return event
}

class App extends EventEmitter {
  readonly isPackaged = false
  readonly commandLine = { appendSwitch() {}, hasSwitch: () => false, getSwitchValue: () => '' }
  name: string = manifest.productName ?? manifest.name
  #paths = new Map<string, string>()
  #ready = false
  #quitting = false
  readonly #whenReady: Promise<void>

  constructor() {
    super()
    this.setMaxListeners(0)
    this.#whenReady = this.#start()
    process.on('SIGTERM', () => this.quit())
    process.on('SIGINT', () => this.quit())
    devTools.on('closed', () => this.quit())
  }

  get isQuitting() {
    return this.#quitting
  }

  isReady() {
    return this.#ready
  }

  whenReady() {
    return this.#whenReady
  }

  getVersion(): string {
    return manifest.version
  }

  getName() {
    return this.name
  }

  getLocale() {
    return process.env.STAND_IN_LOCALE ?? 'en-US'
  }

  getAppPath() {
    return appDir
  }

  setPath(name: string, path: string) {
    this.#paths.set(name, path)
  }

  getPath(name: string): string {
    const settings = process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config')
    const usual: Record<string, string> = {
      userData: join(settings, this.name),
      appData: settings,
      home: homedir(),
      temp: tmpdir(),
      exe: process.execPath,
      downloads: join(homedir(), 'Downloads'),
    }
    const path = this.#paths.get(name) ?? usual[name]
    if (!path) throw new Error(`Failed to get '${name}' path`)
    return path
  }

  /** Not emulated: every start is the first. */
  requestSingleInstanceLock() {
    return true
  }

  releaseSingleInstanceLock() {}
  setAppUserModelId() {}
  focus() {}

  quit() {
    if (this.#quitting) return
    const event = preventable()
    this.emit('before-quit', event)
    if (event.defaultPrevented) return
    this.#quitting = true
    // a window that keeps itself open stops Electron's quit; that is not emulated
    this.emit('close-windows')
    this.emit('will-quit', preventable())
    this.emit('quit', {}, 0)
    this.exit(0)
  }

  exit(code = 0) {
    setTimeout(() => process.exit(code), EXIT_LIMIT_MS)
    devTools.close().then(() => process.exit(code))
  }

  async #start() {
    try {
      await devTools.launch()
      await devTools.send('Target.setDiscoverTargets', { discover: true })
    } catch (error) {
      console.error(error)
      process.exit(1)
    }
    this.#ready = true
    this.emit('ready', {})
  }
}

export const app = new App()
