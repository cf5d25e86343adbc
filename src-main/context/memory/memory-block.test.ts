import { expect, onTestFinished, test } from 'vitest'
import { settingsSchema } from '../../settings/contract'
import { testRoom } from '../../testing/memory-room-rig'
import { temporaryFolder } from '../../testing/temporary-folder'
import { message, turnInput } from '../../testing/turn-builders'
import type { TurnInput } from '../block-source'
import type { MemoryUseEntry } from './contract'
import type { Retrieval } from './retrieval-contract'

const NOW = { epochMs: Date.parse('2026-11-30T12:00:00.000Z'), iso: '2026-11-30T12:00:00.000Z', timeZone: 'UTC' }

function open(...texts: string[]) {
  const opened = testRoom(temporaryFolder())
  onTestFinished(() => opened.room.close())
  const memories = texts.map((text) => opened.room.save({ text }))
  const collect = (draft: string, more: Partial<TurnInput> = {}) =>
    opened.room.source.collect(
      turnInput({ draft, branch: [message('u1', 'user', draft)], now: NOW, ...more }),
      new AbortController().signal,
    )
  return { ...opened, memories, collect }
}
const withMemory = (memory: Record<string, unknown>) => settingsSchema.parse({ memory })

test.each<[string, string, Partial<TurnInput>]>([
  ['off', 'my cello', { settings: withMemory({ enabled: false }) }],
  ['isolated', 'my cello', { isolated: true }],
  ['temporary', 'my cello', { temporary: true }],
  ['what_if', 'my cello', { overrides: { blocksOff: ['memory'] } }],
  ['empty_query', 'hi', {}],
  ['empty_query', '🙂', {}],
  ['nothing_relevant', 'Write a haiku about autumn', {}],
])('absent: %s for %j', async (reason, draft, more) => {
  const { collect } = open('The user plays the cello')
  const block = await collect(draft, more)
  expect(block.items).toEqual([])
  expect(block.absent).toMatchObject({ block: 'memory', reason })
  expect(block.commit).toBeUndefined()
})

test('absent: nothing stored, also when all is archived', async () => {
  expect((await open().collect('my cello')).absent?.reason).toBe('nothing_stored')
  const { collect, room, memories } = open('The user plays the cello')
  await room.handlers['memory.archive']({ ids: [memories[0]?.id ?? ''], archived: true })
  expect((await collect('my cello')).absent?.reason).toBe('nothing_stored')
})

test('injects what matches, says why, and gives every other candidate a verdict', async () => {
  const { collect, memories } = open('The user plays the cello', 'The user sold the cello case', 'Rent is due')
  const block = await collect('what about my cello?', { settings: withMemory({ topK: 1 }) })
  expect(block.items.length).toBe(1)
  const [item] = block.items
  expect(item).toMatchObject({ placement: { at: 'block' }, why: { code: 'retrieved' } })
  expect(item?.text).toMatch(/^- The user .* cello/)
  const record = block.record as Retrieval
  expect(block.rejected.map((verdict) => verdict.reason)).toContain('over_top_k')
  expect(
    new Set([...block.items.map((entry) => entry.id), ...block.rejected.map((entry) => entry.sourceId)]).size,
  ).toBe(record.candidates.length)
  expect(memories.map((memory) => memory.id)).toContain(item?.id)
})

test('Top K 0 injects every active memory in creation order, even for a greeting', async () => {
  const { collect, room, memories } = open('first fact', 'second fact', 'third fact')
  await room.handlers['memory.archive']({ ids: [memories[1]?.id ?? ''], archived: true })
  const block = await collect('hi', { settings: withMemory({ topK: 0 }) })
  expect(block.items.map((item) => item.text)).toEqual(['- first fact', '- third fact'])
  expect(block.items[0]?.why.code).toBe('always')
  expect((await collect('hi', { overrides: { topK: 0 } })).items.length).toBe(2)
})

test('Top K 0 stops at the token ceiling and names what stayed out', async () => {
  const { collect } = open(...Array.from({ length: 12 }, (_, at) => `${at} ${'word '.repeat(150)}`))
  const block = await collect('hi', { settings: withMemory({ topK: 0 }) })
  const record = block.record as Retrieval
  expect(record.ceiling.used).toBeLessThanOrEqual(record.ceiling.total)
  expect(block.items.length).toBeGreaterThan(2)
  expect(block.rejected.every((verdict) => verdict.reason === 'over_token_ceiling')).toBe(true)
  expect(block.items.length + block.rejected.length).toBe(12)
})

test('what no longer holds goes in only for a question about the past, and says so', async () => {
  const { collect, room, memories } = open('The user lives in Berlin')
  room.save({ text: 'The user lives in Vienna', replaces: memories[0]?.id ?? '' })
  const later = { now: { ...NOW, epochMs: NOW.epochMs + 1000, iso: '2026-11-30T12:00:01.000Z' } }
  expect((await collect('where do I live?', later)).items.map((item) => item.text)).toEqual([
    '- The user lives in Vienna',
  ])
  const past = await collect('where did I live before? in Berlin? I used to live there', later)
  expect(past.items.map((item) => item.text)).toContain('- (true until 2026-11-30) The user lives in Berlin')
})

test('a preview leaves no trace; a sent turn counts what it injected once, whatever is repeated', async () => {
  const { collect, room, memories, database } = open('The user plays the cello', 'Rent is due')
  const id = memories[0]?.id ?? ''
  const before = database.prepare('SELECT * FROM memory').all()
  const block = await collect('my cello', { purpose: 'preview' })
  expect(database.prepare('SELECT * FROM memory').all()).toEqual(before)
  const sent = { turnId: 't1', userMessageId: 'u1', replyMessageId: 'a1' }
  block.commit?.(sent)
  block.commit?.(sent)
  expect(await room.handlers['memory.get']({ id })).toMatchObject({ accessCount: 1 })
  room.answered({
    messageId: 'a1',
    text: 'You play the cello very well!',
    question: { messageId: 'u1', sessionId: 's1', text: 'my cello' },
  })
  const { uses } = (await room.handlers['memory.usage']({ messageId: 'a1' })) as { uses: MemoryUseEntry[] }
  expect(uses.map((use) => use.use).sort()).toEqual(['injected', 'retrieved', 'used'])
})

test('the same turn asked twice gives the same block', async () => {
  const { collect } = open('The user plays the cello', 'The user bought a cello bow', 'Rent is due')
  const [one, two] = [await collect('my cello'), await collect('my cello')]
  expect(one.items).toEqual(two.items)
  expect(one.rejected).toEqual(two.rejected)
})

test('a short draft is helped by the user turn before it', async () => {
  const { collect } = open('Anna, my sister, plays the cello')
  const branch = [
    message('u1', 'user', 'Tell me about my sister Anna'),
    message('a1', 'assistant', 'Gladly.'),
    message('u2', 'user', 'Which instrument?'),
  ]
  expect((await collect('Which instrument?')).items).toEqual([])
  expect((await collect('Which instrument?', { branch })).items.length).toBe(1)
})
