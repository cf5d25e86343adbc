import { expect, it } from 'vitest'
import { createRouter } from '../ipc/router'
import { fixedClock } from '../testing/fixed-clock'
import { idSequence } from '../testing/id-sequence'
import { memoryDatabase } from '../testing/memory-database'
import { temporaryFolder } from '../testing/temporary-folder'
import type { Attachment } from './composer-contract'
import { type Folder, type Session, sessionCalls } from './contract'
import { sessionHandlers } from './handlers'
import { sessionMigrations } from './migrations'
import { createSessionStore } from './session-store'

function open() {
  const database = memoryDatabase(sessionMigrations)
  const clock = fixedClock()
  const ids = idSequence()
  const names: string[] = []
  const emit = (name: string) => names.push(name)
  const store = createSessionStore({ database, dataDir: temporaryFolder(), ids, now: clock.now, emit })
  const bugs: unknown[] = []
  const router = createRouter((_name, error) => bugs.push(error))
  router.register(sessionCalls, sessionHandlers({ store, database, ids, emit, defaultGlobalPromptId: () => 'default' }))
  const reply = (name: keyof typeof sessionCalls, input: unknown) => router.dispatch(name, input)
  const call = async <T>(name: keyof typeof sessionCalls, input: unknown): Promise<T> => {
    const answer = await reply(name, input)
    if (!answer.ok) throw new Error(answer.error.message)
    return answer.value as T
  }
  return { database, clock, store, reply, call, names, bugs }
}

it('new sessions take the default prompt unless they name one or none', async () => {
  const { call } = open()
  expect((await call<Session>('sessions.create', {})).globalPromptId).toBe('default')
  expect((await call<Session>('sessions.create', { globalPromptId: null })).globalPromptId).toBeNull()
  expect((await call<Session>('sessions.create', { globalPromptId: 'mine' })).globalPromptId).toBe('mine')
})

it.each([
  ['sessions.create', { colour: 'red' }, 'bad_input'],
  ['sessions.get', { sessionId: 'none' }, 'not_found'],
  ['sessions.update', { sessionId: 'none', patch: {} }, 'not_found'],
  ['sessions.update', { sessionId: 'none', patch: { historyLimit: -1 } }, 'bad_input'],
  ['sessions.fork', { sessionId: 'none' }, 'not_found'],
  ['sessions.create', { folderId: 'none' }, 'not_found'],
  ['sessions.list', { cursor: 'forged' }, 'bad_input'],
  ['messages.get', { messageId: 'none' }, 'not_found'],
  ['messages.edit', { messageId: 'none', text: '' }, 'not_found'],
  ['messages.select', { messageId: 'none' }, 'not_found'],
  ['messages.remove', { messageId: 'none' }, 'not_found'],
  ['messages.append', { sessionId: 'none', text: 'x' }, 'not_found'],
  ['folders.save', { id: 'none', name: 'x' }, 'not_found'],
  ['folders.remove', { id: 'none' }, 'not_found'],
  ['tags.save', { id: 'none', name: 'x' }, 'not_found'],
  ['tags.remove', { id: 'none' }, 'not_found'],
  ['snippets.save', { id: 'none', name: 'x', text: '' }, 'not_found'],
  ['snippets.remove', { id: 'none' }, 'not_found'],
  ['attachments.read', { sha256: '../../etc/passwd' }, 'not_found'],
  ['drafts.save', { sessionId: 'none', text: 'x' }, 'not_found'],
] as const)('%s refuses %j with %s', async (name, input, code) => {
  const { reply, bugs } = open()
  expect(await reply(name, input)).toMatchObject({ ok: false, error: { code } })
  expect(bugs).toEqual([])
})

it('keeps folders free of circles and moves content up when one goes', async () => {
  const { call, reply } = open()
  const outer = await call<Folder>('folders.save', { name: 'Fogharbour' })
  const inner = await call<Folder>('folders.save', { name: 'Act three', parentId: outer.id })
  expect(await reply('folders.save', { id: outer.id, name: 'Fogharbour', parentId: inner.id })).toMatchObject({
    ok: false,
    error: { code: 'bad_input' },
  })
  const session = await call<Session>('sessions.create', { folderId: inner.id })
  expect(await call('sessions.list', { folderId: outer.id })).toMatchObject({ sessions: [{ id: session.id }] })
  await call('folders.remove', { id: inner.id })
  expect(await call('sessions.get', { sessionId: session.id })).toMatchObject({ session: { folderId: outer.id } })
  await call('folders.remove', { id: outer.id })
  expect(await call('sessions.list', { folderId: null })).toMatchObject({ sessions: [{ folderId: null }] })
})

it('tags have one owner per name, and leave their sessions when removed', async () => {
  const { call, reply } = open()
  const tag = await call<{ id: string; colour: string }>('tags.save', { name: '小说' })
  expect(tag.colour).toMatch(/^#[0-9a-f]{6}$/)
  expect(await reply('tags.save', { name: '小说' })).toMatchObject({ ok: false, error: { code: 'conflict' } })
  const { id } = await call<Session>('sessions.create', {})
  expect(await call('sessions.update', { sessionId: id, patch: { tagIds: [tag.id] } })).toMatchObject({
    tagIds: [tag.id],
  })
  expect(await reply('sessions.update', { sessionId: id, patch: { tagIds: ['none'] } })).toMatchObject({ ok: false })
  await call('tags.remove', { id: tag.id })
  expect(await call('sessions.get', { sessionId: id })).toMatchObject({ session: { tagIds: [] } })
})

it('lists pinned sessions first, then the last used, page by page, by view', async () => {
  const { call, clock } = open()
  const ids: string[] = []
  for (const title of ['a', 'b', 'c', 'd']) {
    clock.advance(1000)
    ids.push((await call<Session>('sessions.create', { title })).id)
  }
  await call('sessions.update', { sessionId: ids[0], patch: { pinned: true } })
  await call('sessions.update', { sessionId: ids[1], patch: { archived: true } })
  await call('sessions.remove', { sessionIds: [ids[2]] })
  const titles = async (input: object) => {
    const { sessions } = await call<{ sessions: Session[] }>('sessions.list', input)
    return sessions.map((session) => session.title)
  }
  expect(await titles({})).toEqual(['a', 'd'])
  expect(await titles({ view: 'archived' })).toEqual(['b'])
  expect(await titles({ view: 'bin' })).toEqual(['c'])
  expect(await titles({ view: 'all' })).toEqual(['a', 'd', 'b'])
  expect(await titles({ view: 'all', query: 'D' })).toEqual(['d'])
  expect(await titles({ view: 'all', query: '%' })).toEqual([])
  const page = await call<{ nextCursor: string }>('sessions.list', { view: 'all', limit: 2 })
  expect(await titles({ view: 'all', limit: 2, cursor: page.nextCursor })).toEqual(['b'])
})

it('keeps drafts with queue and attachments per session and for the new chat', async () => {
  const { call } = open()
  const { id } = await call<Session>('sessions.create', {})
  const file = await call<Attachment>('attachments.add', {
    name: 'a.md',
    mediaType: 'image/png',
    dataBase64: Buffer.from('# tides').toString('base64'),
  })
  expect(file.mediaType).toBe('text/markdown')
  await call('drafts.save', { sessionId: null, text: 'new chat' })
  await call('drafts.save', { sessionId: id, text: 'half', attachments: [file.id], queue: ['next', 'after'] })
  await call('drafts.save', { sessionId: id, text: 'half a' })
  expect(await call('drafts.get', { sessionId: id })).toEqual({
    text: 'half a',
    attachments: [file],
    queue: ['next', 'after'],
    revision: 2,
    saves: [],
  })
  expect(await call('drafts.get', { sessionId: null })).toMatchObject({ text: 'new chat', queue: [] })
  await call('drafts.save', { sessionId: id, text: '', attachments: [], queue: [] })
  expect(await call('drafts.get', { sessionId: id })).toEqual({
    text: '',
    attachments: [],
    queue: [],
    revision: 3,
    saves: [],
  })
  expect(await call('attachments.read', { sha256: file.sha256 })).toEqual({
    mediaType: 'text/markdown',
    dataBase64: Buffer.from('# tides').toString('base64'),
  })
})

it('appends below what is shown, without asking for an answer', async () => {
  const { call } = open()
  const { id } = await call<Session>('sessions.create', {})
  const first = await call<{ id: string }>('messages.append', { sessionId: id, text: 'one' })
  expect(await call('messages.append', { sessionId: id, text: 'two' })).toMatchObject({
    parentId: first.id,
    replyWanted: false,
    role: 'user',
  })
})

it('snippets are kept by name', async () => {
  const { call, names } = open()
  const saved = await call<{ id: string }>('snippets.save', { name: 'Tighten', text: 'Tighten {{text}}' })
  await call('snippets.save', { id: saved.id, name: 'Tighten', text: 'Cut {{text}}' })
  expect(await call('snippets.list', {})).toEqual([{ id: saved.id, name: 'Tighten', text: 'Cut {{text}}' }])
  await call('snippets.remove', { id: saved.id })
  expect(await call('snippets.list', {})).toEqual([])
  expect(names.filter((name) => name === 'snippets.changed')).toHaveLength(3)
})
