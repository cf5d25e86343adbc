import { describe, expect, it } from 'vitest'
import { settingsSchema } from '../../settings/contract'
import { block, item, PROFILES, sessionSettings, textOf, turnInput } from '../../testing/turn-builders'
import type { ContextBlock } from '../contract'
import { assemble } from './assemble'
import { project } from './project'

describe('assemble', () => {
  it('writes the documented system prompt and puts the enhanced prompt last', () => {
    const { entries } = assemble({
      turn: turnInput(),
      blocks: [
        block('system_prompt', [item('p1', 'Be kind.')]),
        block('time', [item('time', 'now')]),
        block('enhanced_prompt', [item('e1', 'Be brief.')], { framing: 'Automatic.' }),
      ],
    })
    const { messages } = project(entries, PROFILES.openai, { appPrefix: 'PREFIX' })
    expect(messages.map((one) => [one.role, textOf(one)])).toEqual([
      ['system', '<system_prompt>\nBe kind.\n</system_prompt>\n\n<time>\nnow\n</time>'],
      ['system', expect.stringContaining('<time>\nLocal time 2026-03-02 09:00, Monday. Time zone Asia/Shanghai.')],
      ['user', 'Hello'],
      ['system', '<enhanced_prompt>\nAutomatic.\nBe brief.\n</enhanced_prompt>'],
    ])
  })
})

describe('the cache-first head', () => {
  const turn = turnInput({
    session: sessionSettings({ layout: 'cache-first' }),
    settings: settingsSchema.parse({ context: { landmarks: { enabled: false } } }),
  })
  const prompt = block('system_prompt', [item('p1', 'Be kind.')])
  const silent = block('worldbook', [], { absent: { block: 'worldbook', reason: 'no_entry_fired' } })
  const lore = block('worldbook', [item('w1', 'Dragons.', { at: 'worldbook_before' })])
  const headOf = (blocks: readonly ContextBlock[], name: keyof typeof PROFILES): string[] =>
    project(assemble({ turn, blocks }).entries, PROFILES[name], { appPrefix: 'PREFIX' })
      .messages.filter(({ role, mid }) => role === 'system' && !mid)
      .map(textOf)

  it('is the same whether an entry fires this turn or not', () => {
    for (const name of ['anthropic', 'anthropicOld', 'many', 'unknown'] as const) {
      expect(headOf([prompt, silent], name)).toEqual(headOf([prompt, lore], name))
      expect(headOf([prompt, silent], name).join()).toContain('PREFIX')
    }
  })

  it('holds no app prefix where nothing tagged can ever come', () => {
    expect(headOf([prompt, silent], 'openai').join()).not.toContain('PREFIX')
    const none = block('worldbook', [], { absent: { block: 'worldbook', reason: 'none_bound' } })
    expect(headOf([prompt, none], 'anthropic').join()).not.toContain('PREFIX')
  })
})
