import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ContextUsage } from '../context/contract'
import { shareOut, withReported } from './reported-usage'

const usage: ContextUsage = {
  window: 1000,
  reserved: 200,
  budget: 800,
  used: 100,
  free: 700,
  over: 0,
  percent: 12.5,
  quality: 'calibrated',
  segments: [
    { segment: 'system_prompt', tokens: 30, share: 0.0375, top: [{ sourceId: 'p', label: 'P', tokens: 30 }], more: 0 },
    { segment: 'history', tokens: 70, share: 0.0875, top: [{ sourceId: 'm', label: 'M', tokens: 70 }], more: 0 },
  ],
}
const reported = { inputTokens: 121, cachedInputTokens: 40, outputTokens: 5, reasoningTokens: 0 }

describe('reported usage', () => {
  test('shares add up exactly, whatever the parts', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { minLength: 1, maxLength: 12 }), fc.nat(100_000), (parts, total) => {
        const shares = shareOut(parts, total)
        const sum = parts.reduce((a, b) => a + b, 0)
        expect(shares.reduce((a, b) => a + b, 0)).toBe(sum === 0 ? 0 : total)
        expect(shares.every((share) => Number.isInteger(share) && share >= 0)).toBe(true)
      }),
    )
  })

  test('the headline is the reported number and the segments add up to it', () => {
    const shown = withReported(usage, reported, false)
    expect(shown.used).toBe(121)
    expect(shown.quality).toBe('reported')
    expect(shown.segments.map((segment) => segment.tokens)).toEqual([36, 85])
    expect((shown.free ?? 0) + shown.used + shown.reserved).toBe(shown.window)
    expect(shown.cached).toEqual({ tokens: 40, of: 121 })
  })

  test('a budget of nothing is full, not infinitely full', () => {
    const shown = withReported({ ...usage, reserved: 1000, budget: 0, free: 0, over: 100 }, reported, false)
    expect(shown).toMatchObject({ percent: 100, free: 0, over: 121 })
    expect(shown.segments.map((segment) => segment.share)).toEqual([0, 0])
  })

  test('a server that cut the front is told apart, and its number does not become the headline', () => {
    const shown = withReported(usage, { ...reported, inputTokens: 40 }, true)
    expect(shown.used).toBe(100)
    expect(shown.truncatedByServer).toEqual({ sent: 100, reported: 40, front: ['system_prompt', 'history'] })
  })
})
