import type { ReadDatabase } from '../../storage/database'
import type { BookSummary } from './book-contract'
import { type BookHead, readBookInSlices } from './book-rows'
import { newBreathing } from './breathing'
import type { Entry } from './entry-contract'

export interface SummaryDeps {
  database: ReadDatabase
  countTokens: (text: string) => number
  countSessions: (worldbookId: string) => number
}

type Counted = Pick<BookSummary, 'entries' | 'enabledEntries' | 'tokens' | 'warnings'>

/** What the list can tell at a glance: switched on, but with nothing that could set it off or nothing to say. */
function isSuspect(entry: Entry): boolean {
  if (!entry.enabled) return false
  const hasKey = entry.keys.some((key) => key.trim() !== '')
  const canStart = hasKey || entry.constant || entry.vectorized || entry.content.includes('@@activate')
  return !canStart || (entry.useProbability && entry.probability <= 0) || entry.content.trim() === ''
}

async function countBook({ database, countTokens }: SummaryDeps, id: string): Promise<Counted> {
  const breathe = newBreathing()
  const entries = (await readBookInSlices(database, id, breathe))?.entries ?? []
  const counted: Counted = { entries: entries.length, enabledEntries: 0, tokens: { active: 0, total: 0 }, warnings: 0 }
  for (const entry of entries) {
    const pause = breathe()
    if (pause) await pause
    const tokens = entry.content === '' ? 0 : countTokens(entry.content)
    counted.tokens.total += tokens
    if (entry.enabled) {
      counted.enabledEntries += 1
      counted.tokens.active += tokens
    }
    if (isSuspect(entry)) counted.warnings += 1
  }
  return counted
}

/** Summaries with the counts of each book version worked out once. */
export function createSummaries(deps: SummaryDeps): {
  of(head: BookHead): Promise<BookSummary>
  forget(id: string): void
} {
  const kept = new Map<string, { version: number; counted: Promise<Counted> }>()
  return {
    forget: (id) => void kept.delete(id),
    async of(head) {
      let known = kept.get(head.id)
      if (known?.version !== head.version) {
        known = { version: head.version, counted: countBook(deps, head.id) }
        kept.set(head.id, known)
      }
      const { id, name, description, version, createdAt, updatedAt } = head
      const counted = await known.counted
      const boundSessions = deps.countSessions(id)
      return { id, name, description, ...counted, boundSessions, version, createdAt, updatedAt }
    },
  }
}
