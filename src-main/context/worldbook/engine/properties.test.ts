import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Entry, POSITIONS, SELECTIVE_LOGICS } from '../entry-contract'
import { book, chat, countWords, entry, look } from '../testing/small-books'
import { scanUnits } from './automaton'
import { buildAutomaton, CELL } from './build-automaton'
import { compileBook } from './compile'
import { foldText, foldUnits } from './fold'

const word = fc.constantFrom('amber', 'basalt', 'cedar', 'dune', 'am', 'ber', '北山', 'fox', 'Ruby', 'c++')
const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '))
const fields: fc.Arbitrary<Partial<Entry>> = fc.record(
  {
    keys: fc.array(fc.oneof(word, fc.constant(' '), fc.constant('/am(b|p)er/i')), { maxLength: 3 }),
    secondaryKeys: fc.array(word, { maxLength: 2 }),
    selectiveLogic: fc.constantFrom(...SELECTIVE_LOGICS),
    content: text,
    constant: fc.boolean(),
    enabled: fc.boolean(),
    order: fc.integer({ min: 0, max: 5 }),
    position: fc.constantFrom(...POSITIONS),
    depth: fc.integer({ min: -2, max: 9 }),
    outletName: fc.constantFrom('', 'box', 'bag'),
    probability: fc.integer({ min: 0, max: 100 }),
    group: fc.constantFrom('', 'g', 'h', 'g, h'),
    prioritise: fc.boolean(),
    groupScoring: fc.boolean(),
    scanDepth: fc.option(fc.integer({ min: 0, max: 4 })),
    caseSensitive: fc.option(fc.boolean()),
    wholeWords: fc.option(fc.boolean()),
    sticky: fc.option(fc.integer({ min: 0, max: 4 })),
    cooldown: fc.option(fc.integer({ min: 0, max: 4 })),
    delay: fc.option(fc.integer({ min: 0, max: 3 })),
    excludeRecursion: fc.boolean(),
    preventRecursion: fc.boolean(),
    ignoreBudget: fc.boolean(),
  },
  { requiredKeys: ['keys', 'content'] },
)
const entries = fc.array(fields, { maxLength: 8 }).map((list) => list.map((one, index) => entry(`e${index}`, one)))
const messages = fc.array(text, { minLength: 1, maxLength: 6 }).map((texts) => chat(...texts))
const settings = fc.record({
  scanDepth: fc.integer({ min: 0, max: 5 }),
  recursive: fc.boolean(),
  wholeWords: fc.boolean(),
  budgetCap: fc.integer({ min: 0, max: 30 }),
  minActivations: fc.integer({ min: 0, max: 3 }),
  maxRecursionSteps: fc.integer({ min: 0, max: 3 }),
})

describe('every evaluation', () => {
  it('is the same for the same input', () => {
    fc.assert(
      fc.property(entries, messages, settings, fc.string(), (list, said, rules, seed) => {
        const options = { settings: rules, seed }
        expect(look(book(list), said, options)).toEqual(look(book(list), said, options))
      }),
    )
  })

  it('gives every entry exactly one verdict', () => {
    fc.assert(
      fc.property(entries, messages, settings, (list, said, rules) => {
        const { fired, notFired } = look(book(list), said, { settings: rules })
        const ids = [...fired, ...notFired].map(({ entryId }) => entryId)
        expect(ids.sort()).toEqual(list.map(({ id }) => id).sort())
      }),
    )
  })

  it('places everything that fired, once', () => {
    fc.assert(
      fc.property(entries, messages, settings, (list, said, rules) => {
        const marked = list.map((one) => ({ ...one, content: `${one.content} mark-${one.id}.` }))
        const { fired, placements } = look(book(marked), said, { settings: rules })
        const { chat: _chat, ...places } = placements
        const everything = JSON.stringify(places)
        for (const { entryId } of fired) expect(everything.split(`mark-${entryId}.`)).toHaveLength(2)
        const inserted = placements.chat.filter((line) => line.inserted).map(({ role, text: said }) => [role, said])
        expect(inserted.sort()).toEqual(placements.depth.map((block) => [block.role, block.text]).sort())
      }),
    )
  })

  it('stays under the budget but for entries that ignore it, and never has two members of a group', () => {
    fc.assert(
      fc.property(entries, messages, settings, (list, said, rules) => {
        const limited = list.map((one) => ({ ...one, ignoreBudget: false }))
        const { fired } = look(book(limited), said, { settings: rules })
        const tokens = fired.reduce((sum, { content }) => sum + countWords(content), 0)
        if (rules.budgetCap > 0 && tokens > 0) expect(tokens).toBeLessThan(rules.budgetCap)
        for (const group of ['g', 'h']) {
          const members = fired.filter(({ entryId }) => list.find(({ id }) => id === entryId)?.group.includes(group))
          expect(members.length).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  it('does not change for an entry more that has nothing to do with it', () => {
    fc.assert(
      fc.property(entries, messages, settings, fc.nat(8), (list, said, rules, at) => {
        const more = list.toSpliced(at, 0, entry('stranger', { keys: ['unheard-of'], content: 'silence' }))
        const without = look(book(list), said, { settings: rules })
        const withIt = look(book(more), said, { settings: rules })
        expect(withIt.fired).toEqual(without.fired)
        expect(withIt.placements).toEqual(without.placements)
        expect(withIt.notFired.filter(({ entryId }) => entryId !== 'stranger')).toEqual(without.notFired)
      }),
    )
  })

  it('survives timers of its own making', () => {
    fc.assert(
      fc.property(entries, fc.array(messages, { maxLength: 5 }), settings, (list, turns, rules) => {
        let { timers } = look(book(list), chat('start'), { settings: rules })
        for (const said of turns) {
          const result = look(book(list), said, { settings: rules, timers: JSON.parse(JSON.stringify(timers)) })
          expect(result.fired.length + result.notFired.length).toBe(list.length)
          timers = result.timers
        }
      }),
    )
  })
})

describe('the automaton', () => {
  it('finds what a plain search finds', () => {
    const letters = fc
      .array(fc.constantFrom('a', 'b', '北', '𐐨'), { minLength: 1, maxLength: 4 })
      .map((list) => list.join(''))
    fc.assert(
      fc.property(fc.uniqueArray(letters, { maxLength: 10 }), fc.array(letters, { maxLength: 10 }), (terms, parts) => {
        const said = parts.join('')
        const found: string[] = []
        scanUnits(buildAutomaton(terms), foldUnits(said), (term, end) => found.push(`${terms[term]}@${end}`))
        const expected = terms.flatMap((term) => {
          const hits: string[] = []
          for (let at = said.indexOf(term); at >= 0; at = said.indexOf(term, at + 1))
            hits.push(`${term}@${at + term.length}`)
          return hits
        })
        expect(found.sort()).toEqual(expected.sort())
      }),
    )
  })

  it('finds every one of many terms over thousands of letters, in little memory', () => {
    const letter = (number: number) => String.fromCharCode(0x4e00 + (number % 5000))
    const terms = Array.from({ length: 5000 }, (_none, at) => `${letter(at * 7)}${letter(at * 13)}${letter(at * 29)}`)
    const automaton = buildAutomaton(terms)
    expect(automaton.cells.length / CELL.size).toBeLessThan(60_000)
    const found = new Set<string>()
    scanUnits(automaton, foldUnits(terms.join('x')), (term) => found.add(String(terms[term])))
    expect(found).toEqual(new Set(terms))
  })

  it('of a book without keys finds nothing', () => {
    expect(compileBook(book([entry('e')])).postings).toHaveLength(0)
    expect(() => scanUnits(buildAutomaton([]), foldUnits('any text'), () => expect.unreachable())).not.toThrow()
  })
})

describe('folding', () => {
  it('keeps the length and folds what a case-insensitive pattern takes for equal', () => {
    for (let unit = 0; unit <= 0xffff; unit += 1) {
      const character = String.fromCharCode(unit)
      const folded = foldText(character)
      if (folded.length !== 1) expect.unreachable(`length of ${unit}`)
      if (folded === character) continue
      const same = new RegExp(`^\\u{${folded.charCodeAt(0).toString(16)}}$`, 'iu').test(character)
      if (!same) expect.unreachable(`U+${unit.toString(16)} became U+${folded.charCodeAt(0).toString(16)}`)
      if (foldText(folded) !== folded) expect.unreachable(`U+${unit.toString(16)} folds twice`)
    }
  })

  it('makes upper and lower case equal wherever they are one character each', () => {
    const odd: string[] = []
    for (let unit = 0; unit <= 0xffff; unit += 1) {
      const character = String.fromCharCode(unit)
      const upper = character.toUpperCase()
      if (upper.length === 1 && new RegExp(`^\\u{${upper.charCodeAt(0).toString(16)}}$`, 'iu').test(character)) {
        if (foldText(upper) !== foldText(character)) odd.push(unit.toString(16))
      }
    }
    expect(odd).toEqual([])
  })
})
