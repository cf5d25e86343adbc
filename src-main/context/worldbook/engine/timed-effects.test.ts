import { describe, expect, it } from 'vitest'
import type { Entry } from '../entry-contract'
import { book, chat, entry, firedIds, look, whyFired, whyNot } from '../testing/small-books'
import type { Timers } from '../trace-contract'
import { NO_TIMERS, readTimers } from './timers'

const filler = (count: number, last: string) => chat(...Array.from({ length: count - 1 }, () => 'quiet'), last)

/** Evaluates at each [count, newest text] in turn, timers carried through JSON. */
function play(one: Entry, steps: [number, string][], start: Timers = NO_TIMERS) {
  let timers = start
  return steps.map(([count, text]) => {
    const result = look(book([one]), filler(count, text), { timers, settings: { scanDepth: 1 } })
    timers = readTimers(JSON.parse(JSON.stringify(result.timers)))
    return { fired: firedIds(result).length === 1, result, timers }
  })
}
const firedAt = (one: Entry, steps: [number, string][]) => play(one, steps).map(({ fired }) => fired)

describe('timed effects', () => {
  it('sticky: start + N exclusive, and a new hit does not extend', () => {
    const one = entry('e', { keys: ['bell'], sticky: 3 })
    expect(
      firedAt(one, [
        [2, 'bell'],
        [3, 'x'],
        [4, 'bell'],
        [5, 'x'],
      ]),
    ).toEqual([true, true, true, false])
  })

  it('the trace says until when', () => {
    const [, second] = play(entry('e', { keys: ['bell'], sticky: 3 }), [
      [2, 'bell'],
      [3, 'x'],
    ])
    expect(second && whyFired(second.result, 'e')).toMatchObject({ kind: 'sticky', until: 5 })
  })

  it('cooldown without sticky counts from the activation', () => {
    const one = entry('e', { keys: ['bell'], cooldown: 2 })
    expect(
      firedAt(one, [
        [2, 'bell'],
        [3, 'bell'],
        [4, 'bell'],
      ]),
    ).toEqual([true, false, true])
  })

  it('the end of sticky starts the cooldown', () => {
    const one = entry('e', { keys: ['bell'], sticky: 1, cooldown: 2 })
    const played = play(one, [
      [1, 'bell'],
      [2, 'bell'],
      [3, 'bell'],
      [4, 'bell'],
    ])
    expect(played.map(({ fired }) => fired)).toEqual([true, false, false, true])
    expect(whyNot(played[1]?.result ?? look([], ''), 'e')).toMatchObject({ reason: 'cooldown', facts: { left: 2 } })
  })

  it('delay holds until there are N messages', () => {
    const one = entry('e', { constant: true, delay: 3 })
    const [early, late] = play(one, [
      [1, 'x'],
      [3, 'x'],
    ])
    expect(early && whyNot(early.result, 'e')).toMatchObject({ reason: 'delay', facts: { left: 2 } })
    expect(late?.fired).toBe(true)
  })

  it('a branch no longer than at the start loses the effect', () => {
    const one = entry('e', { keys: ['bell'], sticky: 5 })
    expect(
      firedAt(one, [
        [4, 'bell'],
        [4, 'x'],
      ]),
    ).toEqual([true, false])
    expect(
      firedAt(one, [
        [4, 'bell'],
        [3, 'x'],
        [5, 'x'],
      ]),
    ).toEqual([true, false, false])
  })

  it('a branch cut back out of a cooldown is in its sticky span again', () => {
    const one = entry('e', { keys: ['bell'], sticky: 2, cooldown: 4 })
    expect(
      firedAt(one, [
        [2, 'bell'],
        [4, 'x'],
        [3, 'x'],
        [4, 'bell'],
      ]),
    ).toEqual([true, false, true, false])
    expect(
      firedAt(one, [
        [2, 'bell'],
        [4, 'x'],
        [2, 'x'],
        [4, 'bell'],
      ]),
    ).toEqual([true, false, false, true])
  })

  it('another meaning ends the effect, another title or field order does not', () => {
    const one = entry('e', { keys: ['bell'], sticky: 5 })
    const [first] = play(one, [[2, 'bell']])
    const stays = (changed: Entry) => play(changed, [[3, 'x']], first?.timers)[0]?.fired
    expect(stays({ ...one, content: 'other words' })).toBe(false)
    expect(stays({ ...one, comment: 'renamed' })).toBe(true)
    expect(stays(Object.fromEntries(Object.entries(one).reverse()) as unknown as Entry)).toBe(true)
  })

  it('sticky is not rolled again and passes recursion rules, but not the off switch', () => {
    const one = entry('e', { keys: ['bell'], sticky: 5, probability: 50 })
    const first = look(book([one]), filler(2, 'bell'), { roll: 0 })
    const again = (changed: Partial<Entry>) =>
      firedIds(
        look(book([{ ...one, ...changed }]), filler(3, 'x'), {
          timers: first.timers,
          roll: 0.99,
          settings: { scanDepth: 1 },
        }),
      )
    expect(again({})).toEqual(['e'])
    expect(again({ enabled: false })).toEqual([])
  })

  it('all sticky members of a group stay, and put the others out of their groups', () => {
    const entries = [
      entry('a', { keys: ['x'], group: 'g', sticky: 9 }),
      entry('b', { keys: ['y'], group: 'g', sticky: 9 }),
      entry('both', { constant: true, group: 'h, g', prioritise: true, order: 900 }),
      entry('free', { constant: true, group: 'h' }),
    ]
    const effects = ['x', 'y'].flatMap((text) => look(book(entries.slice(0, 2)), text).timers.effects)
    const result = look(book(entries), chat('1', '2', '3'), { timers: { version: 1, effects } })
    expect(firedIds(result)).toEqual(['a', 'b', 'free'])
  })

  it('sticky entries come before higher orders when the budget is short', () => {
    const one = entry('e', { keys: ['bell'], sticky: 5, order: 1, content: 'w w w' })
    const first = look(book([one]), filler(2, 'bell'))
    const rival = entry('rival', { constant: true, order: 900, content: 'w w w' })
    const result = look(book([rival, one]), filler(3, 'x'), { timers: first.timers, settings: { budgetCap: 5 } })
    expect(firedIds(result)).toEqual(['e'])
  })

  it('an effect of a book that is not here now waits until its end', () => {
    const one = entry('e', { keys: ['bell'], sticky: 5 })
    const first = look(book([one]), filler(2, 'bell'))
    const without = look(book([entry('other')], {}, 'b2'), filler(3, 'x'), { timers: first.timers })
    expect(without.timers.effects).toHaveLength(1)
    expect(look(book([], {}, 'b2'), filler(7, 'x'), { timers: first.timers }).timers.effects).toHaveLength(0)
  })

  it('what is no timer state counts as none', () => {
    for (const value of [undefined, null, 'x', { version: 2 }, { version: 1, effects: [{ kind: 'odd' }] }]) {
      expect(readTimers(value)).toEqual(NO_TIMERS)
    }
  })
})
