import { strToU8, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { saveFolder } from '../sessions/folder-rows'
import { sessionMigrations } from '../sessions/migrations'
import { createSessionStore } from '../sessions/session-store'
import { saveTag } from '../sessions/tag-rows'
import { fixedClock } from '../testing/fixed-clock'
import { idSequence } from '../testing/id-sequence'
import { memoryDatabase } from '../testing/memory-database'
import { temporaryFolder } from '../testing/temporary-folder'
import type { ExportPrompt } from './export-json'
import { createTransferRoom } from './handlers'

function openHouse(prefix: string) {
  const database = memoryDatabase(sessionMigrations)
  const clock = fixedClock()
  const ids = idSequence(prefix)
  const prompts: ExportPrompt[] = []
  const store = createSessionStore({ database, dataDir: temporaryFolder(), ids, now: clock.now, emit: () => {} })
  const { handlers: calls } = createTransferRoom({
    database,
    store,
    ids,
    now: clock.now,
    emit: () => {},
    prompts: { list: () => prompts, insert: (prompt) => prompts.push(prompt) },
    settings: { carried: () => ({}), take: () => ({ count: 0, refused: [] }) },
    readRecords: (messageId) => (messageId.startsWith('sent') ? [{ sentAt: 'then' }] : []),
  })
  const take = (fileName: string, content: string | Uint8Array, dryRun?: boolean) =>
    calls['transfer.import']({
      fileName,
      dataBase64: Buffer.from(content).toString('base64'),
      ...(dryRun === undefined ? {} : { dryRun }),
    })
  const everything = () => ({
    sessions: database.prepare('SELECT * FROM session ORDER BY id').all().map(without('seq')),
    messages: database.prepare('SELECT * FROM message ORDER BY id').all().map(without('seq')),
    folders: database.prepare('SELECT * FROM folder ORDER BY id').all(),
    tags: database.prepare('SELECT * FROM tag ORDER BY id').all(),
    links: database.prepare('SELECT * FROM session_tag ORDER BY session_id, tag_id').all(),
    attachments: database.prepare('SELECT * FROM attachment ORDER BY id').all().map(without('seq', 'created_at')),
    attached: database.prepare('SELECT * FROM message_attachment ORDER BY message_id').all(),
  })
  return { database, clock, store, calls, prompts, take, everything }
}

const without =
  (...names: string[]) =>
  (row: unknown): Record<string, unknown> =>
    Object.fromEntries(Object.entries(row as Record<string, unknown>).filter(([name]) => !names.includes(name)))

const decode = (file: { dataBase64: string }): string => Buffer.from(file.dataBase64, 'base64').toString()

async function fullHouse() {
  const house = openHouse('a')
  const { store, database, prompts } = house
  prompts.push({
    id: 'p1',
    name: 'Editor',
    text: 'You edit.',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-02-01T00:00:00.000Z',
  })
  saveFolder(database, { id: 'f1', name: '雾港', order: 3 }, true)
  saveFolder(database, { id: 'f2', name: 'Act three', parentId: 'f1' }, true)
  saveTag(database, { id: 't1', name: '小说', colour: '#123456' }, true)
  const session = store.createSession({
    title: '第三幕',
    topicPrompt: 'one night',
    globalPromptId: 'p1',
    worldbookIds: ['w'],
    isolation: true,
    modelId: 'c/m',
    folderId: 'f2',
    tagIds: ['t1'],
  })
  store.patchSession(session.id, { historyLimit: 4, layout: 'cache-first', toolChoices: { web: 'deny' }, pinned: true })
  const file = await store.addAttachment({ name: 'tides.md', bytes: Buffer.from('潮汐') })
  const blob = await store.saveBlob(session.id, Buffer.from('a long result'))
  const user = store.insertMessage({
    sessionId: session.id,
    parentId: null,
    role: 'user',
    text: 'u1',
    attachments: [file.id],
    createdAt: '1970-01-01T00:00:00+00:00',
  })
  const answer = store.insertMessage({
    sessionId: session.id,
    parentId: user.id,
    role: 'assistant',
    text: 'found it',
    parts: [
      { type: 'reasoning', text: 'hm', signature: { s: 1 } },
      {
        type: 'tool',
        callId: 'c',
        toolId: 'x',
        name: 'x',
        arguments: { q: 1 },
        state: 'completed',
        result: 'r',
        fullResultSha256: blob,
      },
      { type: 'text', text: 'found it' },
    ],
    state: 'failed',
    error: { code: 'model.rejected', message: 'no', retryable: true },
    usage: { inputTokens: 5 },
    modelId: 'c/m',
    finishReason: 'stop',
    turnId: 'turn',
    createdAt: '2100-01-01T00:00:00Z',
  })
  const other = store.insertMessage({
    sessionId: session.id,
    parentId: user.id,
    role: 'assistant',
    text: 'other version',
  })
  store.selectMessage(answer.id)
  return { ...house, session, answer, other, blob }
}

it('our JSON carries everything over, and a second import finds it there', async () => {
  const from = await fullHouse()
  const file = await from.calls['transfer.export']({ sessionIds: [from.session.id, 'gone'], format: 'json' })
  expect(file.fileName).toBe('第三幕.strata.json')
  expect(() => JSON.parse(decode(file))).not.toThrow()
  const to = openHouse('b')
  const dry = await to.take(file.fileName, decode(file), true)
  expect(dry).toMatchObject({ format: 'strata', dryRun: true, messages: 3, prompts: 1, warnings: [], sessionIds: [] })
  expect(to.everything().sessions).toEqual([])
  const report = await to.take(file.fileName, decode(file))
  expect(report).toMatchObject({
    sessions: { imported: 1, skipped: [], existing: 0 },
    messages: 3,
    prompts: 1,
    warnings: [],
  })
  expect(to.everything()).toEqual(from.everything())
  expect(to.prompts).toEqual(from.prompts)
  expect(Buffer.from(await to.store.readAttachment(from.blob)).toString()).toBe('a long result')
  expect(to.store.branchOf(from.session.id)).toEqual(from.store.branchOf(from.session.id))
  expect(to.store.search({ query: 'other version' }).total).toBe(1)
  const again = await to.take(file.fileName, decode(file))
  expect(again.sessions).toEqual({ imported: 0, skipped: [], existing: 1 })
  const back = await to.calls['transfer.export']({ sessionIds: [from.session.id], format: 'json' })
  expect(decode(back)).toBe(decode(file))
})

it('reads our JSON after a formatter went over it', async () => {
  const from = await fullHouse()
  const file = await from.calls['transfer.export']({ sessionIds: [from.session.id], format: 'json' })
  const to = openHouse('b')
  await to.take('x.json', JSON.stringify(JSON.parse(decode(file)), null, 2))
  expect(to.everything()).toEqual(from.everything())
})

const strata = (...items: unknown[]) =>
  `{"format":"strata","version":1,"exportedAt":"2026-11-30T12:00:00Z","items":[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]}\n`

it('survives circles, doubled ids, lost parents and impossible times', async () => {
  const to = openHouse('n')
  const message = (id: string, parentId: string | null, createdAt = '1970-01-01T00:00:00Z') => ({
    type: 'message',
    id,
    parentId,
    role: 'user',
    text: `text ${id}`,
    createdAt,
  })
  const report = await to.take(
    'x.json',
    strata(
      { type: 'folder', id: 'fa', name: 'A', parentId: 'fb', order: 0 },
      { type: 'folder', id: 'fb', name: 'B', parentId: 'fa', order: 1 },
      { type: 'session', id: 's', title: 'odd', folderId: 'fb', createdAt: '2100-01-01T00:00:00Z' },
      message('c1', 'c2'),
      message('c2', 'c1'),
      message('self', 'self'),
      message('lost', 'nobody'),
      message('late', 'early', '2100-06-01T00:00:00Z'),
      message('early', null, 'yesterday'),
      message('early', null),
      { type: 'message', id: 'bad', role: 'wizard', text: '', createdAt: '' },
      { type: 'session', id: 's', title: 'twin', createdAt: '+99999-01-01T00:00:00Z' },
      message('c1', null),
      { type: 'session', id: 5 },
      message('homeless', null),
    ),
  )
  expect(report.sessions).toMatchObject({ imported: 2, existing: 0, skipped: [{ index: 13 }] })
  expect(report.messages).toBe(8)
  expect(report.warnings.some((warning) => warning.includes('circle'))).toBe(true)
  expect(report.warnings.some((warning) => warning.includes('"yesterday" is no time'))).toBe(true)
  expect(to.database.prepare('SELECT count(*) AS n FROM message').get()).toEqual({ n: 8 })
  expect(to.store.branchOf('s-2').map((message) => message.text)).toEqual(['text c1'])
  expect(to.store.getSession('s')).toMatchObject({ createdAt: '2100-01-01T00:00:00.000Z', folderId: 'fb' })
  expect(to.store.getMessage('late')).toMatchObject({ parentId: 'early', createdAt: '2100-06-01T00:00:00.000Z' })
  expect(to.store.getMessage('self')?.parentId).toBeNull()
  expect(to.store.branchOf('s').length).toBeGreaterThan(0)
})

it.each([
  ['cut off before its first item', strata().slice(0, -4)],
  ['empty', ''],
  ['of a newer version', strata().replace('"version":1', '"version":99')],
  ['no JSON', 'hello'],
  ['JSON of nobody', '{"a":1}'],
])('refuses a file that is %s', async (_what, content) => {
  await expect(openHouse('n').take('x.json', content)).rejects.toMatchObject({ code: 'import.unreadable' })
})

it('keeps a file whose bytes are not those of its hash out', async () => {
  const to = openHouse('n')
  const report = await to.take('x', strata({ type: 'blob', sha256: 'a'.repeat(64), dataBase64: 'AAAA' }))
  expect(report.warnings[0]).toContain('not those of its hash')
})

const chatGpt = [
  {
    conversation_id: 'g1',
    title: 'Lisbon by train',
    create_time: 1_700_000_000.5,
    update_time: 1_700_000_600,
    current_node: 'n4',
    mapping: {
      root: { id: 'root', message: null, parent: null, children: ['sys'] },
      sys: {
        id: 'sys',
        message: { author: { role: 'system' }, content: { content_type: 'text', parts: [''] } },
        parent: 'root',
      },
      n1: {
        id: 'n1',
        message: {
          author: { role: 'user' },
          create_time: 1_700_000_001,
          content: { content_type: 'text', parts: ['Night train?'] },
        },
        parent: 'sys',
      },
      n2: {
        id: 'n2',
        message: {
          author: { role: 'assistant' },
          content: { content_type: 'text', parts: ['No.'] },
          metadata: { model_slug: 'gpt-4o' },
        },
        parent: 'n1',
      },
      t1: {
        id: 't1',
        message: { author: { role: 'tool' }, content: { content_type: 'text', parts: ['trace'] } },
        parent: 'n1',
      },
      n4: {
        id: 'n4',
        message: {
          author: { role: 'assistant' },
          content: {
            content_type: 'multimodal_text',
            parts: [{ content_type: 'image_asset_pointer' }, 'Yes, from Hendaye.'],
          },
        },
        parent: 't1',
      },
    },
  },
  { title: 'broken' },
]

it('imports conversations.json of ChatGPT, also out of its ZIP file, once', async () => {
  const to = openHouse('n')
  const zip = zipSync({ 'export/conversations.json': strToU8(JSON.stringify(chatGpt)), 'user.json': strToU8('{}') })
  const report = await to.take('export.zip', zip)
  expect(report).toMatchObject({
    format: 'chatgpt',
    sessions: { imported: 1, skipped: [{ index: 1, title: 'broken' }] },
    messages: 3,
    warnings: ['"Lisbon by train": 1 images and files are not part of the file and were left out.'],
  })
  const [id = ''] = report.sessionIds
  const branch = to.store.branchOf(id)
  expect(branch.map((message) => message.text)).toEqual(['Night train?', 'Yes, from Hendaye.'])
  expect(branch[1]?.siblings).toHaveLength(2)
  expect(to.store.getSession(id)).toMatchObject({ createdAt: '2023-11-14T22:13:20.500Z', titleSource: 'user' })
  expect((await to.take('conversations.json', JSON.stringify(chatGpt))).sessions.existing).toBe(1)
})

it('imports a backup of Cherry Studio: names, prompts, blocks, several answers', async () => {
  const backup = {
    localStorage: {
      'persist:cherry-studio': JSON.stringify({
        assistants: JSON.stringify({
          assistants: [
            { id: 'as', prompt: 'Be brief.', topics: [{ id: 'tp', name: '渡船', createdAt: '2025-05-01T10:00:00Z' }] },
          ],
        }),
      }),
    },
    indexedDB: {
      topics: [
        {
          id: 'tp',
          messages: [
            { id: 'm1', role: 'user', blocks: ['b1'], createdAt: '2025-05-01T10:00:00Z' },
            { id: 'm2', role: 'assistant', askId: 'm1', blocks: ['b2', 'b3'], model: { id: 'qwen' } },
            { id: 'm3', role: 'assistant', askId: 'm1', blocks: ['b4'], useful: true },
            { id: 'm4', role: 'user', content: 'old style' },
          ],
        },
      ],
      message_blocks: [
        { id: 'b1', type: 'main_text', content: '几点开？' },
        { id: 'b2', type: 'thinking', content: '查表' },
        { id: 'b3', type: 'main_text', content: '八点' },
        { id: 'b4', type: 'main_text', content: '九点' },
      ],
    },
  }
  const to = openHouse('n')
  const report = await to.take('cherry.zip', zipSync({ 'data.json': strToU8(JSON.stringify(backup)) }))
  expect(report).toMatchObject({ format: 'cherry-studio', messages: 4, warnings: [] })
  const [id = ''] = report.sessionIds
  expect(to.store.getSession(id)).toMatchObject({ title: '渡船', topicPrompt: 'Be brief.' })
  const branch = to.store.branchOf(id)
  expect(branch.map((message) => message.text)).toEqual(['几点开？', '九点', 'old style'])
  const [first] = branch[1]?.siblings ?? []
  expect(to.store.getMessage(first ?? '')).toMatchObject({
    modelId: 'qwen',
    parts: [
      { type: 'reasoning', text: '查表' },
      { type: 'text', text: '八点' },
    ],
  })
})

it('imports a chat of SillyTavern with its swipes', async () => {
  const lines = [
    {
      user_name: 'You',
      character_name: 'Harbour master',
      create_date: '2024-2-3 @12h 30m 15s 123ms',
      chat_metadata: {},
    },
    { name: 'Harbour master', is_user: false, mes: 'Speak.', send_date: 'February 3, 2024 5:30pm' },
    { name: 'System', is_system: true, mes: 'hidden', extra: { type: 'help' } },
    { name: 'You', is_user: true, mes: '几点了？', send_date: 'soon' },
    {
      name: 'Harbour master',
      is_user: false,
      mes: 'Late.',
      swipes: ['Early.', 'Late.'],
      swipe_id: 1,
      extra: { model: 'm' },
    },
  ]
  const to = openHouse('n')
  const report = await to.take('Harbour master - night.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'))
  expect(report).toMatchObject({
    format: 'sillytavern',
    messages: 4,
    warnings: ['1 system notes of the chat were left out.'],
  })
  const branch = to.store.branchOf(report.sessionIds[0] ?? '')
  expect(branch.map((message) => [message.role, message.text])).toEqual([
    ['assistant', 'Speak.'],
    ['user', '几点了？'],
    ['assistant', 'Late.'],
  ])
  expect(branch[2]?.siblings).toHaveLength(2)
  expect(branch[0]?.createdAt).toBe(new Date(2024, 1, 3, 17, 30).toISOString())
  expect(branch[1]?.createdAt).toBe(branch[0]?.createdAt)
})

it('writes the visible branch as Markdown, several chats as a ZIP file', async () => {
  const from = await fullHouse()
  const one = await from.calls['transfer.export']({ sessionIds: [from.session.id], format: 'markdown' })
  expect(one.fileName).toBe('第三幕.md')
  expect(decode(one)).toContain('# 第三幕\n\n**Topic prompt**\n\n> one night\n\n## User · 1970-01-01')
  expect(decode(one)).toContain('found it')
  expect(decode(one)).not.toContain('other version')
  const twin = from.store.createSession({ title: '第三幕' })
  const both = await from.calls['transfer.export']({ sessionIds: [from.session.id, twin.id], format: 'markdown' })
  expect(both.fileName).toBe('strata-2-chats.zip')
  await expect(from.calls['transfer.export']({ sessionIds: ['gone'], format: 'json' })).rejects.toMatchObject({
    code: 'not_found',
  })
})

it('bundles an answer with what was sent for it', async () => {
  const { calls, store } = openHouse('n')
  const { id } = store.createSession({})
  const sent = store.insertMessage({ id: 'sent-1', sessionId: id, parentId: null, role: 'assistant', text: 'a' })
  const bundle = JSON.parse(decode(await calls['transfer.record']({ messageId: sent.id })))
  expect(bundle).toMatchObject({ format: 'strata-record', message: { text: 'a' }, records: [{ sentAt: 'then' }] })
  const other = store.insertMessage({ sessionId: id, parentId: sent.id, role: 'user', text: 'u' })
  expect(() => calls['transfer.record']({ messageId: other.id })).toThrow('nothing was sent')
})
