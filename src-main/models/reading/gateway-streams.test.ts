import { afterEach, expect, it } from 'vitest'
import { collectParts, noFiles, request, rig, says, textOf } from '../../testing/model-client-rig'
import { startServer, type TemplateServer } from '../../testing/template-servers'

let server: TemplateServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function ask(body: string) {
  server = await startServer(
    (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body),
    '/v1',
  )
  const { client, target } = rig('openai-compatible', server.baseUrl)
  const tools = [{ id: 't', name: 'weather', description: '', schema: { type: 'object' } }]
  const asked = request([says('user', 'Weather?')], { tools, toolChoice: 'auto' })
  const signal = new AbortController().signal
  return collectParts(client.stream(asked, await target('m'), { signal, readFile: noFiles }))
}

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const chunk = (delta: unknown, finish: unknown = null) => ({ choices: [{ index: 0, delta, finish_reason: finish }] })
const KEEP = 'Do not delete 潮水 it.'
const END = `${data(chunk({}, 'stop'))}data: [DONE]\n\n`
const FINISHED = { type: 'finish', reason: 'stop' }

it.each<[string, unknown]>([
  ['in a field of the gateway’s own', { result: chunk({ content: KEEP }) }],
  ['beside other fields', { request_id: 'r', usage: null, output: chunk({ content: KEEP }) }],
  ['as a whole message in there', { output: { choices: [{ message: { content: KEEP }, finish_reason: 'null' }] } }],
  ['with choices by number', { choices: { 0: { delta: { content: KEEP } } } }],
])('a chunk %s is read', async (_name, event) => {
  const parts = await ask(data(event) + END)
  expect(textOf(parts)).toBe(KEEP)
  expect(parts.at(-1)).toMatchObject(FINISHED)
})

it.each(['data: "[DONE]"', 'data: [DONE] bye', 'data: [ done ]'])('%s ends an answer', async (end) => {
  const parts = await ask(`${data(chunk({ content: KEEP }, 'stop'))}${end}\n\n`)
  expect(parts.filter(({ type }) => type !== 'text')).toEqual([expect.objectContaining(FINISHED)])
})

it('an answer nothing of which could be read says so', async () => {
  const parts = await ask(data({ answer: { segments: [{ words: KEEP }] } }) + END)
  expect(parts.filter(({ type }) => type === 'note')).toHaveLength(1)
})

it('arguments that are sent anew with every piece are those of the last one', async () => {
  const piece = (text: string) =>
    data(chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'weather', arguments: text } }] }))
  const parts = await ask(
    piece('{"city":') + piece('{"city":"Ulm"') + piece('{"city":"Ulm"}') + data(chunk({}, 'tool_calls')),
  )
  expect(parts).toContainEqual(expect.objectContaining({ type: 'tool-call', arguments: { city: 'Ulm' } }))
})

it('thoughts in <thought>, as Gemini’s compatible address writes them, are no answer', async () => {
  const parts = await ask(
    data(chunk({ content: '<thou' })) + data(chunk({ content: `ght>Hmm.</thought>${KEEP}` })) + END,
  )
  expect(textOf(parts)).toBe(KEEP)
  expect(parts).toContainEqual(expect.objectContaining({ type: 'reasoning', text: 'Hmm.' }))
})
