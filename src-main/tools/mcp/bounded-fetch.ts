/** One answer, or one line of an event stream, may be this long. */
const MOST_BYTES = 64 * 1024 * 1024

/** `fetch` whose answers end when they pile up more than a limit without an end in sight. */
export function boundedFetch(mostBytes: number = MOST_BYTES): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (!response.ok || response.body === null) return response
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false
    let bytes = 0
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, control) {
        const end = isStream ? chunk.lastIndexOf(10) : -1
        bytes = end === -1 ? bytes + chunk.length : chunk.length - end - 1
        if (bytes > mostBytes) control.error(new Error(`The server sent more than ${mostBytes} bytes in one message.`))
        else control.enqueue(chunk)
      },
    })
    const { status, statusText, headers } = response
    const bounded = new Response(response.body.pipeThrough(bound), { status, statusText, headers })
    // The SDK resolves redirects against it.
    Object.defineProperty(bounded, 'url', { value: response.url })
    return bounded
  }
}
