import { describe, expect, it } from 'vitest'
import type { Entry } from '../entry-contract'
import { book, chat, entry, firedIds, look, whyNot } from '../testing/small-books'
import { readDecorators } from './decorators'

describe('reading', () => {
  it('takes the lines out and leaves the rest alone', () => {
    const read = readDecorators('@@depth 3\n@@role user\n\nFirst line\n@@not a decorator here')
    expect(read.content).toBe('First line\n@@not a decorator here')
    expect(read.decorations).toMatchObject({ depth: 3, role: 'user' })
  })

  it('content that is only decorators is empty', () => {
    expect(readDecorators('@@activate\n@@depth 2').content).toBe('')
  })

  it('content without any is unchanged, byte for byte', () => {
    for (const text of ['plain', '  indented\n', 'mail@@host', '@@ spaced', '@single']) {
      expect(readDecorators(text)).toEqual({ content: text, decorations: undefined, ignored: [] })
    }
  })

  it('an unknown line is reported, unless a fallback is understood', () => {
    expect(readDecorators('@@reverse_depth 2\nx').ignored).toEqual(['@@reverse_depth 2'])
    const read = readDecorators('@@unknown 1\n@@@also_unknown\n@@@depth 5\n@@@depth 9\nx')
    expect(read.decorations).toMatchObject({ depth: 5 })
    expect(read.ignored).toEqual([])
  })

  it('a fallback below an understood line is not asked; the first of a name wins', () => {
    expect(readDecorators('@@depth 1\n@@@depth 2\n@@depth 3\nx').decorations).toMatchObject({ depth: 1 })
  })
})

describe('effects', () => {
  const run = (content: string, text = 'hm', fields: Partial<Entry> = {}, more: Parameters<typeof look>[2] = {}) =>
    look(book([entry('e', { content, ...fields })]), text.split('|').length > 1 ? chat(...text.split('|')) : text, more)
  const fires = (...given: Parameters<typeof run>) => firedIds(run(...given)).length === 1

  it('activate wins over dont_activate', () => {
    expect(fires('@@activate\nx')).toBe(true)
    expect(fires('@@dont_activate\nx', 'hm', { constant: true })).toBe(false)
    expect(fires('@@dont_activate\n@@activate\nx')).toBe(true)
    expect(whyNot(run('@@dont_activate\nx', 'hm', { constant: true }), 'e')?.reason).toBe('decorator')
  })

  it('depth, role and position decide the place', () => {
    expect(run('@@depth 1\n@@role assistant\nx', 'a|b', { constant: true }).placements.chat).toEqual([
      { role: 'user', text: 'a' },
      { role: 'assistant', text: 'x', inserted: true },
      { role: 'assistant', text: 'b' },
    ])
    expect(run('@@depth 1\n@@position after_desc\nx', 'a', { constant: true }).placements.after).toBe('x')
  })

  it('scan_depth, probability, additional and exclude keys', () => {
    expect(fires('@@scan_depth 3\nx', 'ruby|b|c', { keys: ['ruby'] })).toBe(true)
    expect(fires('@@scan_depth 1\nx', 'ruby|b', { keys: ['ruby'] })).toBe(false)
    expect(fires('@@probability 0\nx', 'hm', { constant: true })).toBe(false)
    expect(fires('@@additional_keys red,blue\n@@additional_keys fox\nx', 'ruby red', { keys: ['ruby'] })).toBe(false)
    expect(fires('@@additional_keys red,blue\n@@additional_keys fox\nx', 'ruby red fox', { keys: ['ruby'] })).toBe(true)
    expect(fires('@@exclude_keys red\nx', 'ruby red', { keys: ['ruby'] })).toBe(false)
  })

  it('only after, only every: counted in answers', () => {
    expect(fires('@@activate_only_after 1\nx', 'a', { constant: true })).toBe(false)
    expect(fires('@@activate_only_after 1\nx', 'a|b', { constant: true })).toBe(true)
    expect(fires('@@activate_only_every 2\nx', 'a|b|c', { constant: true })).toBe(false)
    expect(fires('@@activate_only_every 2\nx', 'a|b|c|d', { constant: true })).toBe(true)
  })

  it('keep_activate_after_match stays for good, dont_activate_after_match fires once', () => {
    const kept = run('@@keep_activate_after_match\nx', 'ruby', { keys: ['ruby'] })
    const once = run('@@dont_activate_after_match\nx', 'ruby', { keys: ['ruby'] })
    expect([kept, once].map((result) => firedIds(result).length)).toEqual([1, 1])
    const long = Array.from({ length: 50 }, () => 'quiet').join('|')
    const saved = (result: typeof kept) => JSON.parse(JSON.stringify(result.timers))
    expect(fires('@@keep_activate_after_match\nx', long, { keys: ['ruby'] }, { timers: saved(kept) })).toBe(true)
    expect(fires('@@dont_activate_after_match\nx', `${long}|ruby`, { keys: ['ruby'] }, { timers: saved(once) })).toBe(
      false,
    )
  })

  it('ignore_on_max_context is the first to go', () => {
    const entries = [
      entry('first', { constant: true, order: 900, content: '@@ignore_on_max_context\none two three four' }),
      entry('second', { constant: true, order: 1, content: 'five six seven' }),
    ]
    const result = look(book(entries), 'hm', { settings: { budgetCap: 6 } })
    expect(firedIds(result)).toEqual(['second'])
  })

  it('an entry of decorators only is in, and says nothing', () => {
    const result = run('@@activate\n@@depth 2')
    expect(result.fired.map(({ content, tokens }) => [content, tokens])).toEqual([['', 0]])
    expect(result.placements.chat).toEqual([{ role: 'user', text: 'hm' }])
  })
})
