import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fixedClock } from '../../testing/fixed-clock'
import { idSequence } from '../../testing/id-sequence'
import { memoryDatabase } from '../../testing/memory-database'
import { saveFolder } from '../folder-rows'
import { sessionMigrations } from '../migrations'
import { createSessionStore } from '../session-store'
import { saveTag } from '../tag-rows'
import { makeSnippet, termRanges } from './snippet'

function openStore() {
  const database = memoryDatabase(sessionMigrations)
  const clock = fixedClock()
  const store = createSessionStore({
    database,
    dataDir: '/nowhere',
    ids: idSequence(),
    now: clock.now,
    emit: () => {},
    globalPrompts: () => [
      {
        id: 'p1',
        name: 'Harbour editor',
        text: 'You edit fiction set in Fogharbour.',
        updatedAt: '2026-11-01T00:00:00.000Z',
      },
    ],
  })
  const chat = (title: string, ...lines: string[]) => {
    const session = store.createSession({ title })
    let parentId: string | null = null
    for (const text of lines) {
      clock.advance(60_000)
      parentId = store.insertMessage({ sessionId: session.id, role: 'user', text, parentId }).id
    }
    return session
  }
  const found = (query: string) => store.search({ query }).hits.map((hit) => hit.snippet)
  return { database, clock, store, chat, found }
}

it.each([
  ['港', ['港务长从不说“请”。']],
  ['港务', ['港务长从不说“请”。']],
  ['务长从', ['港务长从不说“请”。']],
  ['长务', []],
  ['kest', ['The Kestrel draws 1.8 m.']],
  ['KESTREL draws', ['The Kestrel draws 1.8 m.']],
  ['draws kestrel', ['The Kestrel draws 1.8 m.']],
  ['"kestrel draws"', ['The Kestrel draws 1.8 m.']],
  ['"draws kestrel"', []],
  ['1.8', ['The Kestrel draws 1.8 m.']],
  ['cafe', ['Ein Café am Kai, sessionStore und ⛵']],
  ['store', ['Ein Café am Kai, sessionStore und ⛵']],
  ['⛵', ['Ein Café am Kai, sessionStore und ⛵']],
  ['ひらがな', ['ひらがなとカタカナ']],
  ['', []],
  ['"', []],
  ['* OR NEAR(', []],
  ['kestrel -draws', ['The Kestrel draws 1.8 m.']],
])('finds %s', (query, expected) => {
  const { chat, found } = openStore()
  chat(
    '',
    '港务长从不说“请”。',
    'The Kestrel draws 1.8 m.',
    'Ein Café am Kai, sessionStore und ⛵',
    'ひらがなとカタカナ',
  )
  // the first message is also the title of an untitled chat: only messages are looked at here
  const hits = found(query).filter((snippet, index, all) => all.indexOf(snippet) === index)
  expect(hits).toEqual(expected)
})

it('any query is a query: no input breaks the syntax', () => {
  const { store, chat } = openStore()
  chat('x', 'some text 港务')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (query) => {
      expect(store.search({ query }).total).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: 500 },
  )
})

it('finds every word of a text by itself, whatever the script', () => {
  const { store, chat } = openStore()
  const texts = [
    '潮汐满潮间隔十二小时',
    'Springtide falls 3 metres',
    'Прилив и отлив',
    'Ölstraße über Brücke',
    'المد والجزر',
  ]
  chat('t', ...texts)
  for (const text of texts) {
    for (const word of text.split(' ')) {
      expect(store.search({ query: word }).hits.map((hit) => hit.snippet)).toContain(text)
    }
  }
})

it('finds what stands deep in a very long text', async () => {
  const { store, chat } = openStore()
  chat('t', `${'港口的夜晚'.repeat(20_000)}鲸背沙洲在北侧 and sessionStore`, '鲸背 沙洲')
  await store.cleaned()
  for (const query of ['鲸背沙洲', '背沙洲在', '洲', '夜晚港口', 'store']) {
    const { hits } = store.search({ query })
    expect(hits.at(-1)?.snippet.length, query).toBeGreaterThan(40)
    expect(hits.at(-1)?.ranges.length, query).toBeGreaterThan(0)
  }
  expect(store.search({ query: '鲸背北侧' }).total).toBe(0)
})

it('puts titles first, then prompts, then messages from the newest', () => {
  const { store, chat } = openStore()
  const one = chat('Ferry one', 'ferry a', 'ferry b')
  store.patchSession(one.id, { topicPrompt: 'All about the ferry', enhancedPrompt: 'Mention no ferry' })
  chat('Ferry two')
  const page = store.search({ query: 'ferry', limit: 3 })
  expect(page.total).toBe(6)
  expect(page.hits.map((hit) => [hit.field, hit.snippet])).toEqual([
    ['title', 'Ferry two'],
    ['title', 'Ferry one'],
    ['topic_prompt', 'All about the ferry'],
  ])
  const rest = store.search({ query: 'ferry', limit: 3, cursor: page.nextCursor ?? '' })
  expect(rest.hits.map((hit) => [hit.field, hit.snippet])).toEqual([
    ['enhanced_prompt', 'Mention no ferry'],
    ['message', 'ferry b'],
    ['message', 'ferry a'],
  ])
  expect(rest.nextCursor).toBeNull()
  expect(store.search({ query: 'fogharbour' }).hits).toMatchObject([
    { field: 'global_prompt', promptId: 'p1', sessionId: '', title: 'Harbour editor' },
  ])
})

it('finds every version, and what was changed only in its new form', () => {
  const { store, chat } = openStore()
  const session = chat('t', 'first wording')
  const [message] = store.branchOf(session.id)
  store.editMessage(message?.id ?? '', 'second version')
  expect(store.search({ query: 'wording' }).hits[0]?.messageId).toBe(message?.id)
  expect(store.search({ query: 'version' }).total).toBe(1)
  store.patchSession(session.id, { title: 'renamed' })
  expect(store.search({ query: 'renamed' }).total).toBe(1)
  store.updateMessage(message?.id ?? '', { text: 'third phrase' })
  expect(store.search({ query: 'wording' }).total).toBe(0)
  expect(store.search({ query: 'phrase' }).total).toBe(1)
})

it('filters by folder with what lies inside it, tag, model, time and session', () => {
  const { store, chat, database } = openStore()
  saveFolder(database, { id: 'f1', name: 'Fogharbour' }, true)
  saveFolder(database, { id: 'f2', name: 'Act three', parentId: 'f1' }, true)
  saveTag(database, { id: 't1', name: 'novel' }, true)
  const a = chat('', 'tide one')
  const b = chat('', 'tide two')
  store.patchSession(a.id, { title: 'A', folderId: 'f2', tagIds: ['t1'], modelId: 'c/m' })
  store.patchSession(b.id, { title: 'B' })
  const ids = (options: Omit<Parameters<typeof store.search>[0], 'query'>) =>
    store.search({ query: 'tide', ...options }).hits.map((hit) => hit.snippet)
  expect(ids({})).toEqual(['tide two', 'tide one'])
  expect(ids({ folderId: 'f1' })).toEqual(['tide one'])
  expect(ids({ folderId: null })).toEqual(['tide two'])
  expect(ids({ tagId: 't1' })).toEqual(['tide one'])
  expect(ids({ modelId: 'c/m' })).toEqual(['tide one'])
  expect(ids({ sessionId: b.id })).toEqual(['tide two'])
  expect(ids({ after: '2026-11-30T13:01:30+01:00' })).toEqual(['tide two'])
  expect(ids({ before: '2026-11-30T13:01:30+01:00' })).toEqual(['tide one'])
})

it('highlights in UTF-16 offsets, through case, accents and emoji', () => {
  const { snippet, ranges } = makeSnippet(`${'x'.repeat(300)} 👩‍👩‍👧 Le CAFÉ\ndu port 港务长`, ['cafe', '港务'])
  expect(ranges.map(([start, end]) => snippet.slice(start, end))).toEqual(['CAFÉ', '港务'])
  expect(snippet.startsWith('…')).toBe(true)
  expect(snippet).not.toContain('\n')
  expect(termRanges('aXaX', ['ax', 'xa'])).toEqual([[0, 4]])
})

it('indexes a long session in the background, and takes up again what a crash left', async () => {
  const { store, chat, database } = openStore()
  const long = chat('t', ...Array.from({ length: 300 }, (_, index) => `entry ${index} kelp`))
  const fork = await store.fork(long.id)
  expect(store.search({ query: 'kelp' }).total).toBe(300)
  await store.cleaned()
  expect(store.search({ query: 'kelp' }).total).toBe(600)
  store.bin([fork.id])
  store.restore([fork.id])
  store.bin([fork.id])
  await store.cleaned()
  expect(store.search({ query: 'kelp' }).total).toBe(300)
  store.restore([fork.id])
  const next = createSessionStore({
    database,
    dataDir: '/nowhere',
    ids: idSequence('x'),
    now: Date.now,
    emit: () => {},
  })
  next.markInterrupted()
  await next.cleaned()
  expect(next.search({ query: 'kelp' }).total).toBe(600)
})

it('purged words leave the file of the index', async () => {
  const { store, chat, database } = openStore()
  const session = chat('t', 'zanzibarcanary')
  for (let index = 0; index < 40; index += 1) chat('u', `other words ${index}`)
  const inIndex = () =>
    database
      .prepare<[], { block: Buffer }>('SELECT block FROM message_index_data')
      .all()
      .some((row) => row.block.includes('zanzibarcanary'))
  expect(inIndex()).toBe(true)
  store.purge([session.id])
  await store.cleaned()
  expect(store.search({ query: 'zanzibarcanary' }).total).toBe(0)
  expect(inIndex()).toBe(false)
})
