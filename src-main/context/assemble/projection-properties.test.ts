import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message } from '../../sessions/contract'
import { branches, type GivenTurn, hostile, turns } from '../../testing/turn-arbitraries'
import {
  block,
  depthItem,
  item,
  message,
  PROFILES,
  sessionSettings,
  textOf,
  turnInput,
} from '../../testing/turn-builders'
import type { ContextBlock } from '../contract'
import type { WireMessage } from '../request-contract'
import { assemble } from './assemble'
import { project } from './project'
import { timeText } from './time-text'

type ProfileName = keyof typeof PROFILES
const profileName = fc.constantFrom(...(Object.keys(PROFILES) as ProfileName[]))

function projected(input: GivenTurn, name: ProfileName): readonly WireMessage[] {
  return project(assemble(input).entries, PROFILES[name], { appPrefix: 'PREFIX' }).messages
}

const roles = (messages: readonly WireMessage[]) => messages.map((one) => one.role)

const check = (property: Parameters<typeof fc.assert>[0]) => fc.assert(property, { numRuns: 150 })

describe('the projection', () => {
  it('sends one leading system at most, then strict alternation from a user on, where the server wants that', () => {
    check(
      fc.property(turns, (input) => {
        for (const name of ['unknown', 'gemma'] as const) {
          const all = roles(projected(input, name))
          const spoken = all.slice(all[0] === 'system' ? 1 : 0)
          if (name === 'gemma') expect(all[0]).toBe('user')
          expect(spoken).not.toContain('system')
          expect(spoken[0]).toBe('user')
          const strict = spoken.filter((role) => role !== 'tool')
          for (const [n, role] of strict.entries()) if (role === 'user') expect(strict[n - 1]).not.toBe('user')
          for (const [n, role] of spoken.entries())
            if (role === 'assistant') expect(spoken[n - 1]).not.toBe('assistant')
        }
      }),
    )
  })

  it('holds Anthropic’s placement rule', () => {
    check(
      fc.property(turns, (input) => {
        const messages = projected(input, 'anthropic')
        const lead = messages.findIndex((one) => one.role !== 'system' || one.mid)
        messages.forEach((one, n) => {
          if (!one.mid) return
          expect(n).toBeGreaterThan(lead)
          expect(['user', 'tool']).toContain(messages[n - 1]?.role)
          expect(['assistant', undefined]).toContain(messages[n + 1]?.role)
        })
        expect(messages.filter((one) => one.mark).length).toBeLessThanOrEqual(4)
      }),
    )
  })

  it('sends no system in mid-conversation where none is known', () => {
    check(
      fc.property(
        turns,
        fc.constantFrom('anthropicOld' as const, 'many' as const, 'gemini' as const),
        (input, name) => {
          const all = roles(projected(input, name))
          const lead = all.findIndex((role) => role !== 'system')
          expect(all.slice(lead)).not.toContain('system')
          expect(lead).toBeLessThanOrEqual(3)
        },
      ),
    )
  })

  it('never parts a tool call from its result', () => {
    check(
      fc.property(turns, profileName, (input, name) => {
        const messages = projected(input, name)
        messages.forEach((one, n) => {
          const calls = one.parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []))
          const results = messages[n + 1]?.parts.flatMap((part) => (part.type === 'tool-result' ? [part.callId] : []))
          if (calls.length > 0) expect(results).toEqual(calls)
          if (one.role === 'tool') expect(messages[n - 1]?.parts.some((part) => part.type === 'tool-call')).toBe(true)
        })
      }),
    )
  })
})

describe('at depth', () => {
  it('leaves that many messages of the history below, a tool pair aside', () => {
    check(
      fc.property(branches, fc.integer({ min: 0, max: 12 }), (branch, depth) => {
        const given = [block('worldbook', [depthItem('d', '«d»', depth, 'system')])]
        const { entries } = assemble({
          turn: turnInput({ branch, session: sessionSettings({ historyLimit: 0 }) }),
          blocks: given,
        })
        const at = entries.findIndex((entry) => entry.kind === 'reminder' && entry.source === 'at_depth')
        const history = entries.filter((entry) => entry.kind === 'message')
        const below = entries.slice(at).filter((entry) => entry.kind === 'message')
        const expected = Math.min(depth, history.length)
        const parted = below[0]?.role === 'assistant' && below[1]?.role === 'tool' ? 1 : 0
        expect(below.length - expected).toBeGreaterThanOrEqual(0)
        expect(below.length - expected).toBeLessThanOrEqual(parted)
      }),
    )
  })
})

describe('the prefix', () => {
  const chat = (length: number): Message[] =>
    Array.from({ length: 2 * length - 1 }, (_, n) =>
      message(`m${n}`, n % 2 === 0 ? 'user' : 'assistant', `text ${n}`, { minutes: n * 7 }),
    )

  it('stays the same bytes when a changing section changes', () => {
    check(
      fc.property(turns, hostile, (input, text) => {
        const turn = { ...input.turn, session: { ...input.turn.session, layout: 'cache-first' as const } }
        const changed = input.blocks.map((one) =>
          one.block === 'memory' ? block('memory', [item('other', text)], { framing: 'Facts.' }) : one,
        )
        const stable = input.blocks.map((one) =>
          one.block === 'memory' ? { ...one, items: one.items.filter((each) => each.cacheHint === 'dynamic') } : one,
        )
        const lead = (blocksNow: ContextBlock[]) =>
          assemble({ turn, blocks: blocksNow }).entries.filter(
            (entry) => entry.kind === 'leading' && entry.group === 'stable',
          )
        expect(lead(changed)).toEqual(lead(stable))
      }),
    )
  })

  it('up to the last mark is found again in the next request of a cache-first chat', () => {
    for (const name of ['anthropic', 'anthropicOld'] as const) {
      let marked: string[] = []
      for (let length = 1; length <= 40; length++) {
        const branch = chat(length)
        const now = turnInput().now
        const epochMs = now.epochMs + (2 * length - 2) * 7 * 60_000
        const given = [
          block('system_prompt', [item('p', 'Be kind.')]),
          block('time', [item('time', timeText(epochMs, { zone: now.timeZone, language: 'en', templates: {} }))]),
          block('memory', [item('m', `fact ${length}`)]),
          block('worldbook', [
            depthItem('d', `lore ${length}`, 2, 'system'),
            item('w', `note ${length}`, { at: 'worldbook_an_top' }),
          ]),
          block('enhanced_prompt', [item('e', 'Be brief.')]),
        ]
        const session = sessionSettings({ layout: 'cache-first', historyLimit: 0 })
        const turn = turnInput({ branch, session, now: { ...now, epochMs } })
        const messages = projected({ turn, blocks: given }, name)
        const bytes = messages.map((one) => `${one.role} ${one.mid} ${textOf(one)}`)
        expect(bytes.slice(0, marked.length)).toEqual(marked)
        const lastMark = messages.findLastIndex((one) => one.mark)
        expect(lastMark).toBeGreaterThanOrEqual(2 * (length - 1))
        marked = bytes.slice(0, lastMark + 1)
      }
    }
  })
})
