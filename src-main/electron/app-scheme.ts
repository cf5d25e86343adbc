import { protocol } from 'electron'
import { PAGE_HEADERS, readRendererFile } from '../host/renderer-files'

export const APP_ORIGIN = 'app://strata'

/** Must run before the app is ready. `standard` gives the pages an origin, so `'self'` in the policy means them. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
}

/** Answers `app://strata/…` from the built renderer, and nothing else. */
export function serveAppScheme(rendererDir: string): void {
  protocol.handle('app', async (request) => {
    const url = new URL(request.url)
    const isOurs = url.host === 'strata' && (request.method === 'GET' || request.method === 'HEAD')
    const file = isOurs ? await readRendererFile(rendererDir, url.pathname) : undefined
    if (!file) return new Response('There is no such file.\n', { status: 404, headers: PAGE_HEADERS })
    return new Response(file.body, { headers: file.headers })
  })
}
