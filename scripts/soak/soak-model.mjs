import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** Every message of the soak carries one of these: it tells messages apart in the store and on the wire. */
export const TOKEN = /\bsoak-[a-z]+-\d+\b/g

export function lastUserText(messages = []) {
  const content = messages.findLast((message) => message.role === 'user')?.content
  return typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n')
}

/**
 * A model server that answers in small pieces, remembers when each piece left, and counts how often each message was
 * the newest one of a request.
 */
export async function startModel(random) {
  const asked = new Map()
  const answers = new Map()
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })

  async function handle(request, response) {
    let text = ''
    for await (const chunk of request) text += chunk
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'soak', object: 'model', context_length: 32768 }] }))
      return
    }
    const token = lastUserText(JSON.parse(text).messages).match(TOKEN)?.at(-1)
    if (token) asked.set(token, (asked.get(token) ?? 0) + 1)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    await stream(response, token)
  }

  async function stream(response, token) {
    const pieces = []
    if (token) answers.set(token, pieces)
    const send = (delta, finish = null) =>
      response.write(`data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`)
    const count = random.between(3, 60)
    let sent = 0
    for (let at = 0; at < count && !response.destroyed; at += 1) {
      const piece = `${at} ${'tide '.repeat(random.between(1, 30))}`
      send({ content: piece })
      sent += piece.length
      pieces.push({ at: Date.now(), length: sent })
      await pause(random.between(2, 60))
    }
    if (response.destroyed) return
    send({}, 'stop')
    response.end('data: [DONE]\n\n')
  }

  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    /** Requests in which a message was the newest, by its token. */
    asked,
    /** What was sent for a message's answer: `{at, length}` of the text so far, by the message's token. */
    answers,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
