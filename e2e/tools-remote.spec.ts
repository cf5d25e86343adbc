import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright/test'
import { startSignInServer } from '../src-main/testing/sign-in-server'
import { expect, type StrataApp, test } from './support/launch-app'
import { goTo, openChat, readyToChat, say } from './support/window-steps'

const ROOT = join(import.meta.dirname, '..')
const EVERYTHING = join(ROOT, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')
const HOSTILE = join(ROOT, 'src-main/tools/hostile-mcp-server.mjs')

const call = (name: string) => ({ toolCalls: [{ id: 'call-1', name, arguments: {} }] })
const card = (page: Page, tool: string) => page.getByRole('region', { name: new RegExp(`Tool call: ${tool}`) })

/** A chat in which one tool of a local server runs without asking. */
async function allowed(app: StrataApp, script: string, tool: string): Promise<void> {
  const json = JSON.stringify({ mcpServers: { pier: { command: process.execPath, args: [script, 'stdio'] } } })
  const { servers } = await app.call('mcp.import', { json })
  await app.call('mcp.restart', { id: servers[0]?.id ?? '' })
  const toolId = (await app.call('tools.list', {})).find((each) => each.name === tool)?.id ?? ''
  await app.call('tools.set', { toolId, policy: 'allow' })
  await app.call('sessions.create', { title: 'Tide' })
}

test('a server that wants a sign-in says so, and works once the browser has been there', async ({
  app,
  modelServer,
}) => {
  await readyToChat(app, modelServer)
  const remote = await startSignInServer()
  const { id } = await app.call('mcp.save', { name: 'remote', transport: { kind: 'http', url: remote.url } })
  await app.call('mcp.restart', { id })
  await goTo(app.page, 'Tools')
  await app.page.getByRole('button', { name: 'remote sign in' }).click()
  await app.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect.poll(async () => (await app.call('mcp.list', {}))[0]?.signIn).toMatch(/waiting|done/)
  const page = (await app.call('mcp.list', {}))[0]?.signInPage
  // a browser that was let open the page has been there already
  if (page) await fetch(page).catch(() => undefined)
  await expect(app.page.getByRole('button', { name: 'Sign out' })).toBeVisible()
  await expect(app.page.getByRole('table', { name: 'Tools' })).toContainText('whoami')
  await app.page.getByRole('button', { name: 'Sign out' }).click()
  await expect(app.page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await remote.close()
})

test('a form of a server is answered in the transcript, by keyboard alone', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  await allowed(app, EVERYTHING, 'trigger-elicitation-request')
  await openChat(app.page, 'Tide')
  modelServer.answer(call('trigger-elicitation-request'), { text: 'Thank you.' })
  await say(app.page, 'Ask me')
  const form = app.page.getByRole('form', { name: 'pier asks you' })
  await expect(form).toBeVisible()
  await expect(card(app.page, 'trigger-elicitation-request')).toContainText('Waiting for you')
  expect((await new AxeBuilder({ page: app.page }).setLegacyMode(true).include('.toolc').analyze()).violations).toEqual(
    [],
  )
  await form.getByRole('textbox', { name: 'String', exact: true }).focus()
  await app.page.keyboard.type('Ada')
  await app.page.keyboard.press('Enter')
  await expect(app.page.getByRole('log').getByText('Thank you.')).toBeVisible()
  expect(JSON.stringify(modelServer.requests.at(-1)?.body)).toContain('Ada')
})

test('killed in mid-call, the call is not run again before a person says so', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  await allowed(app, HOSTILE, 'hang')
  await openChat(app.page, 'Tide')
  modelServer.answer(call('hang'))
  await say(app.page, 'Go')
  await expect(card(app.page, 'hang')).toContainText('Running')
  await app.kill()
  await app.restart()
  await openChat(app.page, 'Tide')
  await expect(card(app.page, 'hang')).toContainText('Interrupted')
  modelServer.answer({ text: 'I shall look first.' })
  await app.page.getByRole('button', { name: 'Continue' }).click()
  await expect(card(app.page, 'hang')).toContainText('It may have done its work already')
  expect(modelServer.requests).toHaveLength(1)
  await card(app.page, 'hang').getByRole('button', { name: 'Tell the model it was interrupted' }).click()
  await expect(app.page.getByRole('log').getByText('I shall look first.')).toBeVisible()
  expect(JSON.stringify(modelServer.requests.at(-1)?.body)).toContain('may have had its effects or not')
})
