import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { MessagePart } from '../sessions/contract'
import { AnswerWriter } from './answer-writer'

/** What a crash now would leave, rebuilt from every save as the store does it. */
class Kept {
  parts: MessagePart[] = []
  written = 0
  takes = true
  readonly save = (patch: { parts?: MessagePart[] }, grown?: { part: number; text: string }): boolean => {
    if (!this.takes) return false
    if (grown) {
      const part = this.parts[grown.part]
      if (part?.type === 'text' || part?.type === 'reasoning') part.text += grown.text
      this.written += grown.text.length
    } else {
      this.parts = structuredClone(patch.parts ?? [])
      this.written += JSON.stringify(this.parts).length
    }
    return true
  }
  get text(): string {
    return this.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  }
}

let kept: Kept
let writer: AnswerWriter

beforeEach(() => {
  vi.useFakeTimers()
  kept = new Kept()
  writer = new AnswerWriter(
    { turnId: 't', messageId: 'm', emit: () => undefined, clock: Date.now, save: kept.save },
    [],
  )
})
afterEach(() => {
  vi.useRealTimers()
})

it('stores a piece at once after a pause, and soon after it came else, whether the model goes on or not', async () => {
  writer.append('text', 'one ')
  await vi.advanceTimersByTimeAsync(250)
  expect(kept.text).toBe('one ')
  await vi.advanceTimersByTimeAsync(60_000)
  writer.append('text', 'two ')
  expect(kept.text).toBe('one two ')
  await vi.advanceTimersByTimeAsync(100)
  writer.append('text', 'three ')
  await vi.advanceTimersByTimeAsync(150)
  expect(kept.text).toBe('one two three ')
})

it('stores without its timer while a busy thread gives it no turn', () => {
  writer.append('text', 'one ')
  vi.setSystemTime(Date.now() + 300)
  writer.append('text', 'two ')
  expect(kept.text).toBe('one two ')
})

it('writes a megabyte in pieces, a few times its length in all, and loses none of it', async () => {
  writer.append('reasoning', 'Hm. ')
  let told = ''
  for (let step = 0; told.length < 1_000_000; step += 1) {
    const piece = `${step} 潮水 tide `.repeat(20)
    told += piece
    writer.append('text', piece)
    await vi.advanceTimersByTimeAsync(50)
    if (step % 100 === 99) {
      await vi.advanceTimersByTimeAsync(250)
      expect(kept.text).toBe(told)
    }
  }
  // written whole each time it would be some two thousand times half a megabyte
  expect(kept.written).toBeLessThan(6 * told.length)
  writer.close('complete', {})
  expect(kept.text).toBe(told)
})

it('a refused save is made good by the next one, whole', async () => {
  writer.append('text', 'a'.repeat(100_000))
  await vi.advanceTimersByTimeAsync(250)
  writer.append('text', 'b')
  await vi.advanceTimersByTimeAsync(250)
  kept.takes = false
  writer.append('text', 'c')
  await vi.advanceTimersByTimeAsync(250)
  kept.takes = true
  writer.append('text', 'd')
  await vi.advanceTimersByTimeAsync(250)
  expect(kept.text.slice(-4)).toBe('abcd')
})
