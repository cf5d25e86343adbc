import type { RendererFile } from '../host/renderer-files'

/**
 * Development only: hands page requests to the hot-reloading build server. Its pages hold inline scripts and open a
 * socket to it, so the policy is wider here than anywhere else.
 */
export function devPage(serverUrl: string) {
  const { host } = new URL(serverUrl)
  const policy = [
    "default-src 'self'",
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `connect-src 'self' ws://${host} http://${host}`,
  ].join('; ')
  return async (pathAndQuery: string): Promise<RendererFile | undefined> => {
    const answer = await fetch(new URL(serverUrl).origin + pathAndQuery)
    if (!answer.ok) return undefined
    return {
      body: new Uint8Array(await answer.arrayBuffer()),
      headers: {
        'Content-Security-Policy': policy,
        'Content-Type': answer.headers.get('content-type') ?? 'text/plain',
        'Cache-Control': 'no-store',
      },
    }
  }
}
