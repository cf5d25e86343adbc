import { afterEach, expect, it } from 'vitest'
import { runningApp, type TestApp } from '../testing/running-app'

const open: TestApp[] = []
const openApp = async () => {
  const app = await runningApp()
  open.push(app)
  return app
}
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

it('everything leaves in one file without keys, and comes back into an empty folder', async () => {
  const from = await openApp()
  const { id: modelSource } = await from.call('connections.save', {
    name: 'Harbour',
    kind: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:9/v1',
    apiKey: 'sk-secret-000000000000',
  })
  await from.call('settings.update', {
    patch: { general: { theme: 'dark', defaultModelId: `${modelSource}/m`, firstRunDone: true }, memory: { topK: 7 } },
  })
  await from.call('system-prompts.save', { name: 'Unused', text: 'You wait.' })
  await from.call('snippets.save', { name: 'Greeting', text: 'Dear {{name}},' })
  await from.call('folders.save', { name: '空' })
  const ids: string[] = []
  for (const title of ['open', 'archived', 'binned']) {
    const { id } = await from.call('sessions.create', { title })
    await from.call('messages.append', { sessionId: id, text: `In ${title}.` })
    ids.push(id)
  }
  await from.call('sessions.update', { sessionId: ids[1] ?? '', patch: { archived: true } })
  await from.call('sessions.remove', { sessionIds: [ids[2] ?? ''] })
  const file = await from.call('transfer.export-all', {})
  const text = Buffer.from(file.dataBase64, 'base64').toString()
  for (const stays of ['sk-secret', 'firstRunDone', modelSource, 'Harbour']) expect(text).not.toContain(stays)

  const to = await openApp()
  await to.call('settings.update', { patch: { memory: { topK: 2 } } })
  const dry = await to.call('transfer.import', { ...file, dryRun: true })
  expect(dry).toMatchObject({
    sessions: { imported: 3 },
    messages: 3,
    prompts: 1,
    snippets: 1,
    settings: 1,
    warnings: [],
  })
  expect((await to.call('settings.get', {})).general.theme).toBe('system')
  expect(await to.call('snippets.list', {})).toEqual([])
  await to.call('transfer.import', file)
  expect(await to.call('settings.get', {})).toMatchObject({
    general: { theme: 'dark', firstRunDone: false, defaultModelId: null },
    memory: { topK: 2 },
  })
  for (const name of ['system-prompts.list', 'snippets.list', 'folders.list'] as const) {
    const kept = (list: readonly { id: string; name: string }[]) => list.map((item) => [item.id, item.name])
    expect(kept(await to.call(name, {})), name).toEqual(kept(await from.call(name, {})))
  }
  for (const view of ['active', 'archived', 'bin'] as const) {
    expect(await to.call('sessions.list', { view }), view).toEqual(await from.call('sessions.list', { view }))
  }
  const again = await to.call('transfer.import', file)
  expect(again).toMatchObject({ sessions: { imported: 0, existing: 3 }, messages: 0, prompts: 0 })
  expect([again.snippets ?? 0, again.settings ?? 0]).toEqual([0, 0])
})

it('a folder without chats leaves its prompts all the same', async () => {
  const from = await openApp()
  await from.call('snippets.save', { name: 'Greeting', text: 'Dear' })
  const file = await from.call('transfer.export-all', {})
  const to = await openApp()
  expect(await to.call('transfer.import', file)).toMatchObject({ sessions: { imported: 0 }, snippets: 1 })
})
