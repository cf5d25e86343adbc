import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sessionPromptsFromCard } from './import-session-prompts'
import { readWorldbookFile } from './read-worldbook-file'
import { writeWorldbookFile } from './write-worldbook-file'

const resource = (path: string) => readFileSync(join(import.meta.dirname, '../../../../resources', path))

describe('the sample worldbook', () => {
  const bytes = resource('worldbooks/fogharbour.json')
  const { books, report } = readWorldbookFile('fogharbour.json', bytes)
  const entries = books[0]?.entries ?? []

  it('reads without a complaint', () => {
    expect(report).toMatchObject({
      format: 'sillytavern',
      books: [{ name: '雾港志', entries: 26 }],
      entries: { imported: 26, skipped: [] },
      ...{ keptNotExecuted: [], warnings: [] },
    })
    expect(entries.filter((entry) => entry.enabled)).toHaveLength(24)
  })

  it('shows what entries can do', () => {
    const some = (test: (entry: (typeof entries)[number]) => boolean) =>
      entries.some((entry) => entry.enabled && test(entry))
    expect(some((entry) => entry.position === 'at-depth' && entry.depth === 2)).toBe(true)
    expect(some((entry) => entry.position === 'an-top' && entry.constant)).toBe(true)
    expect(some((entry) => entry.position === 'outlet' && entry.outletName === 'signals')).toBe(true)
    expect(some((entry) => entry.keys.some((key) => key.startsWith('/')))).toBe(true)
    expect(some((entry) => (entry.sticky ?? 0) > 0)).toBe(true)
    expect(some((entry) => entry.delayUntilRecursion > 0)).toBe(true)
    expect(entries.filter((entry) => entry.group === 'tide')).toHaveLength(2)
  })

  it('is written back exactly as it stands', () => {
    const book = books[0]
    if (!book) throw new Error('no book')
    const written = new TextDecoder().decode(writeWorldbookFile(book, 'sillytavern').bytes)
    expect(JSON.parse(written)).toStrictEqual(JSON.parse(bytes.toString('utf8')))
  })
})

describe('the sample card', () => {
  const { books, report } = readWorldbookFile('harbour-master.png', resource('cards/harbour-master.png'))

  it('carries a book with every place an entry may go to', () => {
    expect(report).toMatchObject({ format: 'character_card_v3', entries: { imported: 6, skipped: [] } })
    expect(books[0]?.entries.map((entry) => entry.position)).toStrictEqual([
      ...['before', 'before', 'at-depth', 'after', 'outlet', 'before'],
    ])
    expect(books[0]?.settings).toMatchObject({ scanDepth: 3, tokenBudget: 1200, recursive: true })
    expect(report.warnings.map((warning) => warning.code)).toStrictEqual(['card_left_out'])
  })

  it('becomes the prompts of a session', () => {
    if (!report.card) throw new Error('no card')
    const prompts = sessionPromptsFromCard(report.card, 'Mei')
    expect(prompts.title).toBe('闻港务长 Harbour Master Wen')
    expect(prompts.topicPrompt).toContain('Mei has come to the harbour office')
    expect(prompts.enhancedPrompt).toContain('Harbour Master Wen never says')
    expect(Object.values(prompts).join('')).not.toContain('{{')
  })
})
