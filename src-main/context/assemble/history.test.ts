import { describe, expect, it } from 'vitest'
import type { Message, MessagePart } from '../../sessions/contract'
import { settingsSchema } from '../../settings/contract'
import { attachment, message, textOf, toolPart, turnInput } from '../../testing/turn-builders'
import type { TurnInput } from '../block-source'
import type { RequestPart, TargetNeeds } from '../request-contract'
import { assemble } from './assemble'
import { cleanDepth } from './at-depth'
import { windowStarts } from './history-window'

const quiet = (context: Record<string, unknown> = {}) =>
  settingsSchema.parse({ context: { sendTime: false, landmarks: { enabled: false }, ...context } })

const U = { role: 'user' }
const A = { role: 'assistant' }

function start(branch: { role: string }[], limit: number, shape: 'sliding' | 'blocks' = 'sliding'): number {
  return windowStarts(branch, limit, shape, () => 1).now
}

const textOfPart = ({ pieces }: RequestPart): string => pieces.map(({ text }) => text).join('')

function sent(turn: Partial<TurnInput>): string[] {
  const { entries } = assemble({ turn: turnInput({ settings: quiet(), ...turn }), blocks: [] })
  return entries.map((entry) => (entry.kind === 'message' ? `${entry.role} ${textOf(entry)}` : entry.kind))
}

describe('the window', () => {
  it('cuts on whole turns and keeps the newest one whole', () => {
    expect(start([U, A, U], 2)).toBe(2)
    expect(start([U, A, U], 3)).toBe(0)
    expect(start([U, A, U, U, U], 2)).toBe(2)
    expect(start([U, A, U, A, U], 4)).toBe(2)
    expect(start([U], 1)).toBe(0)
    expect(start([], 1)).toBe(0)
  })

  it('is everything at 0', () => {
    expect(start([U, A, U, A, U], 0)).toBe(0)
  })

  it('keeps a greeting that opens the branch while it fits', () => {
    expect(start([A, U, A, U], 4)).toBe(0)
    expect(start([A, U, A, U], 3)).toBe(1)
  })

  it('moves its start once in many turns when cut in blocks, and never below two thirds by more than a turn', () => {
    const starts: number[] = []
    const branch: { role: string }[] = []
    for (let turn = 0; turn < 60; turn++) {
      branch.push(U)
      const first = start(branch, 12, 'blocks')
      expect(branch.length - first).toBeLessThanOrEqual(12)
      starts.push(first)
      branch.push(A)
      expect(start(branch, 12, 'blocks')).toBe(first)
    }
    expect(new Set(starts).size).toBeLessThanOrEqual(22)
    expect(starts.at(-1)).toBeGreaterThan(100)
  })

  it.each(['sliding', 'blocks'] as const)('%s: tells where the next turn will start, answered or not', (shape) => {
    const branch: { role: string }[] = []
    for (let turn = 0; turn < 40; turn++) {
      branch.push(U)
      const asked = windowStarts(branch, 9, shape, () => 1).next
      branch.push(A)
      const answering = windowStarts(branch, 9, shape, (index) => (index < branch.length - 1 ? 1 : 0)).next
      const answered = windowStarts(branch, 9, shape, () => 1).next
      const then = start([...branch, U], 9, shape)
      expect([asked, answering, answered]).toEqual([then, then, then])
    }
  })

  it('takes the limit of the look, else the session’s, else the one in Settings', () => {
    const branch = [message('u1', 'user', '1'), message('a1', 'assistant', '2'), message('u2', 'user', '3')]
    expect(sent({ branch, settings: quiet({ historyLimit: 2 }) })).toEqual(['user 3'])
    expect(sent({ branch, overrides: { historyLimit: 1 } })).toEqual(['user 3'])
    expect(sent({ branch, settings: quiet({ historyLimit: 2 }), overrides: { historyLimit: 0 } })).toHaveLength(3)
  })

  it('does not move while tools run', () => {
    const before = [message('u1', 'user', '1'), message('a1', 'assistant', '2'), message('u2', 'user', '3')]
    const parts = [toolPart('c1', 'r1'), { type: 'round' as const, round: 2 }, toolPart('c2', 'r2')]
    const growing = message('a2', 'assistant', '', { parts, state: 'streaming' })
    const settings = quiet({ historyLimit: 3 })
    expect(sent({ branch: before, settings })).toEqual(['user 1', 'assistant 2', 'user 3'])
    expect(sent({ branch: [...before, growing], settings }).slice(0, 3)).toEqual(['user 1', 'assistant 2', 'user 3'])
  })
})

describe('messages as entries', () => {
  const draft = message('u9', 'user', 'go on')

  it('splits an answer into rounds and drops orphans with a verdict', () => {
    const parts = [
      { type: 'text' as const, text: 'Looking.' },
      toolPart('c1', 'one'),
      toolPart('c1', 'again'),
      toolPart('c2'),
      { type: 'round' as const, round: 2 },
      { type: 'text' as const, text: 'Done.' },
    ]
    const branch = [message('u1', 'user', 'q'), message('a1', 'assistant', 'Looking.', { parts }), draft]
    const assembled = assemble({ turn: turnInput({ branch, settings: quiet() }), blocks: [] })
    expect(
      assembled.entries.map((entry) => (entry.kind === 'message' ? `${entry.role} ${textOf(entry)}` : '')),
    ).toEqual(['user q', 'assistant Looking.search {"query":"c1"}', 'tool one', 'assistant Done.', 'user go on'])
    expect(assembled.rejected.map((one) => one.reason)).toEqual(['orphan_tool_result', 'orphan_tool_call'])
  })

  it('sends signed reasoning of the same model only, and only when asked to', () => {
    const parts = [
      { type: 'reasoning' as const, text: 'think', signature: 'sig' },
      { type: 'text' as const, text: 'say' },
    ]
    const answer = (modelId: string) => message('a1', 'assistant', 'say', { parts, modelId })
    const branch = (modelId: string) => [message('u1', 'user', 'q'), answer(modelId), draft]
    expect(sent({ branch: branch('c1/small') })[1]).toBe('assistant thinksay')
    expect(sent({ branch: branch('c1/other') })[1]).toBe('assistant say')
    expect(sent({ branch: branch('c1/small'), settings: quiet({ sendReasoning: false }) })[1]).toBe('assistant say')
  })

  describe('plain thoughts', () => {
    const thought = (more: object = {}) => ({ type: 'reasoning' as const, text: 'think', ...more })
    const later = (parts: MessagePart[], more: Partial<Message> = {}) => [
      message('u', 'user', 'Q'),
      message('a', 'assistant', 'say', { parts, modelId: 'c1/small', ...more }),
      message('u2', 'user', 'And?'),
    ]
    const back = (plainReasoning: TargetNeeds['plainReasoning'], turn: Partial<TurnInput>) => {
      const needs = { plainReasoning, prefill: false }
      const { entries } = assemble({ turn: turnInput({ settings: quiet(), ...turn }), blocks: [], needs })
      return entries.flatMap(({ parts }) => parts.filter(({ type }) => type === 'reasoning').map(textOfPart))
    }
    const end = { type: 'round' as const, round: 2 }
    const looped = [
      thought(),
      toolPart('c1', 'rain'),
      end,
      thought({ text: 'so' }),
      { type: 'text' as const, text: 'A' },
    ]

    it('go back while their answer grows, whatever it calls, where only that is wanted', () => {
      const running = later([thought()], { state: 'streaming' }).slice(0, 2)
      expect(back('this-answer', { branch: running })).toEqual([])
      const calling = later([thought(), toolPart('c1', 'rain')], { state: 'streaming' }).slice(0, 2)
      expect(back('this-answer', { branch: calling })).toEqual(['think'])
      expect(back('this-answer', { branch: later(looped) })).toEqual([])
    })

    it('go back with every turn that called tools, and with no other', () => {
      expect(back('tool-turns', { branch: later(looped) })).toEqual(['think', 'so'])
      expect(back('demanded', { branch: later(looped) })).toEqual(['think', 'so'])
      expect(back('tool-turns', { branch: later([thought(), { type: 'text', text: 'A' }]) })).toEqual([])
      expect(back('none', { branch: later(looped) })).toEqual([])
    })

    it('that earlier versions signed with a word are plain', () => {
      const signature = { openaiCompatible: { replay: true } }
      const branch = later([thought({ signature }), toolPart('c1', 'rain')])
      expect(back('tool-turns', { branch })).toEqual(['think'])
      expect(back('none', { branch })).toEqual([])
    })

    it('have a stand-in on calls that came without, where calls without are refused', () => {
      const bare = later([toolPart('c1', 'rain')])
      expect(back('demanded', { branch: bare })).toEqual([' '])
      expect(back('tool-turns', { branch: bare })).toEqual([])
      expect(back('demanded', { branch: later(looped, { modelId: 'c1/other' }) })).toEqual([' '])
      const settings = quiet({ sendReasoning: false })
      expect(back('demanded', { branch: later(looped), settings })).toEqual([' '])
    })

    it('stay away with the tool traffic of isolated sessions', () => {
      expect(back('demanded', { branch: later(looped), isolated: true })).toEqual([])
    })
  })

  it('names a call as every provider takes it, whatever a model made up', () => {
    const odd = { ...toolPart('c1', 'rain'), name: '3d.render/now' } as MessagePart
    const branch = [message('u', 'user', 'Q'), message('a', 'assistant', '', { parts: [odd] }), draft]
    const names = assemble({ turn: turnInput({ branch, settings: quiet() }), blocks: [] }).entries.flatMap(
      ({ parts }) => parts.flatMap((part) => ('name' in part ? [part.name] : [])),
    )
    expect(names).toEqual(['tool_3d_render_now', 'tool_3d_render_now'])
  })

  it('withholds tool traffic in isolated sessions', () => {
    const answer = message('a1', 'assistant', 'say', {
      parts: [toolPart('c1', 'secret'), { type: 'text', text: 'say' }],
    })
    expect(sent({ branch: [message('u1', 'user', 'q'), answer, draft], isolated: true })).toEqual([
      'user q',
      'assistant say',
      'user go on',
    ])
  })

  it('carries attachments: text as text with its borders defused, the rest by hash', () => {
    const attachments = [
      attachment('i1', { tokens: 85 }),
      attachment('f1', { name: '<memory>.txt', mediaType: 'text/plain', extractedText: 'a </memory> b' }),
    ]
    const branch = [message('u1', 'user', 'look', { attachments })]
    const { entries } = assemble({ turn: turnInput({ branch, settings: quiet() }), blocks: [] })
    const [entry] = entries
    expect(entry?.parts.map((part) => part.type)).toEqual(['text', 'image', 'text'])
    expect(entry && textOf(entry)).toBe('look\n\n[&lt;memory>.txt]\na &lt;/memory> b')
    expect(entry?.parts[1]).toMatchObject({ sha256: 'sha-i1', tokens: 85 })
  })

  it('books the newest user message as the draft, everything before as history', () => {
    const branch = [message('u1', 'user', 'q'), message('a1', 'assistant', 'r'), draft]
    const { entries } = assemble({ turn: turnInput({ branch, settings: quiet() }), blocks: [] })
    expect(entries.map((entry) => entry.parts[0]?.pieces[0]?.segment)).toEqual(['history', 'history', 'draft'])
  })

  it('says again what changed: the state, the model, isolation', () => {
    const parts = [toolPart('c1', 'r1'), { type: 'text' as const, text: 'say' }]
    const answer = (state: Message['state']) => message('a1', 'assistant', 'say', { parts, state })
    const branch = (state: Message['state']) => [message('u1', 'user', 'q'), answer(state), draft]
    expect(sent({ branch: branch('complete') })).toHaveLength(5)
    expect(sent({ branch: branch('complete'), isolated: true })).toHaveLength(3)
    expect(sent({ branch: branch('failed') })).toHaveLength(2)
    expect(sent({ branch: branch('complete') })).toHaveLength(5)
  })

  it('puts the cut-off answer last and keeps it even when it failed', () => {
    const cut = message('a1', 'assistant', 'Half', { state: 'failed' })
    const entries = (needs?: TargetNeeds) => {
      const turn = turnInput({ settings: quiet(), branch: [draft, cut], trigger: 'continue' })
      return assemble({ turn, blocks: [], ...(needs ? { needs } : {}) }).entries.map(
        ({ kind, parts }) => `${kind} ${parts.map(textOfPart).join()}`,
      )
    }
    expect(entries({ plainReasoning: 'none', prefill: true })).toEqual(['message go on', 'message Half'])
    const [line] = entries().slice(2)
    expect(entries()).toEqual(['message go on', 'message Half', line])
    expect(line).toMatch(/^reminder The answer above was cut off.*“Half”/)
    expect(sent({ branch: [draft, cut] })).toEqual(['user go on'])
  })

  it('says once for the whole range what lies outside the window', () => {
    const branch = [message('u1', 'user', 'q'), message('a1', 'assistant', 'r'), draft]
    const { rejected, windowStart } = assemble({
      turn: turnInput({ branch, settings: quiet({ historyLimit: 1 }) }),
      blocks: [],
    })
    expect(rejected).toEqual([
      expect.objectContaining({ sourceId: 'u1', through: 'a1', count: 2, reason: 'outside_window' }),
    ])
    expect(windowStart).toEqual({ messageId: 'u9', dropped: 2, limit: 1 })
  })
})

it('reads every depth there may be', () => {
  const cases: [unknown, number, boolean][] = [
    [0, 0, true],
    [-1, 0, true],
    [2.9, 2, true],
    ['2', 2, true],
    [undefined, 4, true],
    [null, 4, true],
    ['deep', 4, false],
    ['', 4, false],
    [Number.NaN, 4, false],
    [{}, 4, false],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, true],
  ]
  for (const [value, depth, understood] of cases) expect(cleanDepth(value)).toEqual({ depth, understood })
})
