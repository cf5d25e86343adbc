import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './support/launch-app'
import { startServer } from './support/running-hosts'

test('the app opens its window, answers calls and stops in order', async ({ app, host }) => {
  await expect(app.page).toHaveTitle(/Strata/)
  await expect(app.page.locator('#root')).not.toBeEmpty()
  const opened = await app.call('app.info', {})
  expect(opened).toMatchObject({ host, dataDir: app.dataDir })
  expect(await app.restart()).toBe(0)
  expect((await app.call('app.info', {})).version).toBe(opened.version)
})

test('a call nobody knows and a field nobody knows are refused with their code', async ({ app }) => {
  expect(await app.reply('nobody.knows', {})).toMatchObject({ ok: false, error: { code: 'bad_input' } })
  const reply = await app.reply('app.info', { surprise: 1 })
  expect(reply).toMatchObject({ ok: false, error: { code: 'bad_input', details: { path: 'surprise' } } })
})

test('the page reaches the app and nothing of the machine behind it', async ({ app }) => {
  const reach = await app.page.evaluate(() => ({
    require: typeof Reflect.get(window, 'require'),
    process: typeof Reflect.get(window, 'process'),
    bridge: Object.keys(Reflect.get(window, 'strata') ?? {}).sort(),
    cookies: document.cookie,
    address: location.href,
  }))
  expect(reach).toMatchObject({ require: 'undefined', process: 'undefined', cookies: '' })
  expect(reach.bridge).toEqual(app.host === 'desktop' ? ['call', 'on'] : [])
  expect(reach.address).not.toContain('token')
})

test('inline scripts do not run', async ({ app }) => {
  const ran = await app.page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'window.ranInline = true'
    document.head.append(script)
    return Reflect.get(window, 'ranInline') ?? false
  })
  expect(ran).toBe(false)
  // the refusal is what this test asks for
  app.problems.length = 0
})

test('a second start on the same folder names the first and ends with 2', async ({ app }) => {
  const second = await startServer({ dataDir: app.dataDir }).catch((error: Error & { code?: number }) => error)
  if (!(second instanceof Error)) {
    second.child.kill('SIGKILL')
    throw new Error('The second start was let in.')
  }
  expect(second).toMatchObject({ code: 2, message: expect.stringMatching(/in use by process \d+/) })
})

test('kill -9 leaves a folder that opens again', async ({ app }) => {
  await app.kill()
  await app.restart()
  expect(await app.call('app.info', {})).toMatchObject({ dataDir: app.dataDir })
})

test('the data folder holds a log without secrets, for this account only', async ({ app }) => {
  const connection = { name: 'home', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1' } as const
  await app.call('connections.save', { ...connection, apiKey: 'sk-very-secret-0001' })
  await app.restart()
  const log = join(app.dataDir, 'logs/strata.log')
  expect(existsSync(log)).toBe(true)
  expect(readFileSync(log, 'utf8')).not.toContain('very-secret')
  if (process.platform !== 'win32') expect(statSync(log).mode & 0o077).toBe(0)
})
