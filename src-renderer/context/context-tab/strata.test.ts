import { expect, it } from 'vitest'
import { aSpan } from '../../testing/previews'
import { strataOf } from './strata'

it('groups the ledger into system prompt, tools, messages and what stands last, losing no token', () => {
  const ledger = [
    aSpan({ segment: 'tools', sourceId: 'built-in/get_time', message: -1, role: 'system', text: '{}' }),
    aSpan({ segment: 'system_prompt', sourceId: 'frame:system_prompt', role: 'system', text: '<system_prompt>\n' }),
    aSpan({ segment: 'system_prompt', sourceId: 'p1', role: 'system', text: 'Edit.', label: 'Editor' }),
    aSpan({ segment: 'system_prompt', sourceId: 'frame:system_prompt', role: 'system', text: '\n</system_prompt>' }),
    aSpan({ segment: 'time', sourceId: 'landmark:m1', role: 'system', message: 1, text: 'Monday' }),
    aSpan({ segment: 'history', sourceId: 'm1', message: 2, text: 'Hello' }),
    aSpan({ segment: 'draft', sourceId: 'draft', message: 3, text: 'And now?' }),
    aSpan({ segment: 'enhanced_prompt', sourceId: 'e', role: 'system', message: 4, text: 'Be brief.' }),
  ]
  const sections = strataOf({ ledger })
  expect(sections.map(({ id, strata }) => [id, ...strata.map((each) => each.segment)])).toEqual([
    ['system', 'system_prompt'],
    ['tools', 'tools'],
    ['messages', 'time', 'history', 'draft'],
    ['last', 'enhanced_prompt'],
  ])
  expect(sections[0]?.strata[0]).toMatchObject({ tag: 'system_prompt', text: 'Edit.', labels: ['Editor'] })
  expect(sections[2]?.strata[0]?.landmark).toBe(true)
  const sum = (list: readonly { tokens: number }[]) => list.reduce((total, { tokens }) => total + tokens, 0)
  expect(sum(sections)).toBe(sum(ledger))
  expect(sum(sections.flatMap((section) => section.strata))).toBe(sum(ledger))
})
