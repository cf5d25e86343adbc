import { describe, expect, it } from 'vitest'
import { aUsage } from '../../testing/previews'
import { barParts } from './bar-parts'

describe('the parts of the bar', () => {
  it('keep request order whatever their size, with free space and reserve at the right end', () => {
    const { parts, mark } = barParts(aUsage({ worldbook: 10, system_prompt: 5000, history: 20 }))
    expect(parts.map((part) => part.segment ?? part.kind)).toEqual([
      'worldbook',
      'system_prompt',
      'history',
      'free',
      'reserved',
    ])
    expect(parts.map((part) => part.grow)).toEqual([10, 5000, 20, 106_970, 16_000])
    expect(mark).toBeUndefined()
  })

  it('rescale over budget: the line stands where the budget ends, the rest is excess', () => {
    const { parts, mark } = barParts(aUsage({ system_prompt: 12_000, history: 105_000, draft: 3000 }))
    expect(parts).toEqual([
      { kind: 'segment', segment: 'system_prompt', grow: 12_000 },
      { kind: 'segment', segment: 'history', grow: 100_000 },
      { kind: 'excess', segment: 'history', grow: 5000 },
      { kind: 'excess', segment: 'draft', grow: 3000 },
    ])
    expect(mark).toBeCloseTo((112 / 120) * 100)
  })

  it('show nothing but segments while the window is unknown', () => {
    const { window: _w, budget: _b, free: _f, percent: _p, ...unknown } = aUsage({ history: 500 })
    expect(barParts(unknown).parts.map((part) => part.kind)).toEqual(['segment'])
  })
})
