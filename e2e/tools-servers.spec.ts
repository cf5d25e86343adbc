import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { expect, test } from './support/launch-app'
import type { ModelServer } from './support/model-server'
import { answersEnd, goTo, lastRequest, openChat, readyToChat, say } from './support/window-steps'

const ROOT = join(import.meta.dirname, '..')
const EVERYTHING = join(ROOT, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')
const HOSTILE = join(ROOT, 'src-main/tools/hostile-mcp-server.mjs')

const configuration = (script: string): string =>
  JSON.stringify({ mcpServers: { pier: { command: process.execPath, args: [script, 'stdio'] } } })

async function pasteServer(page: Page, script: string): Promise<void> {
  await goTo(page, 'Tools')
  await page.getByRole('button', { name: 'Add servers' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add servers' })
  await dialog.getByRole('textbox', { name: 'Configuration' }).fill(configuration(script))
  await expect(dialog.getByRole('list', { name: 'What was found' })).toContainText('pier')
  await dialog.getByRole('button', { name: 'Add 1 server' }).click()
  await expect(dialog).toBeHidden({ timeout: 20_000 })
  await expect(page.getByRole('heading', { name: 'pier' })).toBeVisible()
}

const call = (name: string, given: unknown, id = 'call-1') => ({ toolCalls: [{ id, name, arguments: given }] })
const card = (page: Page, tool: string) => page.getByRole('region', { name: new RegExp(`Tool call: ${tool}`) })

/** What tools answered, as the newest request carries it. */
function toolResults(server: ModelServer): string {
  const body = server.requests.at(-1)?.body as { messages?: { role: string; content: unknown }[] } | undefined
  return JSON.stringify((body?.messages ?? []).filter((message) => message.role === 'tool'))
}

test('a server is added by pasting its JSON, and one call is approved once', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  await app.call('sessions.create', { title: 'Tide' })
  await pasteServer(app.page, EVERYTHING)
  await expect(app.page.getByRole('table', { name: 'Tools' })).toContainText('echo')

  await openChat(app.page, 'Tide')
  await expect(app.page.getByRole('button', { name: /^\d+ tools$/ })).toBeVisible()
  modelServer.answer(call('echo', { message: 'high tide' }), { text: 'It said so.' })
  await say(app.page, 'Echo high tide')
  await expect(card(app.page, 'echo')).toContainText('high tide')
  expect(modelServer.requests).toHaveLength(1)
  await card(app.page, 'echo').getByRole('button', { name: 'Allow once' }).click()
  await expect(app.page.getByRole('log').getByText('It said so.')).toBeVisible()
  expect(toolResults(modelServer)).toContain('high tide')
  await expect(card(app.page, 'echo')).toContainText('Done')

  // once means once: the next call asks again
  modelServer.answer(call('echo', { message: 'low tide' }, 'call-2'), { text: 'Never mind.' })
  await say(app.page, 'And low tide')
  await expect(card(app.page, 'echo').last().getByRole('button', { name: 'Deny' })).toBeVisible()
  await card(app.page, 'echo').last().getByRole('textbox').fill('use the almanac')
  await card(app.page, 'echo').last().getByRole('button', { name: 'Deny' }).click()
  await expect(app.page.getByRole('log').getByText('Never mind.')).toBeVisible()
  expect(toolResults(modelServer)).toContain('use the almanac')
})

test('an isolated chat shows and sends no tool', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  const book = await app.call('worldbook.save', { book: { name: 'Fogharbour' } })
  await app.call('sessions.create', { title: 'Alone', isolation: true, worldbookIds: [book.id] })
  await openChat(app.page, 'Alone')
  await app.page.getByRole('button', { name: 'Tools withheld' }).click()
  await expect(app.page.getByRole('dialog', { name: 'Tools of this message' })).toContainText('This chat is isolated')
  await app.page.keyboard.press('Escape')
  await app.page.getByRole('complementary', { name: 'Inspector' }).getByRole('tab', { name: 'Tools' }).click()
  await expect(app.page.getByRole('complementary', { name: 'Inspector' })).toContainText('0 tools exposed')
  await say(app.page, 'Hello')
  await expect.poll(() => modelServer.requests.length).toBe(1)
  expect(lastRequest(modelServer)).not.toContain('"tools"')
  expect(lastRequest(modelServer)).not.toContain('tool_choice')
})

test('a server that dies in mid-call fails that call, and the chat goes on', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  await app.call('sessions.create', { title: 'Storm' })
  await pasteServer(app.page, HOSTILE)
  await openChat(app.page, 'Storm')
  modelServer.answer(call('crash', {}), { text: 'The pier is gone.' })
  await say(app.page, 'Go')
  await card(app.page, 'crash').getByRole('button', { name: 'Allow once' }).click()
  await expect(app.page.getByRole('log').getByText('The pier is gone.')).toBeVisible()
  await expect(card(app.page, 'crash')).toContainText('Failed')
})

test('stopping in mid-loop takes the question away, and late answers change nothing', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  await app.call('sessions.create', { title: 'Halt' })
  await pasteServer(app.page, EVERYTHING)
  await openChat(app.page, 'Halt')
  modelServer.answer(call('echo', { message: 'x' }))
  await say(app.page, 'Go')
  await expect(card(app.page, 'echo').getByRole('button', { name: 'Allow once' })).toBeVisible()
  const [asked] = await app.call('tools.pending', {})
  await app.page.getByRole('button', { name: 'Stop' }).click()
  await expect(card(app.page, 'echo').getByRole('button', { name: 'Allow once' })).toBeHidden()
  await expect(card(app.page, 'echo')).toContainText('Stopped')
  expect(await app.call('tools.answer', { requestId: asked?.requestId ?? '', decision: 'once' })).toEqual({
    accepted: false,
  })
  await say(app.page, 'And now?')
  await expect.poll(() => modelServer.requests.length).toBe(2)
})

test('a window that comes back in mid-loop still asks; after a restart the finished call is not run again', async ({
  app,
  modelServer,
}) => {
  await readyToChat(app, modelServer)
  await app.call('sessions.create', { title: 'Again' })
  await pasteServer(app.page, EVERYTHING)
  await openChat(app.page, 'Again')
  modelServer.answer(call('get-sum', { a: 20, b: 22 }), call('echo', { message: 'the sum' }, 'call-2'))
  await say(app.page, 'Add, then echo')
  await card(app.page, 'get-sum').getByRole('button', { name: 'Allow once' }).click()
  await expect(card(app.page, 'echo').getByRole('button', { name: 'Allow once' })).toBeVisible()
  await app.page.reload()
  await expect(card(app.page, 'get-sum')).toContainText('Done')
  await expect(card(app.page, 'echo').getByRole('button', { name: 'Allow once' })).toBeVisible()

  await app.restart()
  await openChat(app.page, 'Again')
  await expect(card(app.page, 'get-sum')).toContainText('Done')
  modelServer.answer({ text: 'It is 42.' })
  await app.page.getByRole('button', { name: 'Continue' }).click()
  await expect(app.page.getByRole('log').getByText('It is 42.')).toBeVisible()
  await answersEnd(app)
  expect(toolResults(modelServer)).toContain('42')
  expect(toolResults(modelServer).match(/call-1/g)).toHaveLength(1)
})
