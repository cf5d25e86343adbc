// A server whose tools stand in a file and change with it, for tests. What is called is written down beside it.
import { appendFileSync, readFileSync, watchFile } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , path = ''] = process.argv
const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)
const answer = (id, result) => write({ jsonrpc: '2.0', id, result })
const listed = () => JSON.parse(readFileSync(path, 'utf8'))

watchFile(path, { interval: 30 }, () => write({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }))

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (method === 'initialize') {
      const capabilities = { tools: { listChanged: true } }
      const { protocolVersion } = params
      answer(id, { protocolVersion, capabilities, serverInfo: { name: 'changing', version: '1' } })
    } else if (method === 'tools/list') answer(id, { tools: listed() })
    else if (method === 'tools/call') {
      const tool = listed().find(({ name }) => name === params.name)
      appendFileSync(
        `${path}.calls`,
        `${JSON.stringify({ description: tool?.description, given: params.arguments })}\n`,
      )
      answer(id, { content: [{ type: 'text', text: `ran: ${tool?.description}` }] })
    } else if (id !== undefined) answer(id, {})
  })
  .on('close', () => process.exit(0))
