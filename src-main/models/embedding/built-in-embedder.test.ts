import { expect, onTestFinished, test } from 'vitest'
import { createBuiltInEmbedder } from './built-in-embedder'

function cosine(one: Float32Array | undefined, two: Float32Array | undefined): number {
  return one && two ? one.reduce((sum, value, at) => sum + value * (two[at] ?? 0), 0) : Number.NaN
}

test('reads English and Chinese into one space, and says what it cannot read', { timeout: 60_000 }, async () => {
  const embedder = createBuiltInEmbedder()
  onTestFinished(() => embedder.close())
  expect(embedder.ready()).toBe(false)
  const [cat, chineseCat, rent, emoji, blank, russian] = await embedder.embed(
    ['I have a cat', '我养了一只猫', 'The rent is due on Friday', '🙂🙂', '', 'У меня есть кошка'],
    { purpose: 'memory' },
  )
  expect(embedder.ready()).toBe(true)
  expect(cat?.vector).toHaveLength(512)
  expect(chineseCat?.gloss).toContain('cat')
  expect(cosine(cat?.vector, chineseCat?.vector)).toBeGreaterThan(cosine(cat?.vector, rent?.vector) + 0.1)
  expect(emoji?.vector).toBeUndefined()
  expect(blank?.vector).toBeUndefined()
  expect(russian?.channel).toBe('hash')
})

test('gives its memory back when idle and loads again', { timeout: 60_000 }, async () => {
  const embedder = createBuiltInEmbedder({ idleMs: 20 })
  onTestFinished(() => embedder.close())
  const [before] = await embedder.embed(['a red bicycle'], { purpose: 'query' })
  await expect.poll(() => embedder.ready()).toBe(false)
  const [after] = await embedder.embed(['a red bicycle'], { purpose: 'query' })
  expect(cosine(before?.vector, after?.vector)).toBeCloseTo(1, 4)
})
