import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../../e2e/support/model-server'
import { SOURCE_HOOK } from '../ipc/thread'
import { runningApp } from '../testing/running-app'
import { connectModel, HOSTILE, ToolRig } from '../testing/tool-rig'

const CHILD = fileURLToPath(new URL('../testing/app-crash-child.ts', import.meta.url))

/** The bundler reads JSON as a module; Node wants to be told so. */
const JSON_HOOK = `data:text/javascript,${encodeURIComponent(`
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
registerHooks({ load(url, context, next) {
  if (!url.endsWith('.json') || url.includes('/node_modules/')) return next(url, context)
  return { format: 'module', shortCircuit: true, source: 'export default ' + readFileSync(new URL(url), 'utf8') }
} })`)}`
const FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--experimental-transform-types',
  '--import',
  SOURCE_HOOK,
  '--import',
  JSON_HOOK,
]

interface Told {
  ready?: true
  id?: number
  reply?: { ok: boolean; value?: unknown }
  event?: { name: string; payload: Record<string, unknown> }
}

/** The app in a process of its own, which can be killed. */
class AppProcess {
  readonly told: Told[] = []
  private last = 0
  private constructor(private readonly child: ChildProcess) {}

  static async start(folder: string): Promise<AppProcess> {
    const child = spawn(process.execPath, [...FLAGS, CHILD, folder], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    const app = new AppProcess(child)
    let trouble = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      trouble += chunk.toString()
    })
    child.on('message', (message) => app.told.push(message as Told))
    const ended = new Promise<never>((_resolve, reject) =>
      child.once('exit', (code) => reject(new Error(`The app ended with ${code}: ${trouble.slice(0, 2000)}`))),
    )
    ended.catch(() => undefined)
    await Promise.race([app.until((told) => told.ready === true), ended])
    return app
  }

  async until(holds: (told: Told) => boolean): Promise<Told> {
    for (;;) {
      const found = this.told.find(holds)
      if (found) return found
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async call(name: string, input: unknown): Promise<unknown> {
    this.last += 1
    const id = this.last
    this.child.send({ id, name, input })
    const { reply } = await this.until((told) => told.id === id)
    return reply?.value
  }

  event(name: string, passes: (payload: Record<string, unknown>) => boolean): Promise<Told> {
    return this.until(({ event }) => event?.name === name && passes(event.payload))
  }

  kill(): Promise<void> {
    return new Promise((resolve) => {
      this.child.once('exit', () => resolve())
      this.child.kill('SIGKILL')
    })
  }
}

let server: ModelServer
let rig: ToolRig
let folder: string
let counter: string
beforeEach(async () => {
  server = await startModelServer()
  folder = mkdtempSync(join(tmpdir(), 'strata-crash-'))
  counter = join(folder, 'ran.txt')
  rig = new ToolRig(server, await runningApp(folder))
  await connectModel(rig.app, server.url)
  await rig.addServer(HOSTILE, 'test', ['plain', counter])
})
afterEach(() => rig.close())

const two = {
  toolCalls: [
    { id: 'finished', name: 'once', arguments: {} },
    { id: 'open', name: 'hang', arguments: {} },
  ],
}
const runs = () => (existsSync(counter) ? readFileSync(counter, 'utf8').match(/ran/g)?.length : 0)

/** A turn killed while one of its two calls has ended and the other has not. */
async function crashInMidLoop(): Promise<{ sessionId: string; replyMessageId: string }> {
  const sessionId = await rig.session()
  await rig.allow(sessionId, 'once', 'hang')
  await rig.app.app.close()
  const app = await AppProcess.start(folder)
  server.answer(two)
  const sent = (await app.call('turns.send', { sessionId, text: 'go' })) as { replyMessageId: string }
  const isCall = (callId: string, state: string) => (payload: Record<string, unknown>) =>
    (payload.call as { callId: string }).callId === callId && payload.state === state
  await app.event('turn.tool', isCall('finished', 'completed'))
  await app.event('turn.tool', isCall('open', 'running'))
  await app.kill()
  rig.app = await runningApp(folder)
  return { sessionId, replyMessageId: sent.replyMessageId }
}

test('killed in mid-loop: the answer is kept, and Continue runs only the call that had not ended', {
  timeout: 60_000,
}, async () => {
  const { sessionId, replyMessageId } = await crashInMidLoop()
  const { messages } = await rig.app.call('sessions.get', { sessionId })
  expect(messages.at(-1)).toMatchObject({ id: replyMessageId, state: 'interrupted' })
  expect(await rig.part(sessionId, 'finished')).toMatchObject({ state: 'completed' })
  expect(await rig.part(sessionId, 'open')).not.toHaveProperty('result')
  expect(await rig.app.call('tools.pending', {})).toEqual([])
  expect(runs()).toBe(1)

  // It is allowed without asking, and yet it is asked about: it may have run already.
  server.answer({ text: 'Both are known.' })
  const { turnId } = await rig.app.call('turns.continue', { sessionId, messageId: replyMessageId })
  const asked = await rig.app.event('turn.approval', (payload) => payload.turnId === turnId)
  expect(asked).toMatchObject({ callId: 'open', interrupted: true })
  expect(await rig.part(sessionId, 'open')).toMatchObject({ state: 'interrupted' })
  expect(await rig.app.call('tools.pending', {})).toEqual([asked])
  await rig.app.call('tools.answer', { requestId: asked.requestId, decision: 'deny', note: 'look first' })
  expect(await rig.ended(turnId)).toBe('done')
  expect(runs()).toBe(1)
  expect(server.requests).toHaveLength(2)
  expect(rig.results()).toEqual([
    expect.stringContaining('ran'),
    expect.stringMatching(/may have had its effects or not.*look first/),
  ])
  expect(await rig.part(sessionId, 'open')).toMatchObject({ state: 'interrupted', note: 'look first' })
  const last = (await rig.app.call('sessions.get', { sessionId })).messages.at(-1)
  expect(last?.parts.map((part) => part.type)).toEqual(['tool', 'tool', 'round', 'text'])
  expect(last?.text).toBe('Both are known.')
})

test('killed while it is asked about, it is asked about again; stopped then, the model is told', {
  timeout: 60_000,
}, async () => {
  const { sessionId, replyMessageId } = await crashInMidLoop()
  await rig.app.app.close()
  const killed = await AppProcess.start(folder)
  await killed.call('turns.continue', { sessionId, messageId: replyMessageId })
  await killed.event('turn.approval', (payload) => payload.interrupted === true)
  await killed.kill()
  rig.app = await runningApp(folder)
  const { turnId } = await rig.app.call('turns.continue', { sessionId, messageId: replyMessageId })
  expect(await rig.app.event('turn.approval', (payload) => payload.turnId === turnId)).toHaveProperty('interrupted')
  await rig.app.call('turns.stop', { turnId })
  server.answer({ text: 'Fine.' })
  await rig.ended((await rig.app.call('turns.continue', { sessionId, messageId: replyMessageId })).turnId)
  expect(rig.results()[1]).toMatch(/may have had its effects or not/)
  expect(runs()).toBe(1)
})

test('run again on a person’s word, it runs', { timeout: 60_000 }, async () => {
  const { sessionId, replyMessageId } = await crashInMidLoop()
  const { turnId } = await rig.app.call('turns.regenerate', { sessionId, messageId: replyMessageId })
  const { requestId } = await rig.app.event('turn.approval', (payload) => payload.turnId === turnId)
  await rig.app.call('tools.answer', { requestId, decision: 'once' })
  await rig.app.event('turn.tool', (payload) => payload.turnId === turnId && payload.state === 'running')
  await rig.app.call('turns.stop', { turnId })
  expect(runs()).toBe(1)
})

test('retrying it as a new answer keeps the finished result too', { timeout: 60_000 }, async () => {
  const { sessionId, replyMessageId } = await crashInMidLoop()
  server.answer({ text: 'Again.' })
  const { turnId } = await rig.app.call('turns.regenerate', { sessionId, messageId: replyMessageId })
  const { requestId } = await rig.app.event('turn.approval', (payload) => payload.turnId === turnId)
  await rig.app.call('tools.answer', { requestId, decision: 'deny' })
  expect(await rig.ended(turnId)).toBe('done')
  expect(runs()).toBe(1)
  expect(rig.results()[0]).toContain('ran')
})

test('a failed answer keeps its finished results when it is retried', async () => {
  const sessionId = await rig.session()
  await rig.allow(sessionId, 'once')
  server.answer(
    { toolCalls: [{ id: 'a', name: 'once', arguments: {} }] },
    { error: { status: 400, message: 'The model is overloaded.' } },
    { text: 'Now.' },
  )
  const first = await rig.send(sessionId)
  expect(await rig.ended(first.turnId)).toMatchObject({ code: 'model.rejected' })
  const again = await rig.app.call('turns.regenerate', { sessionId, messageId: first.replyMessageId })
  expect(await rig.ended(again.turnId)).toBe('done')
  expect(runs()).toBe(1)
  expect(rig.results()).toHaveLength(1)
})
