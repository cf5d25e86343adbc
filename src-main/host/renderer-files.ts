import { readFile, realpath } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'

/** The same for every host. Styles may be inline because the charts set sizes; scripts never. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
].join('; ')

export const PAGE_HEADERS: Record<string, string> = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

const MEDIA_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
}

export interface RendererFile {
  body: Uint8Array<ArrayBuffer>
  headers: Record<string, string>
}

/**
 * One file of the built renderer. `pathname` is the URL's, still percent-encoded.
 * Undefined when there is no such file, or when the path would leave the folder (also through a link).
 */
export async function readRendererFile(rendererDir: string, pathname: string): Promise<RendererFile | undefined> {
  const relative = safePath(pathname)
  if (relative === undefined) return undefined
  try {
    const root = await realpath(rendererDir)
    const path = await realpath(join(root, relative))
    if (!path.startsWith(root + sep)) return undefined
    const body = new Uint8Array(await readFile(path))
    return { body, headers: headersFor(path, relative) }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function safePath(pathname: string): string | undefined {
  let decoded: string
  try {
    decoded = decodeURIComponent(pathname)
  } catch {
    return undefined
  }
  if (decoded.includes('\0') || decoded.includes('\\') || !decoded.startsWith('/')) return undefined
  const parts = decoded.slice(1).split('/')
  if (parts.some((part) => part.startsWith('.') || part.includes(':'))) return undefined
  return decoded === '/' ? 'index.html' : parts.join('/')
}

function headersFor(path: string, relative: string): Record<string, string> {
  // names under assets/ carry a hash of their content, so they never go stale
  const cache = relative.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-store'
  return {
    ...PAGE_HEADERS,
    'Content-Type': MEDIA_TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream',
    'Cache-Control': cache,
  }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR'
}
