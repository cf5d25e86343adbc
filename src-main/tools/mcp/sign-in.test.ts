import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type SignInServer, startSignInServer } from '../../testing/sign-in-server'
import { type ToolRig, toolCall, toolRig } from '../../testing/tool-rig'

let rig: ToolRig
let web: SignInServer
let id: string
beforeEach(async () => {
  rig = await toolRig()
  web = await startSignInServer()
  const transport = { kind: 'http' as const, url: web.url }
  id = (await rig.app.call('mcp.save', { name: 'signed', transport })).id
})
afterEach(async () => {
  await rig.close()
  await web.close()
})

const server = async () => (await rig.app.call('mcp.list', {})).find((each) => each.id === id)
/** Changes come as events; what they changed is read. */
async function until(holds: (server: Awaited<ReturnType<typeof serverOf>>) => boolean) {
  for (;;) {
    const now = await serverOf()
    if (holds(now)) return now
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
async function serverOf() {
  const found = await server()
  if (!found) throw new Error('The server is gone.')
  return found
}

/** What a person's browser does: follows where it is sent. */
async function browse(page: string | null, language = 'en'): Promise<Response> {
  if (page === null) throw new Error('There is no page.')
  return fetch(page, { headers: { 'accept-language': language } })
}

async function signIn() {
  const { page, server: waiting } = await rig.app.call('mcp.sign-in', { id })
  expect(waiting).toMatchObject({ signIn: 'waiting', signInPage: page })
  const response = await browse(page)
  expect(await response.text()).toContain('You are signed in')
  return until(({ state }) => state === 'ready')
}

test('a server that wants a sign-in says so, is not registered at behind anybody’s back, and works after it', async () => {
  const before = await rig.app.call('mcp.restart', { id })
  expect(before).toMatchObject({ state: 'failed', signIn: 'needed', lastError: 'It needs you to sign in.' })
  expect(web.authority.clients).toEqual([])

  expect(await signIn()).toMatchObject({ signIn: 'done', toolCount: 1 })
  expect(web.authority.clients).toMatchObject([
    {
      client_name: 'Strata',
      token_endpoint_auth_method: 'none',
      redirect_uris: [expect.stringMatching(/^http:\/\/127/)],
    },
  ])
  const { result, sessionId, messageId } = await rig.run('whoami')
  // A server that repeats the token gets it blanked out.
  expect(result).toContain('you are •••')
  const reads = [
    await rig.app.call('sessions.get', { sessionId }),
    await rig.app.call('turns.record', { messageId }),
    await rig.app.call('mcp.list', {}),
    await rig.app.call('mcp.log', { id }),
    rig.app.events,
  ]
  const tokens = [...web.authority.access, ...web.authority.refresh]
  for (const read of reads) for (const token of tokens) expect(JSON.stringify(read)).not.toContain(token)
  await rig.app.app.close()
  for (const entry of readdirSync(rig.app.dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const bytes = readFileSync(join(entry.parentPath, entry.name))
    for (const token of tokens) expect(bytes.includes(token)).toBe(false)
  }
})

test('the sign-in outlives a restart, and calls side by side refresh an expired token together', async () => {
  await signIn()
  rig.app = await rig.app.restart()
  expect(await rig.app.call('mcp.restart', { id })).toMatchObject({ state: 'ready', signIn: 'done' })
  const sessionId = await rig.session()
  await rig.allow(sessionId, 'whoami')
  web.authority.access.clear()
  const call = (callId: string) => ({ id: callId, name: 'whoami', arguments: {} })
  rig.server.answer({ toolCalls: [call('a'), call('b'), call('c')] }, { text: 'Noted.' })
  expect(await rig.ended((await rig.send(sessionId)).turnId)).toBe('done')
  expect(rig.results()).toHaveLength(3)
  for (const result of rig.results()) expect(result).toContain('you are •••')
  expect(web.authority.reused).toBe(0)
  expect(web.authority.clients).toHaveLength(1)
})

test('a sign-in that was taken back: the call says so, the policy names the reason, the next one works', async () => {
  await signIn()
  const sessionId = await rig.session()
  await rig.allow(sessionId, 'whoami')
  web.authority.access.clear()
  web.authority.refresh.clear()
  rig.server.answer(toolCall('whoami', {}), { text: 'Noted.' })
  await rig.ended((await rig.send(sessionId)).turnId)
  expect(rig.results()[0]).toMatch(/sign in again/)
  const tool = (await rig.tools(sessionId)).find((each) => each.name === 'whoami')
  expect(tool).toMatchObject({ available: false, reason: 'server_down', reasonDetail: 'It needs you to sign in.' })
  expect(await serverOf()).toMatchObject({ signIn: 'needed' })
  await signIn()
  expect((await rig.run('whoami', {}, sessionId)).result).toContain('you are')
})

test('an authority that has forgotten this app: the person is asked to sign in, and that registers it anew', async () => {
  await signIn()
  web.authority.clients.length = 0
  web.authority.access.clear()
  expect(await rig.app.call('mcp.restart', { id })).toMatchObject({ state: 'failed', signIn: 'needed' })
  expect(await signIn()).toMatchObject({ signIn: 'done' })
  expect(web.authority.clients).toHaveLength(1)
})

test('a page that never leads back is given up, and the next try registers anew', async () => {
  await signIn()
  web.authority.access.clear()
  web.authority.refresh.clear()
  expect(await rig.app.call('mcp.restart', { id })).toMatchObject({ signIn: 'needed' })
  web.authority.clients.length = 0
  expect((await browse((await rig.app.call('mcp.sign-in', { id })).page)).status).toBe(400)
  await rig.app.call('mcp.stop-sign-in', { id })
  expect(await signIn()).toMatchObject({ signIn: 'done' })
})

test('signing out forgets the tokens; a new address gets none of the old one’s', async () => {
  await signIn()
  expect(await rig.app.call('mcp.sign-out', { id })).toMatchObject({ state: 'failed', signIn: 'needed' })
  await signIn()
  const other = await startSignInServer()
  const transport = { kind: 'http' as const, url: other.url }
  await rig.app.call('mcp.save', { id, name: 'signed', transport })
  for (const token of web.authority.access) other.authority.access.add(token)
  expect(await rig.app.call('mcp.restart', { id })).toMatchObject({ signIn: 'needed' })
  await other.close()
})

test('a refusal, a stranger’s answer and a stop leave the server as it was', async () => {
  web.authority.denies = true
  const refused = await rig.app.call('mcp.sign-in', { id })
  const response = await browse(refused.page, 'zh-CN,zh;q=0.9')
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('登录未成功')])
  expect((await until(({ signIn: state }) => state !== 'waiting')).lastError).toMatch(/did not succeed: access_denied/)

  web.authority.denies = false
  const { page } = await rig.app.call('mcp.sign-in', { id })
  const back = new URL(new URL(page ?? '').searchParams.get('redirect_uri') ?? '')
  back.search = new URLSearchParams({ code: 'stolen', state: 'guessed' }).toString()
  expect((await fetch(back)).status).toBe(400)
  expect(await serverOf()).toMatchObject({ signIn: 'waiting' })
  expect((await fetch(new URL('/else', back))).status).toBe(404)

  await rig.app.call('mcp.stop-sign-in', { id })
  await expect(fetch(back)).rejects.toThrow()
  expect((await serverOf()).signIn).not.toBe('waiting')
  expect(web.authority.access.size).toBe(0)
})

test('where no sign-in is wanted there is no page, and a program on this machine has none', async () => {
  await signIn()
  expect((await rig.app.call('mcp.sign-in', { id })).page).toBeNull()
  const transport = { kind: 'stdio' as const, command: 'x' }
  const { id: local } = await rig.app.call('mcp.save', { name: 'local', transport })
  await expect(rig.app.call('mcp.sign-in', { id: local })).rejects.toMatchObject({ code: 'bad_input' })
})
