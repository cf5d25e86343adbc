import { createServer, type Server, type ServerResponse } from 'node:http'

export interface Callback {
  /** Where the browser comes back to. */
  redirectUrl: string
  /** Rejects when the person or the server says no, or when it is closed. */
  code: Promise<string>
  close(): void
}

const PATH = '/signed-in'

/** Seen in the browser, outside the app's own pages. */
const PAGES = {
  done: [
    'You are signed in. You can close this page and go back to Strata.',
    '登录完成。可以关闭此页面，回到 Strata。',
  ],
  refused: ['The sign-in did not succeed. Go back to Strata and try again.', '登录未成功。请回到 Strata 重试。'],
} as const

function show(response: ServerResponse, page: keyof typeof PAGES, language: string): void {
  const chinese = /^zh\b/i.test(language)
  const [lang, words] = chinese ? ['zh-CN', PAGES[page][1]] : ['en', PAGES[page][0]]
  response.writeHead(page === 'done' ? 200 : 400, {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    'Referrer-Policy': 'no-referrer',
    Connection: 'close',
  })
  response.end(
    `<!doctype html><html lang="${lang}"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Strata</title><body style="font: 16px system-ui; margin: 20vh auto; max-width: 32em; padding: 0 1em">${words}`,
  )
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}

/** Waits on loopback for a browser that brings back `state`. `wanted` is the port of last time, where it is free. */
export async function openCallback(state: string, wanted: number): Promise<Callback> {
  const { promise: code, resolve, reject } = Promise.withResolvers<string>()
  // Somebody may close it before anybody waits.
  code.catch(() => undefined)
  let host = ''
  const server = createServer((request, response) => {
    const url = URL.canParse(request.url ?? '', 'http://127.0.0.1')
      ? new URL(request.url ?? '', 'http://127.0.0.1')
      : null
    const language = request.headers['accept-language'] ?? ''
    if (request.method !== 'GET' || request.headers.host !== host || url?.pathname !== PATH)
      return void response.writeHead(404, { Connection: 'close' }).end()
    // Another page that guesses the address cannot guess this; what it brings is not looked at.
    if (url.searchParams.get('state') !== state) return show(response, 'refused', language)
    const given = url.searchParams.get('code')
    if (given) {
      show(response, 'done', language)
      resolve(given)
      return
    }
    show(response, 'refused', language)
    const { searchParams } = url
    reject(new Error(searchParams.get('error_description') ?? searchParams.get('error') ?? 'No code came back.'))
  })
  const port = await listen(server, wanted).catch(() => listen(server, 0))
  host = `127.0.0.1:${port}`
  return {
    redirectUrl: `http://${host}${PATH}`,
    code,
    close() {
      reject(new Error('The sign-in was stopped.'))
      server.close()
    },
  }
}
