import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, it } from 'vitest'
import { noFiles, request, rig, says } from '../src-main/testing/model-client-rig'

/** Pieces of one answer, as a quick model sends them: a few words each. */
const PIECES = 3000
const ROUNDS = 21
const WARM = 5

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`
const piece = (delta: object, finish: string | null = null) =>
  data({
    id: 'chatcmpl-0123456789',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'm',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  })
const END = `${piece({}, 'stop')}data: [DONE]\n\n`

const BODIES: Record<string, string> = {
  short: piece({ role: 'assistant', content: 'Good' }) + END,
  long: Array.from({ length: PIECES }, (_, n) => piece({ content: ` word ${n}` })).join('') + END,
}

const server = createServer((asked, response) => {
  asked.resume()
  asked.on('end', () => {
    const body = BODIES[asked.url?.includes('long') ? 'long' : 'short'] ?? ''
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(body)
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Milliseconds until the first text and until the end of one answer, and of CPU time for all of it. */
async function answer(path: string): Promise<{ first: number; whole: number; cpu: number; characters: number }> {
  const { client, target } = rig('openai-compatible', `${origin}/${path}/v1`)
  const to = await target('m')
  const began = performance.now()
  const cpuBefore = process.cpuUsage()
  let first = 0
  let characters = 0
  const options = { signal: new AbortController().signal, readFile: noFiles }
  for await (const part of client.stream(request([says('user', 'Hello')]), to, options)) {
    if (part.type !== 'text') continue
    if (first === 0) first = performance.now() - began
    characters += part.text.length
  }
  const { user, system } = process.cpuUsage(cpuBefore)
  return { first, whole: performance.now() - began, cpu: (user + system) / 1000, characters }
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

it.each(['short', 'long'])('an answer: %s', async (path) => {
  const runs: Awaited<ReturnType<typeof answer>>[] = []
  for (let round = 0; round < ROUNDS + WARM; round += 1) {
    const run = await answer(path)
    if (round >= WARM) runs.push(run)
  }
  const pieces = path === 'long' ? PIECES : 1
  const first = median(runs.map((run) => run.first)).toFixed(2)
  const whole = median(runs.map((run) => run.whole)).toFixed(2)
  const cpu = median(runs.map((run) => run.cpu)).toFixed(2)
  console.log(
    `${pieces} pieces, ${runs[0]?.characters} characters: first text ${first} ms, whole ${whole} ms, CPU ${cpu} ms (medians)`,
  )
})
