import fc from 'fast-check'
import type { TurnInput } from '../context/block-source'
import { BLOCK_TAGS, type ContextBlock, LAYOUTS, type Placement } from '../context/contract'
import type { Message } from '../sessions/contract'
import { settingsSchema } from '../settings/contract'
import { block, item, message, sessionSettings, toolPart, turnInput } from './turn-builders'

/** Words of tags, borders and macros among ordinary text, so that forgery is tried all the time. */
export const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom('<', '</', '< /', '>', ' >', '&lt;', '\n', ' ', 'a', '茶', '🍵', '{{date}}', '{{outlet::o}}'),
      fc
        .constantFrom(...BLOCK_TAGS)
        .chain((tag) => fc.constantFrom(tag, tag.toUpperCase(), `</${tag}>`, `<${tag} x="1">`)),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => `x${parts.join('')}y`)

const placement: fc.Arbitrary<Placement> = fc.oneof(
  fc.constantFrom<Placement>(
    { at: 'worldbook_before' },
    { at: 'worldbook_after' },
    { at: 'worldbook_an_top' },
    { at: 'worldbook_an_bottom' },
    { at: 'examples_top' },
    { at: 'examples_bottom' },
    { at: 'outlet', name: 'lone' },
  ),
  fc.record({
    at: fc.constant('depth' as const),
    depth: fc.integer({ min: -2, max: 12 }),
    role: fc.constantFrom('system' as const, 'user' as const, 'assistant' as const),
  }),
)

/** Each text carries a mark of its own, so that it can be found and counted. */
function marked(id: string, text: string): string {
  return `«${id}» ${text}`
}

const blocks: fc.Arbitrary<ContextBlock[]> = fc
  .record({
    own: fc.tuple(hostile, hostile, hostile),
    memory: fc.array(fc.tuple(hostile, fc.constantFrom('stable' as const, 'dynamic' as const)), { maxLength: 3 }),
    profile: fc.option(hostile, { nil: undefined }),
    worldbook: fc.array(fc.tuple(hostile, placement, fc.integer({ min: 0, max: 3 }), fc.boolean()), { maxLength: 8 }),
    time: fc.boolean(),
  })
  .map(({ own, memory, profile, worldbook, time }) => [
    block('system_prompt', [item('sys', marked('sys', own[0]))]),
    block('topic_prompt', [item('top', marked('top', own[1]))]),
    ...(time ? [block('time', [item('time', marked('time', 'now'))])] : []),
    block(
      'memory',
      memory.map(([text, cacheHint], n) => ({ ...item(`mem${n}`, marked(`mem${n}`, text)), cacheHint })),
      { framing: 'Facts.' },
    ),
    ...(profile === undefined ? [] : [block('user_profile_memory', [item('prof', marked('prof', profile))])]),
    block(
      'worldbook',
      worldbook.map(([text, at, order, stable], n) => ({
        ...item(`wb${n}`, marked(`wb${n}`, text), at, order),
        cacheHint: stable ? ('stable' as const) : ('dynamic' as const),
      })),
    ),
    block('enhanced_prompt', [item('enh', marked('enh', own[2]))], { framing: 'Automatic.' }),
  ])

/** Each turn: how many user messages, tool rounds, minutes since the last, and how the answer ended. */
export const branches: fc.Arbitrary<Message[]> = fc
  .array(
    fc.record({
      asks: fc.integer({ min: 1, max: 2 }),
      rounds: fc.integer({ min: 0, max: 2 }),
      minutes: fc.integer({ min: 0, max: 50 }),
      state: fc.constantFrom('complete' as const, 'complete' as const, 'stopped' as const, 'failed' as const),
      orphan: fc.boolean(),
    }),
    { minLength: 1, maxLength: 7 },
  )
  .chain((turns) => fc.tuple(fc.constant(turns), fc.boolean(), fc.boolean()))
  .map(([turns, openEnd, greeting]) => {
    const branch: Message[] = greeting ? [message('g0', 'assistant', marked('g0', 'Welcome'))] : []
    let minutes = 0
    turns.forEach((turn, n) => {
      minutes += turn.minutes
      for (let ask = 0; ask < turn.asks; ask++) {
        branch.push(message(`u${n}-${ask}`, 'user', marked(`u${n}-${ask}`, 'ask'), { minutes }))
      }
      if (n === turns.length - 1 && openEnd) return
      const calls = Array.from({ length: turn.rounds }, (_, round) => [
        toolPart(`c${n}-${round}`, marked(`r${n}-${round}`, 'result')),
        { type: 'round' as const, round: round + 2 },
      ]).flat()
      const end = { type: 'text' as const, text: marked(`a${n}`, 'answer') }
      const parts = [...calls, ...(turn.orphan ? [toolPart(`orphan${n}`)] : []), end]
      branch.push(message(`a${n}`, 'assistant', end.text, { parts, state: turn.state, minutes }))
    })
    return branch
  })

export interface GivenTurn {
  turn: TurnInput
  blocks: ContextBlock[]
}

/** Whole turns under either layout. */
export const turns: fc.Arbitrary<GivenTurn> = fc
  .record({
    branch: branches,
    blocks,
    layout: fc.constantFrom(...LAYOUTS),
    historyLimit: fc.integer({ min: 0, max: 12 }),
    landmarks: fc.boolean(),
  })
  .map(({ branch, blocks: given, layout, historyLimit, landmarks }) => ({
    turn: turnInput({
      branch,
      session: sessionSettings({ layout, historyLimit }),
      settings: settingsSchema.parse({ context: { landmarks: { enabled: landmarks } } }),
    }),
    blocks: given,
  }))
