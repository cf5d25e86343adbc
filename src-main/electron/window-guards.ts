import { type Session, shell, type WebContents } from 'electron'
import type { Logger } from 'pino'
import { createLinkGate } from './link-gate'
import { isOwnPage } from './own-page'

const GESTURES = new Set(['mouseDown', 'mouseUp', 'keyDown', 'rawKeyDown', 'touchEnd', 'gestureTap'])

/** No page leaves ours, no window is opened, no frame is embedded. Links go to the browser after a gesture. */
export function guardContents(contents: WebContents, log: Logger, now: () => number = Date.now): void {
  const gate = createLinkGate(now)
  contents.on('input-event', (_event, input) => {
    if (GESTURES.has(input.type)) gate.gesture()
  })
  const openOutside = (url: string) => {
    if (!gate.lets(url)) return
    shell.openExternal(url).catch((error: unknown) => log.warn({ err: error }, 'the browser could not be opened'))
  }
  contents.setWindowOpenHandler(({ url }) => {
    openOutside(url)
    return { action: 'deny' }
  })
  contents.on('will-navigate', (event) => {
    if (isOwnPage(event.url)) return
    event.preventDefault()
    openOutside(event.url)
  })
  contents.on('will-redirect', (event) => {
    if (!isOwnPage(event.url)) event.preventDefault()
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
}

/** Everything is denied but writing to the clipboard from our own page, which the copy buttons use. */
export function guardPermissions(session: Session): void {
  const allowed = (permission: string, url: string) => permission === 'clipboard-sanitized-write' && isOwnPage(url)
  session.setPermissionRequestHandler((contents, permission, answer) => answer(allowed(permission, contents.getURL())))
  session.setPermissionCheckHandler((contents, permission) => allowed(permission, contents?.getURL() ?? ''))
}
