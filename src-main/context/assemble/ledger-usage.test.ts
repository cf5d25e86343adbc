import { describe, expect, it } from 'vitest'
import type { Span } from '../contract'
import type { WireMessage } from '../request-contract'
import { ledgerOf, notCountedIn } from './ledger'
import { usageOf } from './usage'

const piece = (segment: Span['segment'], sourceId: string, text: string) => ({
  segment,
  sourceId,
  label: sourceId,
  text,
})

const messages: WireMessage[] = [
  {
    role: 'system',
    mark: false,
    mid: false,
    parts: [{ type: 'text', pieces: [piece('system_prompt', 'p', 'abcd'), piece('time', 't', 'ef')] }],
  },
  {
    role: 'user',
    mark: false,
    mid: false,
    parts: [
      { type: 'text', pieces: [piece('draft', 'u1', 'hello'), piece('draft', 'u1', '')] },
      {
        type: 'image',
        sha256: 'x',
        mediaType: 'image/png',
        name: 'known.png',
        tokens: 85,
        pieces: [piece('draft', 'i1', '')],
      },
      {
        type: 'file',
        sha256: 'y',
        mediaType: 'application/pdf',
        name: 'unknown.pdf',
        pieces: [piece('draft', 'i2', '')],
      },
    ],
  },
]
const tools = [{ id: 'tool-1', name: 'search', description: 'Searches.', schema: {} }]
const ledger = ledgerOf(
  messages,
  tools,
  (text) => text.length,
  (tool) => tool.description,
)

describe('ledgerOf', () => {
  it('has every piece once, the tools first, images and files with what is known of them', () => {
    expect(
      ledger.map(({ id, segment, sourceId, role, tokens, message, kind }) => [
        id,
        segment,
        sourceId,
        role,
        tokens,
        message,
        kind,
      ]),
    ).toEqual([
      ['t0', 'tools', 'tool-1', 'system', 9, -1, 'tool-definition'],
      ['m0.p0.s0', 'system_prompt', 'p', 'system', 4, 0, 'text'],
      ['m0.p0.s1', 'time', 't', 'system', 2, 0, 'text'],
      ['m1.p0.s0', 'draft', 'u1', 'user', 5, 1, 'text'],
      ['m1.p1.s0', 'draft', 'i1', 'user', 85, 1, 'image'],
      ['m1.p2.s0', 'draft', 'i2', 'user', 0, 1, 'file'],
    ])
    expect(notCountedIn(messages)).toEqual(['unknown.pdf'])
  })
})

describe('usageOf', () => {
  it('adds up against the window: used + reserved + free = window', () => {
    const usage = usageOf(ledger, { window: 1000, reserved: 200 }, 'estimated', ['unknown.pdf'])
    expect(usage).toMatchObject({
      window: 1000,
      reserved: 200,
      budget: 800,
      used: 105,
      free: 695,
      over: 0,
      notCounted: ['unknown.pdf'],
    })
    expect(usage.percent).toBeCloseTo(13.125)
    expect(usage.segments.map(({ segment, tokens }) => [segment, tokens])).toEqual([
      ['system_prompt', 4],
      ['time', 2],
      ['tools', 9],
      ['draft', 90],
    ])
    expect(usage.segments.at(-1)).toMatchObject({ share: 90 / 800, more: 0 })
    expect(usage.segments.at(-1)?.top.map((one) => one.sourceId)).toEqual(['i1', 'u1'])
  })

  it('takes the lower of input limit and window', () => {
    expect(usageOf(ledger, { window: 1000, maxInput: 50, reserved: 200 }, 'estimated')).toMatchObject({
      maxInput: 50,
      budget: 50,
      free: 0,
      over: 55,
    })
    const usual = usageOf(ledger, { window: 1000, maxInput: 800, reserved: 200 }, 'estimated')
    expect(usual.used + usual.reserved + (usual.free ?? 0)).toBe(1000)
    expect(usual).not.toHaveProperty('maxInput')
    expect(usageOf(ledger, { window: 100, reserved: 200 }, 'estimated')).toMatchObject({
      budget: 0,
      free: 0,
      over: 105,
      percent: 100,
    })
  })

  it('has no percentage without a window', () => {
    const usage = usageOf(ledger, { reserved: 200 }, 'calibrated')
    expect(Object.keys(usage).sort()).toEqual(['over', 'quality', 'reserved', 'segments', 'used'])
    expect(usage.segments.reduce((sum, one) => sum + one.share, 0)).toBeCloseTo(1)
  })

  it('names five contributors, biggest first, and how many more', () => {
    const spans = Array.from(
      { length: 8 },
      (_, index) => ({ ...ledger[1], segment: 'memory', sourceId: `m${index}`, tokens: index + 1 }) as Span,
    )
    const [memory] = usageOf(spans, { reserved: 0 }, 'estimated').segments
    expect(memory?.top.map((one) => one.tokens)).toEqual([8, 7, 6, 5, 4])
    expect(memory?.more).toBe(3)
  })
})
