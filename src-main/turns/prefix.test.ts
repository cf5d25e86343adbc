import { afterEach, expect, test } from 'vitest'
import type { Segment, Span } from '../context/contract'
import { runningApp, type TestApp } from '../testing/running-app'
import { sharedPrefix } from './prefix'

let app: TestApp | undefined
afterEach(() => app?.close())

function sent(...spans: [Segment, string, number][]): { body: string; ledger: Span[] } {
  const ledger = spans.map(([segment, text, tokens], index): Span => {
    const place = { id: `m${index}`, message: index, role: 'user' as const, kind: 'text' as const }
    return { ...place, segment, sourceId: text, label: text, text, tokens }
  })
  return { body: ledger.map(({ text }) => text).join('|'), ledger }
}

test('growing at the end breaks nothing', () => {
  const before = sent(['system_prompt', 'Mind the tides.', 4], ['draft', 'First?', 2])
  const now = sent(['system_prompt', 'Mind the tides.', 4], ['history', 'First?', 2], ['history', 'Yes.', 2])
  expect(sharedPrefix(now, before)).toEqual({ sharedBytes: 22, totalBytes: 27, sharedTokens: 6, lostTokens: 0 })
})

test('a change costs the texts behind it that had been sent before', () => {
  const before = sent(['time', '9:00', 3], ['history', 'First?', 2], ['draft', 'Second?', 5])
  const now = sent(['time', '9:05', 3], ['history', 'First?', 2], ['history', 'Second?', 5], ['draft', 'Third?', 7])
  expect(sharedPrefix(now, before)).toMatchObject({ sharedTokens: 0, lostTokens: 7, firstChange: { segment: 'time' } })
})

test('a shared prefix shorter than the server caches says what it takes', () => {
  const one = sent(['system_prompt', 'Mind the tides.', 4])
  expect(sharedPrefix(one, one, 1024)).toMatchObject({ sharedTokens: 4, leastTokens: 1024 })
  expect(sharedPrefix(one, one, 4)).not.toHaveProperty('leastTokens')
})

test('preview and record are held against the request before them on the branch', async () => {
  app = await runningApp()
  const modelId = 'dry-run/dry-run'
  const { id: sessionId } = await app.call('sessions.create', { modelId, topicPrompt: 'Only speak of tides.' })
  await app.call('settings.update', { patch: { context: { sendTime: false, landmarks: { enabled: false } } } })
  const answers: string[] = []
  for (const text of ['When is low water?', 'And tomorrow?']) {
    const { turnId, replyMessageId } = await app.call('turns.send', { sessionId, text })
    await app.event('turn.done', (done) => done.turnId === turnId)
    answers.push(replyMessageId)
  }
  const [first, second] = await Promise.all(
    answers.map(async (messageId) => (await app?.call('turns.record', { messageId }))?.prefix),
  )
  expect(first).toBeUndefined()
  expect(second).toMatchObject({ lostTokens: 0 })
  expect(second).not.toHaveProperty('firstChange')
  await app.call('sessions.update', { sessionId, patch: { topicPrompt: 'Only speak of winds.' } })
  const { prefix } = await app.call('turns.preview', { sessionId, draft: 'Why?' })
  expect(prefix?.firstChange?.segment).toBe('topic_prompt')
  expect(prefix?.leastTokens).toBe(1024)
  expect(prefix?.lostTokens).toBeGreaterThan(0)
})
