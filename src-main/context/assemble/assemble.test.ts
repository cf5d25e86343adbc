import { describe, expect, it } from 'vitest'
import { block, item, PROFILES, textOf, turnInput } from '../../testing/turn-builders'
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
