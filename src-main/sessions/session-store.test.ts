import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fixedClock } from '../testing/fixed-clock'
import { idSequence } from '../testing/id-sequence'
import { memoryDatabase } from '../testing/memory-database'
import { temporaryFolder } from '../testing/temporary-folder'
import type { Message } from './contract'
import type { Fork } from './fork'
import { sessionMigrations } from './migrations'
import type { Departure } from './session-desks'
import { createSessionStore } from './session-store'

function openStore() {
  const database = memoryDatabase(sessionMigrations)
  const clock = fixedClock()
  const events: { name: string; payload: unknown }[] = []
  const dataDir = temporaryFolder()
  const store = createSessionStore({
    database,
    dataDir,
    ids: idSequence(),
    now: clock.now,
    emit: (name, payload) => events.push({ name, payload }),
    countTokens: (text) => text.length,
  })
  const say = (sessionId: string, role: Message['role'], text: string, parentId: string | null) => {
    clock.advance(1000)
    return store.insertMessage({ sessionId, role, text, parentId })
  }
  return { store, database, clock, events, dataDir, say }
}

const texts = (messages: readonly Message[]) => messages.map((message) => message.text)

it('creates a session with defaults and tells about it', () => {
  const { store, events } = openStore()
  const session = store.createSession({ topicPrompt: 'Act three' })
  expect(session).toMatchObject({
    title: '',
    titleSource: 'auto',
    topicPrompt: 'Act three',
    enhancedPrompt: null,
    summarise: true,
    folderId: null,
    tagIds: [],
    createdAt: '2026-11-30T12:00:00.000Z',
    messageCount: 0,
  })
  expect(events).toEqual([{ name: 'sessions.changed', payload: { ids: [session.id] } }])
})

it('takes the title from the first words until somebody gives one', () => {
  const { store, say } = openStore()
  const session = store.createSession({})
  say(session.id, 'user', '# When does   the ferry leave?\nAnd from where?', null)
  expect(store.getSession(session.id)).toMatchObject({ title: 'When does the ferry leave?', titleSource: 'auto' })
  expect(store.setModelTitle(session.id, 'Ferry times')).toBe(true)
  expect(store.patchSession(session.id, { title: 'Mine' }).titleSource).toBe('user')
  expect(store.setModelTitle(session.id, 'Not mine')).toBe(false)
  expect(store.getSession(session.id)?.title).toBe('Mine')
})

it('shows the newest sibling, and the older one with its branch when selected', () => {
  const { store, say } = openStore()
  const { id } = store.createSession({})
  const u1 = say(id, 'user', 'u1', null)
  const a1 = say(id, 'assistant', 'a1', u1.id)
  const u2 = say(id, 'user', 'u2', a1.id)
  say(id, 'assistant', 'a2', u2.id)
  const b1 = say(id, 'assistant', 'b1', u1.id)
  expect(texts(store.branchOf(id))).toEqual(['u1', 'b1'])
  expect(b1.siblings).toEqual([a1.id, b1.id])
  expect(b1.siblingInfo).toEqual([
    { messages: 2, lastAt: '2026-11-30T12:00:04.000Z' },
    { messages: 0, lastAt: '2026-11-30T12:00:05.000Z' },
  ])
  store.selectMessage(a1.id)
  expect(texts(store.branchOf(id))).toEqual(['u1', 'a1', 'u2', 'a2'])
})

it('selecting a deep message of a hidden branch shows the whole way to it', () => {
  const { store, say } = openStore()
  const { id } = store.createSession({})
  const u1 = say(id, 'user', 'u1', null)
  const a1 = say(id, 'assistant', 'a1', u1.id)
  const other = store.editMessage(u1.id, 'u1 edited')
  expect(texts(store.branchOf(id))).toEqual(['u1 edited'])
  expect(other.siblings).toEqual([u1.id, other.id])
  store.selectMessage(a1.id)
  expect(texts(store.branchOf(id))).toEqual(['u1', 'a1'])
  expect(texts(store.branchTo(id, other.id))).toEqual(['u1 edited'])
})

it('removes a subtree, shows the neighbour, and leaves the index', () => {
  const { store, say } = openStore()
  const gone: Departure[] = []
  store.onDeparture((departure) => gone.push(departure))
  const { id } = store.createSession({})
  const u1 = say(id, 'user', 'question', null)
  const a1 = say(id, 'assistant', 'first answer', u1.id)
  const b1 = say(id, 'assistant', 'second answer', u1.id)
  const u2 = say(id, 'user', 'kestrel', b1.id)
  expect(store.search({ query: 'kestrel' }).total).toBe(1)
  expect(store.removeMessage(b1.id)).toBe(2)
  expect(texts(store.branchOf(id))).toEqual(['question', 'first answer'])
  expect(store.search({ query: 'kestrel' }).total).toBe(0)
  expect(store.getSession(id)).toMatchObject({ messageCount: 2, snippet: 'first answer' })
  expect(gone).toEqual([{ sessionIds: [], messageIds: [b1.id, u2.id] }])
  expect(store.getMessage(a1.id)?.siblings).toEqual([a1.id])
})

it('removes the first message of a chain longer than SQLite cascades', async () => {
  const { store, database } = openStore()
  const { id } = store.createSession({})
  let parentId: string | null = null
  const first = store.insertMessage({ sessionId: id, role: 'user', text: 'm0', parentId })
  parentId = first.id
  for (let index = 1; index < 1500; index += 1) {
    parentId = store.insertMessage({ sessionId: id, role: 'user', text: `m${index}`, parentId }).id
  }
  expect(store.branchOf(id)).toHaveLength(1500)
  expect(store.removeMessage(first.id)).toBe(1500)
  expect(store.branchOf(id)).toEqual([])
  await store.cleaned()
  expect(database.prepare('SELECT count(*) AS n FROM message').get()).toEqual({ n: 0 })
  expect(store.branchOf(id)).toEqual([])
})

it('keeps streamed text with every write and indexes it only at the end', () => {
  const { store, say, events } = openStore()
  const { id } = store.createSession({})
  const user = say(id, 'user', 'go', null)
  const reply = store.insertMessage({
    sessionId: id,
    role: 'assistant',
    text: '',
    parts: [],
    parentId: user.id,
    state: 'streaming',
  })
  events.length = 0
  store.updateMessage(reply.id, { parts: [{ type: 'text', text: 'The tide' }] })
  expect(events).toEqual([])
  expect(store.getMessage(reply.id)).toMatchObject({ text: 'The tide', state: 'streaming' })
  expect(store.search({ query: 'tide' }).total).toBe(0)
  store.updateMessage(reply.id, {
    parts: [{ type: 'text', text: 'The tide turns' }],
    state: 'complete',
    finishReason: 'stop',
  })
  expect(store.getMessage(reply.id)).toMatchObject({ text: 'The tide turns', state: 'complete', finishReason: 'stop' })
  expect(store.search({ query: 'turns' }).total).toBe(1)
  expect(store.getSession(id)?.snippet).toBe('The tide turns')
  expect(events.map((event) => event.name)).toEqual(['messages.changed', 'sessions.changed'])
})

it('marks what streamed when the process died', () => {
  const { store, say } = openStore()
  const { id } = store.createSession({})
  const user = say(id, 'user', 'go', null)
  const reply = store.insertMessage({
    sessionId: id,
    role: 'assistant',
    text: 'half',
    parentId: user.id,
    state: 'streaming',
  })
  store.branchOf(id)
  expect(store.markInterrupted()).toEqual([reply.id])
  expect(store.getMessage(reply.id)).toMatchObject({ text: 'half', state: 'interrupted' })
  expect(store.search({ query: 'half' }).total).toBe(1)
  expect(store.markInterrupted()).toEqual([])
})

it('forgets nothing it cached when a transaction around it rolls back', () => {
  const { store, say, database } = openStore()
  const { id } = store.createSession({})
  const user = say(id, 'user', 'kept', null)
  expect(store.branchOf(id)).toHaveLength(1)
  expect(() =>
    database.transaction(() => {
      say(id, 'assistant', 'lost', user.id)
      expect(texts(store.branchOf(id))).toEqual(['kept', 'lost'])
      throw new Error('rolled back')
    })(),
  ).toThrow('rolled back')
  expect(texts(store.branchOf(id))).toEqual(['kept'])
})

it('forks with every setting and the branch up to a message', async () => {
  const { store, say } = openStore()
  const forks: Fork[] = []
  store.onFork((fork) => forks.push(fork))
  const source = store.createSession({
    title: 'Original',
    topicPrompt: 'topic',
    enhancedPrompt: 'enhanced',
    globalPromptId: 'g1',
    worldbookIds: ['w1', 'w2'],
    isolation: true,
    modelId: 'c/m',
  })
  store.patchSession(source.id, {
    historyLimit: 7,
    layout: 'cache-first',
    toolChoices: { web_fetch: 'ask' },
    workingFolder: '/srv/books',
    summarise: false,
    pinned: true,
  })
  const u1 = say(source.id, 'user', 'u1', null)
  const a1 = say(source.id, 'assistant', 'a1', u1.id)
  say(source.id, 'user', 'u2', a1.id)
  const fork = await store.fork(source.id, a1.id)
  const {
    id: _a,
    createdAt: _b,
    updatedAt: _c,
    pinned: _d,
    messageCount: _e,
    snippet: _f,
    isolatedMessages: _marked,
    ...before
  } = store.requireSession(source.id)
  const { id: _g, createdAt: _h, updatedAt: _i, pinned, messageCount, snippet: _j, forkedFrom, ...all } = fork
  const { isolatedMessages, ...after } = all
  expect(after).toEqual(before)
  expect(isolatedMessages).toBe(2)
  expect({ pinned, messageCount, forkedFrom }).toEqual({
    pinned: false,
    messageCount: 2,
    forkedFrom: { sessionId: source.id, messageId: a1.id },
  })
  const copy = store.branchOf(fork.id)
  expect(texts(copy)).toEqual(['u1', 'a1'])
  expect(copy.map((message) => message.createdAt)).toEqual([u1.createdAt, a1.createdAt])
  expect([...(forks[0]?.forkMap ?? [])]).toEqual([
    [u1.id, copy[0]?.id],
    [a1.id, copy[1]?.id],
  ])
  expect(store.branchOf(source.id)).toHaveLength(3)
})

it('a temporary session reaches neither the database nor the folder', async () => {
  const { store, database, dataDir, say } = openStore()
  const session = store.createSession({ temporary: true })
  const user = say(session.id, 'user', 'whisper', null)
  store.saveDraft(session.id, { text: 'secret draft' })
  const file = await store.addAttachment({ name: 'a.txt', bytes: Buffer.from('quiet'), temporary: true })
  store.insertMessage({ sessionId: session.id, parentId: user.id, role: 'user', text: 'x', attachments: [file.id] })
  expect(texts(store.branchOf(session.id))).toEqual(['whisper', 'x'])
  expect(store.getDraft(session.id).text).toBe('secret draft')
  expect(Buffer.from(await store.readAttachment(file.sha256)).toString()).toBe('quiet')
  for (const table of ['session', 'message', 'draft', 'attachment']) {
    expect(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 0 })
  }
  expect(readdirSync(dataDir)).toEqual([])
  expect(store.search({ query: 'whisper' }).total).toBe(0)
  expect(store.listSessions({}).sessions).toEqual([])
  expect(() => store.patchSession(session.id, { folderId: 'f' })).toThrow()
  expect((await store.fork(session.id)).temporary).toBe(true)
  expect(store.bin([session.id])).toEqual([session.id])
  expect(store.getSession(session.id)).toBeUndefined()
})

it('a temporary session takes a file out of the data folder', async () => {
  const { store, database, say } = openStore()
  const session = store.createSession({ temporary: true })
  const file = await store.addAttachment({ name: 'a.txt', bytes: Buffer.from('quiet') })
  store.saveDraft(session.id, { text: '', attachments: [file.id] })
  expect(store.getDraft(session.id).attachments).toEqual([file])
  const message = { sessionId: session.id, parentId: null, role: 'user' as const, text: 'x' }
  store.insertMessage({ ...message, attachments: [file.id] })
  await store.cleaned()
  expect(database.prepare('SELECT count(*) AS n FROM attachment').get()).toEqual({ n: 0 })
  expect(Buffer.from(await store.readAttachment(file.sha256)).toString()).toBe('quiet')
  expect(() => store.insertMessage({ ...message, attachments: ['nowhere'] })).toThrow('Attach it again')
  expect(say(session.id, 'user', 'y', null).siblings).toHaveLength(2)
})

it('bins, restores, purges and expires', () => {
  const { store, say, clock, database } = openStore()
  const { id } = store.createSession({ title: 'Lighthouse' })
  say(id, 'user', 'foghorn', null)
  expect(store.search({ query: 'foghorn' }).total).toBe(1)
  expect(store.bin([id, 'unknown'])).toEqual([id])
  expect(store.search({ query: 'foghorn' }).total + store.search({ query: 'lighthouse' }).total).toBe(0)
  expect(store.listSessions({}).sessions).toEqual([])
  expect(store.listSessions({ view: 'bin' }).sessions[0]).toMatchObject({ id, removedAt: '2026-11-30T12:00:01.000Z' })
  expect(store.restore([id])).toEqual([id])
  expect(store.search({ query: 'foghorn' }).total).toBe(1)
  store.bin([id])
  clock.advance(29 * 86_400_000)
  expect(store.purgeExpired(30)).toEqual([])
  clock.advance(2 * 86_400_000)
  expect(store.purgeExpired(30)).toEqual([id])
  expect(database.prepare('SELECT count(*) AS n FROM message').get()).toEqual({ n: 0 })
  expect(store.getSession(id)).toBeUndefined()
})

it('stores an attachment once and removes it with its last message', async () => {
  const { store, dataDir } = openStore()
  const { id } = store.createSession({})
  const bytes = Buffer.from('潮汐表')
  const one = await store.addAttachment({ name: 'tides.md', bytes })
  const again = await store.addAttachment({ name: 'tides.md', bytes })
  const renamed = await store.addAttachment({ name: 'copy.md', bytes })
  expect(again.id).toBe(one.id)
  expect(one).toMatchObject({ mediaType: 'text/markdown', extractedText: '潮汐表', tokens: 3, bytes: 9 })
  expect(renamed.id).not.toBe(one.id)
  expect(renamed.sha256).toBe(one.sha256)
  const first = store.insertMessage({ sessionId: id, parentId: null, role: 'user', text: 'a', attachments: [one.id] })
  const second = store.insertMessage({
    sessionId: id,
    parentId: null,
    role: 'user',
    text: 'b',
    attachments: [renamed.id],
  })
  expect(store.getMessage(first.id)?.attachments).toEqual([one])
  const path = join(dataDir, 'attachments', one.sha256.slice(0, 2), one.sha256)
  expect(second.attachments).toEqual([renamed])
  store.removeMessage(first.id)
  await store.cleaned()
  expect(existsSync(path)).toBe(true)
  store.removeMessage(second.id)
  await store.cleaned()
  expect(existsSync(path)).toBe(false)
})

it('sweeps what was added but never sent, and keeps what a draft names', async () => {
  const { store } = openStore()
  const kept = await store.addAttachment({ name: 'kept.txt', bytes: Buffer.from('kept') })
  const loose = await store.addAttachment({ name: 'loose.txt', bytes: Buffer.from('loose') })
  store.saveDraft(null, { text: '', attachments: [kept.id] })
  expect(await store.sweepFiles()).toEqual([loose.sha256])
  expect(store.getDraft(null).attachments).toEqual([kept])
  await expect(store.readAttachment(loose.sha256)).rejects.toMatchObject({ code: 'not_found' })
})

it('pages the branch from its newest end', () => {
  const { store, say } = openStore()
  const { id } = store.createSession({})
  let parentId: string | null = null
  for (let index = 0; index < 10; index += 1) parentId = say(id, 'user', `m${index}`, parentId).id
  const newest = store.branchPage(id, { limit: 3 })
  expect(texts(newest.messages)).toEqual(['m7', 'm8', 'm9'])
  expect({ hasMore: newest.hasMore, total: newest.total }).toEqual({ hasMore: true, total: 10 })
  const older = store.branchPage(id, { limit: 100, before: newest.messages[0]?.id })
  expect(texts(older.messages)).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6'])
  expect(older.hasMore).toBe(false)
})

it('a chat is unread from the end of an answer until a window has shown it', async () => {
  const { store, say } = openStore()
  const { id } = store.createSession({})
  const question = say(id, 'user', 'When?', null)
  const answer = store.insertMessage({
    sessionId: id,
    role: 'assistant',
    text: '',
    parentId: question.id,
    state: 'streaming',
  })
  store.updateMessage(answer.id, { text: 'At' })
  expect(store.requireSession(id).unread).toBeUndefined()
  store.updateMessage(answer.id, { text: 'At noon.', state: 'complete' })
  expect(store.requireSession(id).unread).toBe(true)
  expect((await store.fork(id)).unread).toBeUndefined()
  expect(store.patchSession(id, { unread: false }).unread).toBeUndefined()
  store.updateMessage(answer.id, { text: 'At one.' })
  expect(store.requireSession(id).unread).toBeUndefined()
})

it('find in chat goes down the visible branch, then through the other versions', async () => {
  const { store, say } = openStore()
  const { id } = store.createSession({})
  const first = say(id, 'user', 'the ferry', null)
  const old = say(id, 'assistant', 'the ferry leaves at ten', first.id)
  const shown = say(id, 'assistant', '渡船十一点开, the ferry', first.id)
  const last = say(id, 'user', 'no boat here', shown.id)
  await store.cleaned()
  expect(store.findInSession(id, 'ferry')).toEqual({ visible: [first.id, shown.id], hidden: [old.id] })
  expect(store.findInSession(id, '船')).toEqual({ visible: [shown.id], hidden: [] })
  expect(store.findInSession(id, ' ')).toEqual({ visible: [], hidden: [] })
  store.selectMessage(old.id)
  expect(store.findInSession(id, 'boat')).toEqual({ visible: [], hidden: [last.id] })
  expect(() => store.findInSession('nobody', 'ferry')).toThrow('does not exist')
})

it('finds in a temporary chat too', async () => {
  const { store, say } = openStore()
  const { id } = store.createSession({ temporary: true })
  const message = say(id, 'user', 'the ferry', null)
  await store.cleaned()
  expect(store.findInSession(id, 'ferry').visible).toEqual([message.id])
})
