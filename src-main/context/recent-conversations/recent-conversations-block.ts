import { asDetail, said } from '../../ipc/said-contract'
import type { ReadDatabase } from '../../storage/database'
import { layoutOf } from '../assemble/assemble'
import { framingFor } from '../assemble/templates'
import type { BlockSource, TurnInput } from '../block-source'
import type { AbsentCode, BlockItem, ContextBlock } from '../contract'
import type { Openings } from '../openings'
import { allSummaries, type SummaryRow } from './repository'

const BLOCK = 'recent_conversation_memory' as const

export interface RecentConversationReads {
  database: ReadDatabase
  /** undefined = gone, in the bin or isolated: its summary is not told to anybody. '' = told without a title. */
  titleOf(row: SummaryRow): string | undefined
  openings: Openings
}

interface Told {
  row: SummaryRow
  title: string
}

/** Summaries other chats may read now, newest first. */
function toldNow(reads: RecentConversationReads, sessionId: string): Told[] {
  return allSummaries(reads.database).flatMap((row) => {
    const title = row.session_id === sessionId || row.text === '' ? undefined : reads.titleOf(row)
    return title === undefined ? [] : [{ row, title }]
  })
}

/**
 * Cache-first keeps what was told when the session was opened: fresh summaries wait for the next opening. What a person
 * deleted or rewrote meanwhile counts at once.
 */
function toldIn(reads: RecentConversationReads, turn: TurnInput): Told[] {
  const now = toldNow(reads, turn.sessionId)
  if (layoutOf(turn) !== 'cache-first') return now
  const current = new Map(now.map((told) => [told.row.session_id, told]))
  return reads.openings
    .frozen(turn.sessionId, BLOCK, () => now)
    .flatMap((told) => {
      const today = current.get(told.row.session_id)
      if (!today) return []
      // a title can be withdrawn meanwhile, like the whole summary
      return [today.row.source === 'user' || today.title === '' ? today : told]
    })
}

const absent = (reason: AbsentCode): ContextBlock => ({
  block: BLOCK,
  items: [],
  rejected: [],
  ownText: false,
  absent: { block: BLOCK, reason },
})

function itemOf(row: SummaryRow, title: string, order: number): BlockItem {
  const date = row.updated_at.slice(0, 10)
  return {
    id: `summary:${row.session_id}`,
    label: title,
    text: `- ${title === '' ? date : `${date} · ${title}`}: ${row.text.replaceAll(/\s+/g, ' ')}`,
    placement: { at: 'block' },
    cacheHint: 'stable',
    order,
    why: { code: 'recent', detail: date },
  }
}

/** Summaries of other chats: the newest n, oldest first, each with its date and title. */
export function createRecentConversationsSource(reads: RecentConversationReads): BlockSource {
  return {
    block: BLOCK,
    async collect(turn) {
      const { enabled, inject } = turn.settings.recentConversations
      if (!enabled || inject === 0) return absent('off')
      if (turn.temporary) return absent('temporary')
      const told = toldIn(reads, turn)
      if (told.length === 0) return absent('nothing_stored')
      const kept = told.slice(0, inject).toReversed()
      return {
        block: BLOCK,
        items: kept.map(({ row, title }, index) => itemOf(row, title, index)),
        rejected: told.slice(inject).map(({ row, title }) => ({
          block: BLOCK,
          sourceId: `summary:${row.session_id}`,
          label: title,
          reason: 'over_limit',
          ...asDetail(said`Only the newest ${inject} are sent.`),
        })),
        ownText: false,
        framing: framingFor(BLOCK, turn.language, turn.settings.context.templates, { count: kept.length }),
      }
    },
  }
}
