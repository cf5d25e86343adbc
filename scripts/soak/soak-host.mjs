import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { projectNode, ROOT } from '../bootstrap/project-node.mjs'

const TOKEN = 'soak-0123456789abcdef0123'
const START_LIMIT_MS = 60_000

/** A port that is free now. The same one serves every life of the app, so that open windows find it again. */
export async function freePort() {
  const server = createServer()
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address()
  await new Promise((done) => server.close(done))
  return port
}

/** One life of the built web host. Rejects when it ends, or says nothing for a minute, before it is ready. */
export async function startLife({ data, port }) {
  const args = [join(ROOT, 'out/main/serve.js'), '--port', String(port), '--token', TOKEN, '--data', data]
  const child = spawn(projectNode(), args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let words = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    words = (words + text).slice(-4000)
  })
  let exit
  const ended = new Promise((done) =>
    child.on('exit', (code, signal) => {
      exit = { code, signal }
      done(exit)
    }),
  )
  const ready = new Promise((done) => createInterface({ input: child.stdout }).once('line', done))
  const failed = ended.then((how) => {
    throw new Error(`The app did not start (${JSON.stringify(how)}): ${words}`)
  })
  const late = pause(START_LIMIT_MS, undefined, { ref: false }).then(() => {
    throw new Error(`The app was not ready after ${START_LIMIT_MS / 1000} s: ${words}`)
  })
  failed.catch(() => {})
  late.catch(() => {})
  try {
    await Promise.race([ready, failed, late])
  } catch (error) {
    endGroup(child, 'SIGKILL')
    throw error
  }
  const url = `http://127.0.0.1:${port}/`
  return {
    page: `${url}#token=${TOKEN}`,
    /** `{ok, value}` or `{ok: false, error}`; rejects when the connection broke, as it does at a kill. */
    async call(name, input = {}) {
      const response = await fetch(new URL('api/call', url), {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name, input }),
      })
      return response.json()
    },
    /** How it ended by itself; undefined while it runs. */
    exited: () => exit,
    words: () => words,
    async kill() {
      endGroup(child, 'SIGKILL')
      await ended
    },
    async stop() {
      child.kill('SIGTERM')
      const how = await Promise.race([ended, pause(30_000, undefined, { ref: false })])
      if (!how) endGroup(child, 'SIGKILL')
      return how
    },
  }
}

/** Its helpers go with it. */
function endGroup(child, signal) {
  try {
    process.kill(-child.pid, signal)
  } catch {
    child.kill(signal)
  }
}
