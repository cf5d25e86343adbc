import { describe, expect, it } from 'vitest'
import { book, chat, entry, firedIds, look, whyFired, whyNot } from '../testing/small-books'

describe('keys', () => {
  it('a blank key never fires', () => {
    const result = look(book([entry('spaces', { keys: ['   ', '\n', ''] })]), 'two words\nand lines')
    expect(firedIds(result)).toEqual([])
    expect(whyNot(result, 'spaces')?.reason).toBe('no_keys')
  })

  it.each([
    ['cat', 'my_cat_ran', false],
    ['cat', 'a _cat_ here', true],
    ['cat', 'concatenate', false],
    ['cat', 'cats', false],
    ['cat', 'the cat', true],
    ['caf', 'café', false],
    ['cafe', 'cafe\u0301', false],
    ['кот', 'котлета', false],
    ['x', 'x\u0302', false],
    ['北山', '我们去北山看雪', true],
    ['AI', '这个AI很好', true],
    ['ใหญ่', 'บ้านใหญ่มาก', true],
    ['ruby gate', 'the ruby gates', false],
    ['ruby gate', 'the ruby gate.', true],
    ['#hello', 'say #hello!', true],
    ['C++', 'in C++.', true],
    ['❤', 'with ❤️ from', true],
  ])('whole words: %s in %s → %s', (key, text, fires) => {
    expect(firedIds(look(book([entry('e', { keys: [key] })]), text))).toEqual(fires ? ['e'] : [])
  })

  it.each([
    ['σοφός', 'ΣΟΦΌΣ'],
    ['straße', 'STRAẞE'],
    ['caf\u00e9', 'CAFE\u0301'],
    ['ǆ', 'ǅ'],
    ['𐐨', '𐐀'],
  ])('simple folding after NFC: %s is %s', (key, text) => {
    expect(firedIds(look(book([entry('e', { keys: [key] })]), text))).toEqual(['e'])
  })

  it.each([
    ['straße', 'STRASSE'],
    ['istanbul', 'İstanbul'],
    ['ırmak', 'Irmak'],
  ])('folding changes no length: %s is not %s', (key, text) => {
    expect(firedIds(look(book([entry('e', { keys: [key] })]), text))).toEqual([])
  })

  it('case counts where an entry, a book or the app says so', () => {
    const entries = [entry('own', { keys: ['Ruby'], caseSensitive: true }), entry('book', { keys: ['Ruby'] })]
    expect(firedIds(look(book(entries), 'a ruby'))).toEqual(['book'])
    expect(firedIds(look(book(entries, { caseSensitive: true }), 'a ruby'))).toEqual([])
    expect(firedIds(look(book(entries), 'RUBY then Ruby'))).toEqual(['own', 'book'])
    expect(
      firedIds(look(book(entries, { caseSensitive: false }), 'a ruby', { settings: { caseSensitive: true } })),
    ).toEqual(['book'])
  })

  it('a pattern that does not compile is literal text with a warning', () => {
    const result = look(book([entry('e', { keys: ['/un(closed/'] })]), 'see /un(closed/ here')
    expect(firedIds(result)).toEqual(['e'])
    expect(result.warnings).toMatchObject([{ entryId: 'e', code: 'broken_pattern' }])
  })

  it.each([
    ['/^red fox$/', true],
    ['/RED/', false],
    ['/RED/i', true],
    ['/red/v', false],
    ['/red/ii', false],
    ['/a/b/', false],
    ['/x\\/y|fox/', true],
    ['/\\x01red[^\\x01]*fox/', true],
    ['/fox[\\s\\S]*older/', true],
  ])('pattern %s → %s', (key, fires) => {
    expect(firedIds(look(book([entry('e', { keys: [key] })]), chat('an older text', 'red fox')))).toEqual(
      fires ? ['e'] : [],
    )
  })

  it('a flag alone does not make plain words patterns', () => {
    const entries = [
      entry('plain', { keys: ['AI'], regexKeys: true }),
      entry('pattern', { keys: ['a|b+'], regexKeys: true }),
      entry('symbols', { keys: ['C++'], regexKeys: true }),
    ]
    const result = look(book(entries), 'rain, bb, C++')
    expect(firedIds(result)).toEqual(['pattern', 'symbols'])
  })

  it('a pattern that runs out of time does not fire, is reported, and lets the others live', () => {
    const result = look(
      book([entry('evil', { keys: ['/(a+)+$/'] }), entry('ok', { keys: ['/a{4}/'] })]),
      `${'a'.repeat(30)}!`,
    )
    expect(firedIds(result)).toEqual(['ok'])
    expect(whyNot(result, 'evil')?.reason).toBe('out_of_time')
    expect(result.warnings).toMatchObject([{ entryId: 'evil', code: 'pattern_timeout' }])
  })
})

describe('secondary keys', () => {
  const fires = (
    selectiveLogic: 'and-any' | 'not-all' | 'not-any' | 'and-all',
    secondaryKeys: string[],
    text: string,
  ) => firedIds(look(book([entry('e', { keys: ['p'], secondaryKeys, selectiveLogic })]), text)).length === 1

  it.each([
    ['and-any', 'p', false],
    ['and-any', 'p x', true],
    ['and-any', 'p x y', true],
    ['not-all', 'p', true],
    ['not-all', 'p x', true],
    ['not-all', 'p x y', false],
    ['not-any', 'p', true],
    ['not-any', 'p x', false],
    ['not-any', 'p x y', false],
    ['and-all', 'p', false],
    ['and-all', 'p x', false],
    ['and-all', 'p x y', true],
  ] as const)('%s on “%s” → %s', (logic, text, expected) => {
    expect(fires(logic, ['x', 'y'], text)).toBe(expected)
  })

  it('a blank secondary counts as not found', () => {
    expect(fires('and-all', ['x', ' '], 'p x')).toBe(false)
    expect(fires('not-any', [' '], 'p')).toBe(true)
  })

  it('are not asked when selective is off, and never without a primary key', () => {
    const entries = [
      entry('off', { keys: ['p'], secondaryKeys: ['x'], selective: false }),
      entry('none', { keys: ['q'], secondaryKeys: ['p'] }),
    ]
    const result = look(book(entries), 'p')
    expect(firedIds(result)).toEqual(['off'])
  })

  it('the trace names what failed', () => {
    const result = look(
      book([entry('e', { keys: ['p'], secondaryKeys: ['x', 'y'], selectiveLogic: 'and-all' })]),
      'p x',
    )
    expect(whyNot(result, 'e')).toMatchObject({ reason: 'secondary_failed', detail: expect.stringContaining('“y”') })
  })
})

describe('what is scanned', () => {
  it('the newest messages up to the depth; the trace says where else the key stands', () => {
    const result = look(book([entry('e', { keys: ['ruby'] })]), chat('a ruby', 'two', 'three', 'four'))
    expect(whyNot(result, 'e')).toMatchObject({ reason: 'outside_scan_depth', facts: { message: -4, depth: 2 } })
  })

  it('depth 0 reads no message but recursion and the topic prompt', () => {
    const entries = [
      entry('start', { constant: true, content: 'mentions ruby' }),
      entry('deep', { keys: ['ruby'], scanDepth: 0 }),
      entry('chat', { keys: ['hello'], scanDepth: 0 }),
      entry('topic', { keys: ['subject'], scanDepth: 0 }),
    ]
    const result = look(book(entries, { scanTopicPrompt: true }), 'hello', { topicPrompt: 'the subject' })
    expect(firedIds(result)).toEqual(['start', 'topic', 'deep'])
    expect(whyFired(result, 'topic')).toMatchObject({ place: { in: 'topic_prompt', span: [4, 11] } })
  })

  it('not the topic prompt unless the book asks for it', () => {
    expect(firedIds(look(book([entry('e', { keys: ['subject'] })]), 'hello', { topicPrompt: 'the subject' }))).toEqual(
      [],
    )
  })

  it('names only when they are included', () => {
    const messages = [{ role: 'user' as const, text: 'hi', name: 'Ilse' }]
    const books = book([entry('e', { keys: ['ilse'] })])
    expect(firedIds(look(books, messages))).toEqual([])
    expect(firedIds(look(books, messages, { settings: { includeNames: true } }))).toEqual(['e'])
  })

  it('the span points into the message as written', () => {
    const text = '  A Ruby, cafe\u0301 and more'
    const result = look(book([entry('a', { keys: ['ruby'] }), entry('b', { keys: ['café'] })]), text)
    const spans = ['a', 'b'].map((id) => {
      const why = whyFired(result, id)
      return why?.kind === 'key' ? text.slice(...why.place.span) : undefined
    })
    expect(spans).toEqual(['Ruby', 'cafe\u0301'])
  })
})

describe('recursion', () => {
  const chain = [
    entry('A', { keys: ['amber'], content: 'see basalt' }),
    entry('B', { keys: ['basalt'], content: 'see cedar' }),
    entry('C', { keys: ['cedar'], content: 'back to amber' }),
  ]

  it('ends a cycle, and the trace holds the chain', () => {
    const result = look(book(chain), 'amber')
    expect(firedIds(result)).toEqual(['A', 'B', 'C'])
    expect(whyFired(result, 'C')).toMatchObject({ kind: 'recursion', chain: [{ entryId: 'A' }, { entryId: 'B' }] })
    expect(result.fired.map(({ sweep }) => sweep)).toEqual([1, 2, 3])
  })

  it.each([
    [1, ['A']],
    [2, ['A', 'B']],
    [0, ['A', 'B', 'C']],
  ])('%s sweeps at most', (maxRecursionSteps, ids) => {
    expect(firedIds(look(book(chain), 'amber', { settings: { maxRecursionSteps } }))).toEqual(ids)
  })

  it('prevented, excluded, delayed', () => {
    const [a, b, c] = chain as [(typeof chain)[0], (typeof chain)[0], (typeof chain)[0]]
    expect(firedIds(look(book([{ ...a, preventRecursion: true }, b]), 'amber'))).toEqual(['A'])
    const excluded = look(book([a, { ...b, excludeRecursion: true }]), 'amber')
    expect(whyNot(excluded, 'B')?.reason).toBe('excluded_from_recursion')
    const delayed = look(book([{ ...a, delayUntilRecursion: 1 }, b, c]), 'amber')
    expect(whyNot(delayed, 'A')?.reason).toBe('delay_until_recursion')
    expect(firedIds(look(book([b, { ...c, delayUntilRecursion: 1, keys: ['here'] }]), 'basalt here'))).toEqual([
      'B',
      'C',
    ])
  })

  it('later levels open one after the other', () => {
    const entries = [
      entry('A', { keys: ['amber'], content: 'nothing' }),
      entry('L1', { keys: ['amber'], delayUntilRecursion: 1 }),
      entry('L2', { keys: ['amber'], delayUntilRecursion: 2 }),
    ]
    expect(look(book(entries), 'amber').fired.map(({ entryId, sweep }) => [entryId, sweep])).toEqual([
      ['A', 1],
      ['L1', 2],
      ['L2', 4],
    ])
  })

  it('a very long chain ends, each link once', () => {
    const entries = Array.from({ length: 2000 }, (_none, index) =>
      entry(`e${index}`, { keys: [`key${index}`], content: `key${index + 1}` }),
    )
    const result = look(book(entries), 'key0')
    expect(result.fired).toHaveLength(2000)
    const why = whyFired(result, 'e1999')
    expect(why?.kind === 'recursion' && [why.chain.length, why.chain[0]?.entryId, why.chain.at(-1)?.entryId]).toEqual([
      50,
      'e0',
      'e1998',
    ])
    expect(why?.text).toBe('recursion from e0 → … → e1995 → e1996 → e1997 → e1998: key “key1999”')
  })

  it('finds a key in a text though the chat has it too far back', () => {
    const entries = [entry('A', { keys: ['amber'], content: 'see basalt' }), entry('B', { keys: ['basalt'] })]
    const result = look(book(entries), chat('basalt', 'two', 'three', 'amber'))
    expect(whyFired(result, 'B')).toMatchObject({ kind: 'recursion', chain: [{ entryId: 'A' }] })
  })

  it('a book may switch it on or off for itself, and it crosses books', () => {
    const [a, b, c] = chain as [(typeof chain)[0], (typeof chain)[0], (typeof chain)[0]]
    const first = book([a, c], {}, 'first')
    expect(firedIds(look([first, book([b], {}, 'second')], 'amber'))).toEqual(['A', 'B', 'C'])
    const closed = look([first, book([b], { recursive: false }, 'second')], 'amber')
    expect(whyNot(closed, 'B')?.reason).toBe('excluded_from_recursion')
    expect(firedIds(look(book(chain, { recursive: true }), 'amber', { settings: { recursive: false } }))).toEqual([
      'A',
      'B',
      'C',
    ])
  })

  it('min activations go further back until enough are in', () => {
    const entries = [entry('near', { keys: ['four'] }), entry('far', { keys: ['one'] })]
    const messages = chat('one', 'two', 'three', 'four')
    expect(firedIds(look(book(entries), messages, { settings: { minActivations: 2 } }))).toEqual(['near', 'far'])
    expect(
      firedIds(look(book(entries), messages, { settings: { minActivations: 2, minActivationsDepthMax: 2 } })),
    ).toEqual(['near'])
  })
})

describe('groups and probability', () => {
  it('who is out of one group is out of all, and nobody else goes', () => {
    const entries = [
      entry('win', { constant: true, group: 'g', order: 300 }),
      entry('both', { constant: true, group: 'g, h', order: 200 }),
      entry('other', { constant: true, group: 'h', order: 100 }),
      entry('free', { constant: true, order: 50 }),
    ]
    const result = look(book(entries), 'hm', { roll: 0 })
    expect(firedIds(result)).toEqual(['win', 'other', 'free'])
    expect(whyNot(result, 'both')).toMatchObject({ reason: 'lost_group', facts: { group: 'g', to: 'win' } })
  })

  it('a member that is in blocks every group it is in, by single name', () => {
    const entries = [
      entry('in', { constant: true, group: 'g, h', content: 'say ruby' }),
      entry('late', { keys: ['ruby'], group: 'h' }),
    ]
    expect(whyNot(look(book(entries), 'hm'), 'late')?.reason).toBe('lost_group')
  })

  it('nobody loses to a member that a group decided before has put out', () => {
    const late = [
      entry('first', { constant: true, group: 'g', content: 'say ruby' }),
      entry('both', { keys: ['ruby'], group: 'h, g', prioritise: true, order: 300 }),
      entry('free', { keys: ['ruby'], group: 'h' }),
    ]
    expect(firedIds(look(book(late), 'hm'))).toEqual(['first', 'free'])
  })

  it('a group called constructor is a name like any other', () => {
    expect(firedIds(look(book([entry('e', { constant: true, group: 'constructor, __proto__' })]), 'hm'))).toEqual(['e'])
  })

  it('prioritised members: the highest order wins', () => {
    const entries = [
      entry('plain', { constant: true, group: 'g', order: 900, groupWeight: 10_000 }),
      entry('low', { constant: true, group: 'g', order: 10, prioritise: true }),
      entry('high', { constant: true, group: 'g', order: 20, prioritise: true }),
    ]
    expect(firedIds(look(book(entries), 'hm'))).toEqual(['high'])
  })

  it('weights decide by the roll', () => {
    const entries = [
      entry('a', { constant: true, group: 'g', groupWeight: 30 }),
      entry('b', { constant: true, group: 'g', groupWeight: 70 }),
    ]
    expect(firedIds(look(book(entries), 'hm', { roll: 0.29 }))).toEqual(['a'])
    expect(firedIds(look(book(entries), 'hm', { roll: 0.31 }))).toEqual(['b'])
  })

  it('scoring keeps those with the most hits, of those that take part', () => {
    const entries = [
      entry('one', { keys: ['red', 'blue'], group: 'g', groupScoring: true, order: 900 }),
      entry('two', { keys: ['red', 'fox'], group: 'g', groupScoring: true }),
    ]
    const result = look(book(entries), 'red fox', { roll: 0 })
    expect(firedIds(result)).toEqual(['two'])
  })

  it('group first, then probability: a winner that fails leaves the group empty', () => {
    const entries = [
      entry('win', { constant: true, group: 'g', prioritise: true, probability: 50 }),
      entry('lose', { constant: true, group: 'g' }),
    ]
    const result = look(book(entries), 'hm', { roll: 0.63 })
    expect(firedIds(result)).toEqual([])
    expect(whyNot(result, 'win')).toMatchObject({
      reason: 'probability',
      detail: expect.stringContaining('rolled 63 > 50'),
    })
    expect(whyNot(result, 'lose')?.reason).toBe('lost_group')
  })

  it('each entry has its own luck, from the seed alone', () => {
    const entries = Array.from({ length: 400 }, (_none, index) =>
      entry(`e${index}`, { constant: true, probability: 25 }),
    )
    const [one, same, other] = ['s', 's', 't'].map((seed) => firedIds(look(book(entries), 'hm', { seed })))
    expect(one).toEqual(same)
    expect(one).not.toEqual(other)
    for (const ids of [one, other]) {
      expect(ids?.length).toBeGreaterThan(60)
      expect(ids?.length).toBeLessThan(140)
    }
  })

  it('0 never, 100 always, on any roll', () => {
    const entries = [
      entry('never', { constant: true, probability: 0 }),
      entry('always', { constant: true, probability: 100 }),
    ]
    for (const roll of [0, 0.5, 1]) expect(firedIds(look(book(entries), 'hm', { roll }))).toEqual(['always'])
  })
})

describe('budget', () => {
  const words = (count: number) => Array.from({ length: count }, () => 'w').join(' ')

  it('the entry that would reach it closes the list; those that ignore it pass; a dropped constant is a warning', () => {
    const entries = [
      entry('big', { constant: true, content: words(8), order: 300 }),
      entry('mid', { constant: true, content: words(2), order: 200 }),
      entry('small', { constant: true, content: words(1), order: 100 }),
      entry('must', { constant: true, content: words(9), order: 50, ignoreBudget: true }),
    ]
    const result = look(book(entries), 'hm', { window: 40 })
    expect(firedIds(result)).toEqual(['big', 'must'])
    expect(whyNot(result, 'mid')).toMatchObject({ reason: 'over_budget', facts: { needs: 2, left: 2 } })
    expect(result.warnings.map(({ code, entryId }) => [code, entryId])).toContainEqual([
      'constant_over_budget',
      'small',
    ])
  })

  it('tokens of earlier sweeps count, those of entries that prevent recursion too', () => {
    const entries = [
      entry('first', { constant: true, content: words(6), preventRecursion: true, order: 200 }),
      entry('call', { constant: true, content: 'ruby', order: 100 }),
      entry('late', { keys: ['ruby'], content: words(4) }),
    ]
    expect(whyNot(look(book(entries), 'hm', { window: 40 }), 'late')?.reason).toBe('over_budget')
  })

  it('text that did not fit feeds no recursion', () => {
    const entries = [
      entry('big', { constant: true, content: `ruby ${words(20)}` }),
      entry('called', { keys: ['ruby'], ignoreBudget: true }),
      entry('level', { keys: ['ruby'], ignoreBudget: true, delayUntilRecursion: 2 }),
      entry('one', { keys: ['never'], delayUntilRecursion: 1 }),
    ]
    expect(firedIds(look(book(entries), 'hm', { window: 40 }))).toEqual([])
  })

  it('the cap limits, and a book has its own inside the shared budget', () => {
    const entries = [
      entry('a', { constant: true, content: words(3) }),
      entry('b', { constant: true, content: words(3) }),
    ]
    expect(firedIds(look(book(entries), 'hm', { settings: { budgetCap: 5 } }))).toEqual(['a'])
    const two = [
      book(entries, { tokenBudget: 5 }, 'x'),
      book([entry('c', { constant: true, content: words(3) })], {}, 'y'),
    ]
    expect(firedIds(look(two, 'hm', { window: 1000 }))).toEqual(['a', 'c'])
    expect(firedIds(look(two, 'hm', { window: 24 }))).toEqual(['a'])
  })
})

describe('places', () => {
  it.each([
    [-1, 0],
    [99, 99],
    [Number.NaN, 4],
    [2.7, 2],
  ])('depth %s acts as %s', (depth, expected) => {
    const result = look(book([entry('e', { constant: true, position: 'at-depth', depth })]), chat('one', 'two'))
    expect(result.fired[0]?.depth).toBe(expected)
    expect(result.placements.chat).toContainEqual({ role: 'system', text: 'e content', inserted: true })
  })

  it('deeper than the chat = top; a tool result stays with its call', () => {
    const messages = [
      { role: 'user' as const, text: 'one' },
      { role: 'assistant' as const, text: 'calls' },
      { role: 'tool' as const, text: 'result' },
    ]
    const at = (depth: number) =>
      look(book([entry('e', { constant: true, position: 'at-depth', depth })]), messages).placements.chat.map(
        ({ text }) => text,
      )
    expect(at(99)[0]).toBe('e content')
    expect(at(1)).toEqual(['one', 'e content', 'calls', 'result'])
    expect(at(0)).toEqual(['one', 'calls', 'result', 'e content'])
  })

  it('ties go in book order, also when the later entry came in first', () => {
    const entries = [entry('called', { keys: ['ruby'] }), entry('caller', { constant: true, content: 'ruby' })]
    const result = look(book(entries), 'hm')
    expect(firedIds(result)).toEqual(['caller', 'called'])
    expect(result.placements.before).toBe('called content\nruby')
  })

  it('ties go in book order, over several books and in outlets', () => {
    const first = book(
      [entry('b', { constant: true }), entry('x', { constant: true, position: 'outlet', outletName: 'box' })],
      {},
      'one',
    )
    const second = book(
      [entry('a', { constant: true }), entry('y', { constant: true, position: 'outlet', outletName: 'box' })],
      {},
      'two',
    )
    const { placements } = look([first, second], 'hm')
    expect(placements.before).toBe('b content\na content')
    expect(placements.outlets).toEqual({ box: ['x content', 'y content'] })
  })

  it('an outlet without a name is malformed, not lost', () => {
    const result = look(book([entry('e', { constant: true, position: 'outlet', outletName: ' ' })]), 'hm')
    expect(whyNot(result, 'e')?.reason).toBe('malformed')
    expect(result.warnings).toMatchObject([{ entryId: 'e', code: 'malformed' }])
  })
})

describe('other gates', () => {
  it('disabled, trigger, forced and similarity', () => {
    const entries = [
      entry('off', { constant: true, enabled: false }),
      entry('swipe', { constant: true, triggers: ['swipe'] }),
      entry('forced'),
      entry('near', { vectorized: true }),
      entry('far', { vectorized: true }),
      entry('plain'),
    ]
    const forced = [
      { worldbookId: 'b1', entryId: 'forced' },
      { worldbookId: 'b1', entryId: 'off' },
      { worldbookId: 'b1', entryId: 'near', score: 0.41 },
      { worldbookId: 'b1', entryId: 'far', score: 0.2 },
      { worldbookId: 'b1', entryId: 'plain', score: 0.9 },
    ]
    const result = look(book(entries), 'hm', { forced })
    expect(firedIds(result)).toEqual(['forced', 'near'])
    expect(whyFired(result, 'near')).toMatchObject({ kind: 'similarity', score: 0.41, text: 'similarity 0.41' })
    expect(['off', 'swipe'].map((id) => whyNot(result, id)?.reason)).toEqual(['disabled', 'trigger'])
    expect(firedIds(look(book(entries), 'hm', { trigger: 'swipe' }))).toEqual(['swipe'])
  })

  it('at most five by similarity', () => {
    const entries = Array.from({ length: 8 }, (_none, index) => entry(`v${index}`, { vectorized: true }))
    const forced = entries.map(({ id }, index) => ({ worldbookId: 'b1', entryId: id, score: 0.3 + index / 100 }))
    expect(firedIds(look(book(entries), 'hm', { forced }))).toEqual(['v3', 'v4', 'v5', 'v6', 'v7'])
  })

  it('an entry that cannot be read is skipped with a warning, the rest works', () => {
    const broken = { ...entry('broken', { constant: true }), content: 42 as unknown as string }
    const result = look(book([broken, entry('fine', { constant: true })]), 'hm')
    expect(firedIds(result)).toEqual(['fine'])
    expect(whyNot(result, 'broken')?.reason).toBe('malformed')
  })
})
