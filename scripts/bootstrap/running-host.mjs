import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { projectNode, ROOT } from './project-node.mjs'

/** The web host on that folder; resolves with its address and token once it is ready. */
export async function startHost(data) {
  const args = [join(ROOT, 'out/main/serve.js'), '--port', '0', ...(data ? ['--data', data] : [])]
  const child = spawn(projectNode(), args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((done) => child.on('exit', done))
  const ready = new Promise((done) => createInterface({ input: child.stdout }).once('line', done))
  const line = await Promise.race([ready, ended.then((code) => Promise.reject(new Error(`The app ended (${code}).`)))])
  const host = JSON.parse(line)
  return {
    data: host.data,
    page: `${host.url}#token=${host.token}`,
    async call(name, input) {
      const response = await fetch(new URL('/api/call', host.url), {
        method: 'POST',
        headers: { authorization: `Bearer ${host.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name, input }),
      })
      const reply = await response.json()
      if (!reply.ok) throw new Error(reply.error?.message ?? `${name} was answered with ${response.status}.`)
      return reply.value
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
