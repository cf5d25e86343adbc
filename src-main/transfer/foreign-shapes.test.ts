import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { sessionMigrations } from '../sessions/migrations'
import { createSessionStore } from '../sessions/session-store'
import { fixedClock } from '../testing/fixed-clock'
import { idSequence } from '../testing/id-sequence'
import { memoryDatabase } from '../testing/memory-database'
import { temporaryFolder } from '../testing/temporary-folder'
import { createTransferRoom } from './handlers'

/** Files in the shape the other apps write, field by field, with content of our own. */
const fixture = (name: string) => new Uint8Array(readFileSync(join(import.meta.dirname, 'fixtures', name)))

function openHouse() {
  const database = memoryDatabase(sessionMigrations)
  const ids = idSequence('n')
  const { now } = fixedClock()
  const store = createSessionStore({ database, dataDir: temporaryFolder(), ids, now, emit: () => {} })
  const prompts = { list: () => [], insert: () => {} }
  const settings = { carried: () => ({}), take: () => ({ count: 0, refused: [] }) }
  const room = createTransferRoom({
    database,
    store,
    ids,
    now,
    emit: () => {},
    prompts,
    settings,
    readRecords: () => [],
  })
  const take = (fileName: string, bytes: Uint8Array) =>
    room.handlers['transfer.import']({ fileName, dataBase64: Buffer.from(bytes).toString('base64') })
  const branch = (id = '') => store.branchOf(id).map(({ role, text }) => [role, text])
  return { store, room, take, branch }
}

it("reads the numbered files of ChatGPT's export: thoughts, sources, canvas, voice, tools", async () => {
  const { store, room, take, branch } = openHouse()
  const zip = zipSync({
    'chat.html': new Uint8Array(),
    'conversations-001.json': fixture('chatgpt-conversations-001.json'),
    'conversations-000.json': fixture('chatgpt-conversations-000.json'),
    'shared_conversations.json': new TextEncoder().encode('[]'),
    '__MACOSX/conversations-000.json': new TextEncoder().encode('junk'),
  })
  const report = await take('export.zip', zip)
  expect(report).toMatchObject({ format: 'chatgpt', sessions: { imported: 2, skipped: [] }, messages: 9 })
  expect(report.warnings).toEqual([
    '"Tides at the pier": 2 images and files are not part of the file and were left out.',
    '"Tides at the pier": 1 calls of tools were left out.',
  ])
  const [tides = '', voice = ''] = report.sessionIds
  expect(branch(tides)).toEqual([
    ['user', 'When is high water here, and why does it come later every day?'],
    [
      'assistant',
      'High water is at 14:05 ([tides.example](https://tides.example/fogharbour)). It comes some 50 minutes later every day, because the moon moves on.\n\n',
    ],
    ['user', 'Compute the next three, and write a note for the crew.'],
    ['assistant', '```python\nfor n in range(3): print(14.08 + n * 0.84)\n```'],
    ['assistant', '**crew_note**\n\n# Crew note\n\nHigh water 14:05, 14:55, 15:46.'],
    ['assistant', 'The note is ready.'],
  ])
  const [, answer, , code] = store.branchOf(tides)
  expect(answer).toMatchObject({
    modelId: 'gpt-5-2-thinking',
    createdAt: '2025-12-14T00:30:14.000Z',
    parts: [
      {
        type: 'reasoning',
        text: '**Reading the photograph**\n\nThe board on the pier names the harbour.\n\nLooking up the table',
      },
      { type: 'text' },
    ],
  })
  expect(code?.siblings).toHaveLength(2)
  expect(store.requireSession(tides).archived).toBe(true)
  expect(branch(voice)).toEqual([
    ['user', '你好，明天几点涨潮？'],
    ['assistant', '下午三点左右。'],
  ])
  expect(store.requireSession(voice)).toMatchObject({ title: '你好，明天几点涨潮？', archived: false })
  await room.close()
})

it('reads one conversation of ChatGPT alone', async () => {
  const { take } = openHouse()
  const [one] = JSON.parse(new TextDecoder().decode(fixture('chatgpt-conversations-001.json')))
  expect(await take('chat.json', new TextEncoder().encode(JSON.stringify(one)))).toMatchObject({ messages: 2 })
})

it('reads the file Cherry Studio exports to a phone: assistants, blocks, several models, translations', async () => {
  const { store, room, take, branch } = openHouse()
  const report = await take('cherry-studio.zip', zipSync({ 'data.json': fixture('cherry-studio-data.json') }))
  expect(report).toMatchObject({
    format: 'cherry-studio',
    sessions: { imported: 2, skipped: [{ index: 2, reason: 'It holds no messages.' }] },
    messages: 6,
    warnings: ['1 images and files are not part of the file and were left out.'],
  })
  const [ferry = '', act = ''] = report.sessionIds
  expect(store.requireSession(ferry)).toMatchObject({ title: '渡船时刻', createdAt: '2026-02-01T09:00:00.000Z' })
  expect(branch(ferry)).toEqual([
    ['user', '末班渡船几点？'],
    ['assistant', '二十三点。'],
    ['user', '谢谢'],
  ])
  const [, shown] = store.branchOf(ferry)
  const hidden = store.requireMessage(shown?.siblings.find((id) => id !== shown.id) ?? '')
  expect([shown?.modelId, hidden.modelId]).toEqual(['deepseek-chat', 'qwen3-max'])
  expect(hidden.parts).toEqual([
    { type: 'reasoning', text: '先查时刻表。' },
    { type: 'text', text: '二十二点。' },
  ])
  expect(store.requireSession(act)).toMatchObject({
    title: 'Act three',
    topicPrompt: 'You edit sea stories.\n\nOne night only.',
  })
  expect(branch(act)[1]).toEqual(['assistant', 'He shut the lamp.\n\n> 他熄了灯。'])
  await room.close()
})

it('reads the compressed .bak files of the first Cherry Studio', async () => {
  const { store, room, take, branch } = openHouse()
  const report = await take('cherry-studio.20240703.bak', gzipSync(fixture('cherry-studio-v1.json')))
  expect(store.requireSession(report.sessionIds[0] ?? '').title).toBe('Old days')
  expect(branch(report.sessionIds[0])).toEqual([
    ['user', 'Is the lamp lit?'],
    ['assistant', 'It is.'],
  ])
  await room.close()
})

it("says where Cherry Studio hides a file that can be read, when it is given a copy of that program's folders", async () => {
  const { room, take } = openHouse()
  const zip = zipSync({
    'metadata.json': new Uint8Array(),
    'IndexedDB/file__0.indexeddb.leveldb/LOG': new Uint8Array(),
  })
  await expect(take('cherry-studio.202605.zip', zip)).rejects.toThrow('Export to phone')
  await room.close()
})

it('reads a chat of SillyTavern: swipes, reasoning, hidden messages, notes', async () => {
  const { store, take, branch } = openHouse()
  const report = await take('Harbour master - 2025-03-01.jsonl', fixture('sillytavern-chat.jsonl'))
  expect(report).toMatchObject({ format: 'sillytavern', sessions: { imported: 1 }, messages: 6 })
  expect(report.warnings).toEqual([
    '2 system notes of the chat were left out.',
    '1 messages were hidden from the model there; here they are part of the chat.',
    '1 images and files are not part of the file and were left out.',
  ])
  expect(branch(report.sessionIds[0])).toEqual([
    ['assistant', 'The fog is thick tonight.'],
    ['user', 'I rang the bell.'],
    ['assistant', 'Nobody heard it.'],
    ['user', 'Look at the chart.'],
  ])
  const [, , answer, last] = store.branchOf(report.sessionIds[0] ?? '')
  expect(answer).toMatchObject({
    modelId: 'gpt-4o',
    createdAt: '2025-03-01T09:32:10.500Z',
    parts: [{ type: 'reasoning', text: 'He is tired.' }, { type: 'text' }],
  })
  expect(store.requireMessage(answer?.siblings[0] ?? '')).toMatchObject({ modelId: 'gpt-4o-mini', text: 'I heard it.' })
  expect(last?.createdAt).toBe('2025-03-01T09:33:20.000Z')
})

it('names the speakers of a group chat of SillyTavern', async () => {
  const { take, branch } = openHouse()
  const report = await take('2026-01-05@20h00m00s.jsonl', fixture('sillytavern-group.jsonl'))
  expect(branch(report.sessionIds[0])).toEqual([
    ['assistant', '**Shen Zhou:** 今晚有雾。'],
    ['assistant', '**Harbour master:** Then no ship leaves.'],
    ['user', 'Good night.'],
  ])
})
