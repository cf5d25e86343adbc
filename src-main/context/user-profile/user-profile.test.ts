import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { connectModel } from '../../../e2e/support/connect-model'
import { type ModelServer, startModelServer } from '../../../e2e/support/model-server'
import { SOURCE_HOOK } from '../../ipc/thread'
import { runningApp, type TestApp } from '../../testing/running-app'

let server: ModelServer
let app: TestApp

async function prepare(): Promise<void> {
  await connectModel(app, server)
  await app.call('settings.update', {
    patch: { recentConversations: { minUserTurns: 1, minIntervalMinutes: 0 } },
  })
}
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-30T12:00:00Z') })
  server = await startModelServer()
  app = await runningApp()
  await prepare()
})
afterEach(async () => {
  vi.useRealTimers()
  await app.close()
  await server.close()
})

async function say(sessionId: string, text: string): Promise<void> {
  const { turnId } = await app.call('turns.send', { sessionId, text })
  await app.event('turn.done', (payload) => payload.turnId === turnId)
}
const states = async (kind: string) =>
  (await app.call('jobs.list', { state: 'all' })).filter((job) => job.kind === kind).map((job) => job.state)
const settled = (kind: string, ...wanted: string[]) =>
  expect.poll(() => states(kind), { timeout: 10_000 }).toEqual(wanted)
const profile = () => app.call('user-profile.get', {})
const statements = async () => (await profile()).facts.map((fact) => fact.statement)
const proposal = (...facts: Record<string, unknown>[]) => ({ text: JSON.stringify({ overview: 'A picture.', facts }) })
const later = (hours: number) => vi.setSystemTime(Date.now() + hours * 3_600_000)

test('once a calendar day, merged instead of rewritten, each change a diff that can be reverted', async () => {
  const { id } = await app.call('sessions.create', {})
  server.answer({ text: 'a' }, { text: 'Summary one.' }, proposal({ category: 'work', statement: 'Gardens.' }))
  await say(id, 'one')
  await settled('profile', 'done')
  server.answer({ text: 'b' }, { text: 'Summary two.' })
  later(1)
  await say(id, 'two')
  await settled('summary', 'done', 'done')
  await settled('profile', 'done')
  const known = (await profile()).facts[0]
  later(24)
  server.answer(
    { text: 'c' },
    { text: 'Summary three.' },
    proposal(
      { category: 'work', statement: 'gardens' },
      { category: 'people', statement: 'Has a sister.' },
      { category: 'work', statement: 'Cooks.', replaces: 'nobody' },
    ),
  )
  await say(id, 'three')
  await settled('profile', 'done', 'done')
  expect(await statements()).toEqual(['Gardens.', 'Has a sister.', 'Cooks.'])
  expect((await profile()).facts[0]).toMatchObject({ id: known?.id, evidenceCount: 2, firstSeen: known?.firstSeen })
  const [newest] = (await profile()).changes
  expect(newest?.before.facts).toHaveLength(1)
  await app.call('user-profile.revert', { changeId: newest?.id ?? '' })
  expect(await statements()).toEqual(['Gardens.'])
  expect(await app.app.call('user-profile.revert', { changeId: newest?.id ?? '' })).toMatchObject({
    error: { code: 'conflict' },
  })
})

test('an edit while the model writes wins, and the same day nothing generated touches it', async () => {
  const { id } = await app.call('sessions.create', {})
  server.answer({ text: 'a' }, { text: 'Summary.' }, { ...proposal({ statement: 'Generated.' }), holdAfter: 1 })
  await say(id, 'one')
  await expect.poll(() => server.requests.length, { timeout: 5_000 }).toBe(3)
  await app.call('user-profile.save', { overview: 'By hand.', facts: [{ category: 'work', statement: 'Mine.' }] })
  server.release()
  await settled('profile', 'done')
  expect(await profile()).toMatchObject({ overview: 'By hand.', facts: [{ statement: 'Mine.' }] })
  server.answer({ text: 'b' }, { text: 'Summary again.' })
  await say(id, 'two')
  await settled('summary', 'done', 'done')
  await settled('profile', 'done')
  later(24)
  server.answer({ text: 'c' }, { text: 'Third.' }, proposal({ category: 'work', statement: 'New.' }))
  await say(id, 'three')
  await settled('profile', 'done', 'done')
  expect(await statements()).toEqual(['Mine.', 'New.'])
})

test('switched off in mid-job nothing is written; a failure is shown and the turn goes on', async () => {
  const { id } = await app.call('sessions.create', {})
  server.answer({ text: 'a' }, { text: 'Summary.' }, { ...proposal({ statement: 'Generated.' }), holdAfter: 1 })
  await say(id, 'one')
  await expect.poll(() => server.requests.length, { timeout: 5_000 }).toBe(3)
  await app.call('settings.update', { patch: { userProfile: { enabled: false } } })
  server.release()
  await settled('profile', 'cancelled')
  expect(await profile()).toMatchObject({ overview: '', facts: [], changes: [] })
  expect((await profile()).lastError).toBeUndefined()
  await app.call('settings.update', { patch: { userProfile: { enabled: true } } })
  server.answer({ text: 'b' }, { text: 'Summary.' }, { text: 'no JSON here' })
  await say(id, 'two')
  await settled('profile', 'waiting', 'cancelled')
  expect((await profile()).lastError).toContain('JSON')
})

test('what one server answered is not told to another one, unless a model was chosen for such work', async () => {
  const remote = await startModelServer()
  onTestFinished(() => remote.close())
  remote.models = [{ id: 'remote-model', contextWindow: 32_768 }]
  const connection = await app.call('connections.save', {
    name: 'Remote',
    kind: 'openai-compatible',
    baseUrl: `${remote.url}/v1`,
    apiKey: 'k',
  })
  const [model] = await app.call('models.refresh', { connectionId: connection.id })
  await app.call('settings.update', { patch: { userProfile: { daily: false } } })
  const local = await app.call('sessions.create', {})
  const away = await app.call('sessions.create', { modelId: model?.id ?? '' })
  server.answer({ text: 'a' }, { text: 'Local canary.' })
  await say(local.id, 'one')
  await settled('summary', 'done')
  later(1)
  remote.answer({ text: 'b' }, { text: 'Told far away.' }, proposal({ category: 'work', statement: 'Gardens.' }))
  await say(away.id, 'two')
  await settled('summary', 'done', 'done')
  await app.call('settings.update', { patch: { recentConversations: { enabled: false } } })
  await app.call('user-profile.generate', {})
  await settled('profile', 'done')
  expect(JSON.stringify(remote.requests.at(-1)?.body)).toContain('Told far away.')
  expect(JSON.stringify(remote.requests.at(-1)?.body)).not.toContain('canary')
  remote.answer(proposal({ category: 'work', statement: 'Cooks.' }))
  await app.call('settings.update', { patch: { general: { backgroundModelId: model?.id ?? '' } } })
  await app.call('user-profile.generate', {})
  await settled('profile', 'done', 'done')
  expect(JSON.stringify(remote.requests.at(-1)?.body)).toContain('Local canary.')
})

const CHILD = fileURLToPath(new URL('../../testing/app-crash-child.ts', import.meta.url))
/** Node wants to be told that JSON is a module; the bundler knows. */
const JSON_HOOK = `data:text/javascript,${encodeURIComponent(`
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
registerHooks({ load(url, context, next) {
  if (!url.endsWith('.json') || url.includes('/node_modules/')) return next(url, context)
  return { format: 'module', shortCircuit: true, source: 'export default ' + readFileSync(new URL(url), 'utf8') }
} })`)}`

function startChild(folder: string): ChildProcess {
  const flags = ['--disable-warning=ExperimentalWarning', '--experimental-transform-types']
  const hooks = ['--import', SOURCE_HOOK, '--import', JSON_HOOK]
  return spawn(process.execPath, [...flags, ...hooks, CHILD, folder], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
}

test('killed with kill -9 while the model writes a summary: the job goes on at the next start', {
  timeout: 60_000,
}, async () => {
  vi.useRealTimers()
  await app.call('settings.update', { patch: { userProfile: { enabled: false } } })
  const { id } = await app.call('sessions.create', { title: 'Work' })
  const folder = app.dataDir
  await app.app.close()
  server.answer({ text: 'a' }, { text: 'Never finished.', holdAfter: 1 })
  const child = startChild(folder)
  const ended = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))
  child.on('message', (told: { ready?: true }) => {
    if (told.ready) child.send({ id: 1, name: 'turns.send', input: { sessionId: id, text: 'I am a gardener.' } })
  })
  await expect.poll(() => server.requests.length, { timeout: 40_000 }).toBe(2)
  child.kill('SIGKILL')
  expect(await ended).toBe('SIGKILL')
  server.release()
  server.answer({ text: 'The whole summary.' })
  app = await runningApp(folder)
  await settled('summary', 'done')
  expect((await app.call('recent-conversations.list', {})).map((summary) => summary.text)).toEqual([
    'The whole summary.',
  ])
  expect((await app.call('jobs.list', { state: 'all' }))[0]?.attempts).toBe(2)
})
