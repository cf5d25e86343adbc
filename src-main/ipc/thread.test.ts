import { afterEach, expect, it } from 'vitest'
import { Thread } from './thread'

const thread = new Thread<string, string>({
  bundled: undefined,
  source: new URL('../testing/ending-worker.ts', import.meta.url),
  room: 'ending',
})
afterEach(() => thread.stop())

it('a thread that ends tells who waited, and is there again for the next one', async () => {
  await expect(Promise.all([thread.ask('one'), thread.ask('exit')])).rejects.toThrow('The thread ended.')
  expect(await thread.ask('two')).toBe('two')
  await expect(thread.ask('crash')).rejects.toThrow('cut off in the middle')
  expect(await thread.ask('three')).toBe('three')
})

it('a thread that ends again and again is not started in a loop', async () => {
  await expect(thread.ask('exit')).rejects.toThrow('The thread ended.')
  await expect(thread.ask('exit')).rejects.toThrow('The thread ended.')
  await expect(thread.ask('one')).rejects.toThrow('started again in a moment')
  expect(thread.running).toBe(false)
  await expect.poll(() => thread.ask('two').catch(() => 'not yet'), { timeout: 10_000 }).toBe('two')
})
