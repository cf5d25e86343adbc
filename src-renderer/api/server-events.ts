export interface ServerEvent {
  id: string
  data: string
}

/** Reads a `text/event-stream` body: one value per event with data, comments and other fields skipped. */
export async function* readServerEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const frames = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/)
      rest = frames.pop() ?? ''
      for (const frame of frames) {
        const event = parseFrame(frame)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function parseFrame(frame: string): ServerEvent | null {
  let id = ''
  const data: string[] = []
  for (const line of frame.split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon <= 0) continue
    const value = line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (line.startsWith('id')) id = value
    if (line.startsWith('data')) data.push(value)
  }
  return data.length ? { id, data: data.join('\n') } : null
}
