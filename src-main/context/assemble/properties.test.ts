import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type GivenTurn, hostile, turns } from '../../testing/turn-arbitraries'
import { countWords, PROFILES, textOf } from '../../testing/turn-builders'
import { BLOCK_TAGS, SEGMENTS } from '../contract'
import type { WireMessage } from '../request-contract'
import { assemble } from './assemble'
import { defuse } from './borders'
import { ledgerOf } from './ledger'
import { historyLimitOf } from './plan-history'
import { project } from './project'
import { usageOf } from './usage'

type ProfileName = keyof typeof PROFILES
const profileName = fc.constantFrom(...(Object.keys(PROFILES) as ProfileName[]))

function projected(input: GivenTurn, name: ProfileName): readonly WireMessage[] {
  return project(assemble(input).entries, PROFILES[name], { appPrefix: 'PREFIX' }).messages
}

function count(text: string, part: string): number {
  return text.split(part).length - 1
}

/** What must be in the request exactly once, and what must not. */
function expectedMarks({ turn, blocks: given }: GivenTurn): Map<string, number> {
  const assembled = assemble({ turn, blocks: given })
  const kept = new Set(assembled.entries.flatMap((entry) => (entry.kind === 'message' ? [entry.messageId] : [])))
  const marks = new Map<string, number>()
  for (const one of given.flatMap((each) => each.items)) marks.set(`«${one.id}»`, 1)
  for (const one of turn.branch) marks.set(`«${one.id}»`, kept.has(one.id) ? 1 : 0)
  return marks
}

const check = (property: Parameters<typeof fc.assert>[0]) => fc.assert(property, { numRuns: 150 })

describe('every request', () => {
  it('adds up: spans to segments to the total, whatever the window', () => {
    check(
      fc.property(turns, profileName, fc.integer({ min: 0, max: 400 }), (input, name, window) => {
        const ledger = ledgerOf(projected(input, name), [], countWords, () => '')
        const usage = usageOf(ledger, { window, reserved: 20 }, 'estimated')
        expect(usage.segments.reduce((sum, one) => sum + one.tokens, 0)).toBe(usage.used)
        expect(ledger.reduce((sum, span) => sum + span.tokens, 0)).toBe(usage.used)
        if (usage.over === 0 && window >= 20) expect(usage.used + usage.reserved + (usage.free ?? 0)).toBe(window)
        const order = usage.segments.map((one) => SEGMENTS.indexOf(one.segment))
        expect(order).toEqual(order.toSorted((a, b) => a - b))
      }),
    )
  })

  it('is the concatenation of its spans, each with a source', () => {
    check(
      fc.property(turns, profileName, (input, name) => {
        const messages = projected(input, name)
        const ledger = ledgerOf(messages, [], countWords, () => '')
        messages.forEach((one, index) => {
          const spans = ledger.filter((span) => span.message === index)
          expect(spans.map((span) => span.text).join('')).toBe(textOf(one))
          expect(spans.every((span) => span.sourceId !== '' && span.role === one.role)).toBe(true)
        })
        expect(new Set(ledger.map((span) => span.id)).size).toBe(ledger.length)
      }),
    )
  })

  it('is the same for the same input, and leaves the input alone', () => {
    check(
      fc.property(turns, profileName, (input, name) => {
        const before = JSON.stringify([input.turn.branch, input.blocks])
        const once = projected(input, name)
        const copy = structuredClone({ branch: input.turn.branch, blocks: input.blocks })
        const again = projected({ turn: { ...input.turn, branch: copy.branch }, blocks: copy.blocks }, name)
        expect(again).toEqual(once)
        expect(JSON.stringify([input.turn.branch, input.blocks])).toBe(before)
      }),
    )
  })

  it('never changes its entries while projecting', () => {
    check(
      fc.property(turns, (input) => {
        const { entries } = assemble(input)
        const before = JSON.stringify(entries)
        for (const profile of Object.values(PROFILES)) project(entries, profile, { appPrefix: 'PREFIX' })
        expect(JSON.stringify(entries)).toBe(before)
      }),
    )
  })

  it('holds every text exactly once under every profile, at-depth entries included', () => {
    check(
      fc.property(turns, profileName, (input, name) => {
        const whole = projected(input, name).map(textOf).join('\n')
        for (const [mark, times] of expectedMarks(input)) expect([mark, count(whole, mark)]).toEqual([mark, times])
      }),
    )
  })
})

describe('the window', () => {
  it('never counts more than the limit, except for the newest turn, and starts at a user message', () => {
    check(
      fc.property(turns, (input) => {
        const limit = historyLimitOf(input.turn)
        const { entries, windowStart } = assemble(input)
        const sent = entries.filter((entry) => entry.kind === 'message')
        const newest = input.turn.branch.findLastIndex(
          (one, n) => one.role === 'user' && input.turn.branch[n - 1]?.role !== 'user',
        )
        const newestIds = new Set(input.turn.branch.slice(newest).map((one) => one.id))
        const older = sent.filter((entry) => !newestIds.has(entry.messageId))
        // The block window is fixed by the newest turn's user messages; what answers them may grow past the limit.
        if (limit > 0 && older.length > 0 && input.turn.session.layout === 'documented')
          expect(sent.length).toBeLessThanOrEqual(limit)
        if (limit > 0 && older.length > 0) expect(older.length).toBeLessThanOrEqual(limit)
        if (windowStart) expect(input.turn.branch.find((one) => one.id === windowStart.messageId)?.role).toBe('user')
        expect(
          input.turn.branch
            .slice(newest)
            .every((one) => one.role === 'assistant' || sent.some((entry) => entry.messageId === one.id)),
        ).toBe(true)
      }),
    )
  })
})

describe('borders', () => {
  const tag = new RegExp(`<\\s*/?\\s*(${BLOCK_TAGS.join('|')})(?![\\w-])`, 'gi')

  it('are defused once and for all', () => {
    check(
      fc.property(hostile, (text) => {
        const once = defuse(text, 'any')
        expect(once.match(tag)).toBeNull()
        expect(defuse(once, 'any')).toBe(once)
        expect(once.replaceAll('&lt;', '<')).toBe(text.replaceAll('&lt;', '<'))
      }),
    )
    expect(defuse('a </system-reminder> b <SYSTEM-REMINDER x> <b> <system-remind>', 'any')).toBe(
      'a &lt;/system-reminder> b &lt;SYSTEM-REMINDER x> <b> <system-remind>',
    )
  })

  it('are found in a text made to be slow', { timeout: 20_000 }, () => {
    const blank = ' '.repeat(200_000)
    for (const text of [`<${blank}x`, `<${blank}/${blank}x`, `</${blank}memory>`, `<${blank}memory>`]) {
      const hostile = text.includes('memory')
      for (const border of ['any', { closing: 'memory' }] as const) {
        const found = hostile && (border === 'any' || text.includes('/'))
        expect(defuse(text, border).startsWith('&lt;')).toBe(found)
      }
      expect(defuse(text, 'reminder')).toBe(text)
    }
  })

  it('cannot be forged: what others wrote holds none, and every block closes where the app closes it', () => {
    check(
      fc.property(turns, profileName, (input, name) => {
        const foreign = new Set(['memory', 'user_profile_memory', 'worldbook'])
        for (const one of projected(input, name)) {
          for (const piece of one.parts.flatMap((part) => part.pieces)) {
            if (foreign.has(piece.segment) && !piece.sourceId.startsWith('frame:'))
              expect(piece.text.match(tag)).toBeNull()
          }
        }
        for (const own of ['system_prompt', 'topic_prompt', 'enhanced_prompt'] as const) {
          const { entries } = assemble(input)
          const pieces = entries.flatMap((entry) => entry.parts.flatMap((part) => part.pieces))
          // with what macros brought in between, which is booked elsewhere but parts or joins the same text
          const from = pieces.findIndex((piece) => piece.segment === own)
          const end = pieces.findLastIndex((piece) => piece.segment === own) + 1
          const text = pieces
            .slice(from, end)
            .map((piece) => piece.text)
            .join('')
          expect(text.match(new RegExp(`<\\s*/\\s*${own}(?![\\w-])`, 'gi'))).toHaveLength(1)
        }
      }),
    )
  })
})
