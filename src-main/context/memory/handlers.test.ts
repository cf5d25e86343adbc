import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { createRouter } from '../../ipc/router'
import { openDatabase } from '../../storage/open-database'
import { fakeEmbedder, testRoom } from '../../testing/memory-room-rig'
import { temporaryFolder } from '../../testing/temporary-folder'
import { type Memory, type MemoryImportReport, memoryCalls } from './contract'
import { memoryMigrations } from './migrations'

function open(options: Parameters<typeof testRoom>[1] = {}) {
  const opened = testRoom(temporaryFolder(), options)
  onTestFinished(() => opened.room.close())
  const router = createRouter(
    (_, error) => {
      throw error
    },
    () => undefined,
  )
  router.register(memoryCalls, opened.room.handlers)
  const call = async <T>(name: string, input: unknown): Promise<T> => {
    const reply = await router.dispatch(name, input)
    if (!reply.ok) throw new Error(`${reply.error.code}: ${reply.error.message}`)
    return reply.value as T
  }
  return { ...opened, router, call }
}
const codeOf = async (reply: ReturnType<ReturnType<typeof createRouter>['dispatch']>) => {
  const answer = await reply
  return answer.ok ? 'ok' : answer.error.code
}

test.each([
  ['memory.save', { text: '  ' }],
  ['memory.save', { text: 'a', colour: 'red' }],
  ['memory.save', { text: 'a', importance: 2 }],
  ['memory.save', { text: 'a', validFrom: 'tomorrow' }],
  ['memory.list', { status: 'odd' }],
  ['memory.archive', { ids: [] }],
  ['memory.search', { query: 'a', mode: 'psychic' }],
  ['memory.list', { cursor: 'nonsense' }],
])('%s refuses %j', async (name, input) => {
  expect(await codeOf(open().router.dispatch(name, input))).toBe('bad_input')
})

test('unknown ids are not found, removing them removes nothing', async () => {
  const { router, call } = open()
  for (const [name, input] of [
    ['memory.get', { id: 'x' }],
    ['memory.save', { id: 'x', text: 'a' }],
    ['memory.undo', { id: 'x' }],
  ] as const) {
    expect(await codeOf(router.dispatch(name, input))).toBe('not_found')
  }
  expect(await call('memory.remove', { ids: ['x'] })).toEqual({ removed: [] })
})

test('"remember this" keeps where it came from', async () => {
  const { call } = open()
  const source = { kind: 'user statement', sessionId: 's1', messageId: 'm1' }
  const memory = await call<Memory>('memory.save', { text: 'I moved to Oslo', source })
  expect(await call('memory.get', { id: memory.id })).toMatchObject({ source, standing: 'active', revision: 1 })
})

test('a conflict shows what is stored', async () => {
  const { call, router } = open()
  const { id } = await call<Memory>('memory.save', { text: 'one' })
  await call('memory.save', { id, text: 'two', revision: 1 })
  const reply = await router.dispatch('memory.save', { id, text: 'three', revision: 1 })
  expect(reply).toMatchObject({
    ok: false,
    error: { code: 'conflict', details: { revision: 2, current: { text: 'two' } } },
  })
})

test('lists in pages, newest first, by status and text', async () => {
  const { call } = open()
  for (let at = 0; at < 5; at += 1) await call('memory.save', { text: `fact ${at}` })
  const first = await call<{ memories: Memory[]; nextCursor: string | null; total: number }>('memory.list', {
    limit: 2,
  })
  expect(first.memories.map((memory) => memory.text)).toEqual(['fact 4', 'fact 3'])
  expect(first.total).toBe(5)
  const second = await call<typeof first>('memory.list', { limit: 2, cursor: first.nextCursor })
  expect(second.memories.map((memory) => memory.text)).toEqual(['fact 2', 'fact 1'])
  const last = await call<typeof first>('memory.list', { limit: 2, cursor: second.nextCursor })
  expect(last).toMatchObject({ nextCursor: null, memories: [{ text: 'fact 0' }] })
  await call('memory.archive', { ids: [last.memories[0]?.id], archived: true })
  expect((await call<typeof first>('memory.list', { status: 'archived' })).total).toBe(1)
  expect((await call<typeof first>('memory.list', { query: 'FACT 3' })).total).toBe(1)
})

test('a deleted memory is forgotten everywhere and its words leave the database files', async () => {
  const folder = temporaryFolder()
  const { database } = await openDatabase({
    dataDir: folder,
    migrations: memoryMigrations,
    nowIso: () => '2026-11-30T12:00:00.000Z',
  })
  const { call, forgotten, room } = open({ database })
  const { id } = await call<Memory>('memory.save', { text: 'the code word is quetzalcoatl' })
  await call('memory.save', { id, text: 'the code word is still quetzalcoatl' })
  await room.start()
  await room.idle()
  await call('memory.remove', { ids: [id] })
  expect(forgotten).toEqual([id])
  for (const file of ['strata.sqlite', 'strata.sqlite-wal']) {
    expect(readFileSync(`${folder}/${file}`).includes('quetzalcoatl'), file).toBe(false)
  }
  await room.close()
  database.close()
})

test.each(['jsonl', 'markdown'] as const)('what %s exports, an import knows again', async (format) => {
  const one = open()
  await one.call('memory.save', { text: 'The user plays\nthe cello', kind: 'preference' })
  const { id } = await one.call<Memory>('memory.save', { text: 'An old fact' })
  await one.call('memory.archive', { ids: [id], archived: true })
  const file = await one.call<{ fileName: string; dataBase64: string }>('memory.export', { format })
  expect(await one.call<MemoryImportReport>('memory.import', { ...file, dryRun: true })).toMatchObject({
    unchanged: 2,
    added: 0,
    updated: 0,
    conflicts: 0,
  })
  const two = open()
  const preview = await two.call<MemoryImportReport>('memory.import', { ...file, dryRun: true })
  expect(preview).toMatchObject({ added: 2, dryRun: true })
  expect((await two.call<{ total: number }>('memory.list', { status: 'all' })).total).toBe(0)
  expect(await two.call<MemoryImportReport>('memory.import', file)).toMatchObject({ ...preview, dryRun: false })
  const { memories } = await two.call<{ memories: Memory[] }>('memory.list', { status: 'all' })
  expect(memories.map(({ text, archived, kind }) => ({ text, archived, kind }))).toEqual([
    { text: 'An old fact', archived: true, kind: 'fact' },
    { text: 'The user plays\nthe cello', archived: false, kind: 'preference' },
  ])
})

test('an import tells an update from a conflict, and keeps the stored words unless told otherwise', async () => {
  const { call, clock } = open()
  const { id } = await call<Memory>('memory.save', { text: 'Lives in Oslo' })
  const lineAt = (text: string, updatedAt: string) =>
    Buffer.from(`${JSON.stringify({ id, text, updatedAt })}\n{"text":""}\nnot json\n`).toString('base64')
  clock.advance(60_000)
  const newer = { fileName: 'a.jsonl', dataBase64: lineAt('Lives in Bergen', '2026-12-01T00:00:00Z') }
  expect(await call('memory.import', newer)).toMatchObject({ updated: 1, skipped: [{ line: 2 }, { line: 3 }] })
  const older = { fileName: 'a.jsonl', dataBase64: lineAt('Lives in Narvik', '2026-01-01T00:00:00Z') }
  expect(await call('memory.import', older)).toMatchObject({ conflicts: 1, updated: 0 })
  expect(await call('memory.get', { id })).toMatchObject({ text: 'Lives in Bergen' })
  await call('memory.import', { ...older, onConflict: 'replace' })
  expect(await call('memory.get', { id })).toMatchObject({ text: 'Lives in Narvik' })
})

test('an imported line that says what a stored memory or an earlier line says changes nothing', async () => {
  const { call } = open()
  await call('memory.save', { text: 'Lives in Oslo' })
  const text = '1. lives in Oslo.\n2. Keeps bees\n- keeps bees'
  const file = { fileName: 'a.md', dataBase64: Buffer.from(text).toString('base64') }
  expect(await call('memory.import', file)).toMatchObject({ added: 1, updated: 0, unchanged: 2, conflicts: 0 })
  const { memories } = await call<{ memories: Memory[] }>('memory.list', {})
  expect(memories.map((memory) => memory.text)).toEqual(['Keeps bees', 'Lives in Oslo'])
})

test('an unreadable file is refused with a reason', async () => {
  const { router } = open()
  for (const bytes of [Buffer.from([0xff, 0xfe, 0x00]), Buffer.from('[{"text":')]) {
    const reply = router.dispatch('memory.import', { fileName: 'a.jsonl', dataBase64: bytes.toString('base64') })
    expect(await codeOf(reply)).toBe('import.unreadable')
  }
})

test('near duplicates are suggested, never merged; settling one closes the older', async () => {
  const embedder = fakeEmbedder()
  const other = open({ embedder: () => embedder })
  await other.call('memory.save', { text: 'The user pays 900 euros of rent each month' })
  await other.call('memory.save', { text: 'The user pays 950 euros of rent each month' })
  await other.call('memory.save', { text: 'Whales sing' })
  await other.room.start()
  await other.room.idle()
  await expect
    .poll(async () => (await other.call<{ suggestions: unknown[] }>('memory.suggestions', {})).suggestions.length)
    .toBe(1)
  const { suggestions } = await other.call<{ suggestions: { id: string; kind: string; other: Memory }[] }>(
    'memory.suggestions',
    {},
  )
  expect(suggestions[0]).toMatchObject({
    kind: 'replaces',
    other: { text: 'The user pays 900 euros of rent each month' },
  })
  await other.call('memory.settle', { suggestionId: suggestions[0]?.id, decision: 'replace' })
  expect(await other.call('memory.get', { id: suggestions[0]?.other.id })).toMatchObject({ standing: 'past' })
  expect((await other.call<{ suggestions: unknown[] }>('memory.suggestions', {})).suggestions).toEqual([])
})

test('a rebuild reads everything again and answers meanwhile', async () => {
  const embedder = fakeEmbedder()
  const { call, room, runJob } = open({ embedder: () => embedder })
  await call('memory.save', { text: 'The user plays the cello' })
  await room.start()
  await room.idle()
  const calls = embedder.calls.length
  expect(await call('memory.reindex', {})).toEqual({ jobId: 'job-memory-index' })
  await runJob('memory-index')
  expect(embedder.calls.length).toBeGreaterThan(calls)
  expect(await call('memory.status', {})).toMatchObject({ indexed: 1, pending: 0 })
})

test('the self-test finds the memories by half of their words', async () => {
  const { call } = open()
  for (const text of ['The orchestra meets on Tuesday evenings downtown', 'Granny keeps seven hens behind the cottage'])
    await call('memory.save', { text })
  expect(await call('memory.self-test', {})).toMatchObject({ tested: 2, foundFirst: 2, foundInTopK: 2, missed: [] })
})
