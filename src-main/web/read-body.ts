import type { IncomingMessage } from 'node:http'

/**
 * 96 MB. A body is held twice (bytes, then text), and base64 makes a file a third larger, so this carries a file of
 * about 70 MB. Chats may be larger: the window sends them in pieces (`transfer.begin`).
 */
export const MAX_BODY_BYTES = 96 * 1024 * 1024

export type Body = { kind: 'json'; value: unknown } | { kind: 'too-large' } | { kind: 'not-json' }

/** Reads a JSON body within bounds. Rejects only when the connection breaks. */
export async function readBody(request: IncomingMessage, maxBytes: number = MAX_BODY_BYTES): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return { kind: 'too-large' }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (!(chunk instanceof Uint8Array)) continue
    size += chunk.length
    if (size > maxBytes) return { kind: 'too-large' }
    chunks.push(chunk)
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
    return { kind: 'json', value: JSON.parse(text) }
  } catch {
    return { kind: 'not-json' }
  }
}
