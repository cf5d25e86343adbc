import { afterEach, expect, test, vi } from 'vitest'
import { runningApp, type TestApp } from '../testing/running-app'

let app: TestApp | undefined
afterEach(async () => {
  vi.restoreAllMocks()
  await app?.close()
})

test('a turn happens when its message was sent, however late it begins: the next turn repeats its time', async () => {
  app = await runningApp()
  await app.call('settings.update', { patch: { context: { layout: 'cache-first', landmarks: { enabled: false } } } })
  const { id: sessionId } = await app.call('sessions.create', { modelId: 'dry-run/dry-run' })
  let clock = Date.now()
  // every look at the clock is three seconds after the one before
  vi.spyOn(Date, 'now').mockImplementation(() => {
    clock += 3000
    return clock
  })
  const timesSent = async (text: string) => {
    const { turnId, replyMessageId } = (await app?.call('turns.send', { sessionId, text })) ?? {}
    await app?.event('turn.done', (done) => done.turnId === turnId)
    const record = await app?.call('turns.record', { messageId: replyMessageId ?? '' })
    return record?.ledger
      .filter((span) => span.sourceId === 'time' || span.label.startsWith('Local'))
      .map((span) => span.text)
  }
  const first = await timesSent('Low water?')
  const second = await timesSent('And high water?')
  expect(first).toHaveLength(1)
  expect(second).toHaveLength(2)
  expect(second?.[0]).toBe(first?.[0])
})
