import { asDetail, said } from '../../ipc/said-contract'
import type { ReadDatabase } from '../../storage/database'
import { framingFor } from '../assemble/templates'
import type { BlockSource } from '../block-source'
import type { AbsentCode, BlockItem, ContextBlock } from '../contract'
import { readProfile } from './repository'
import { tellable } from './withhold'

const BLOCK = 'user_profile_memory' as const

const absent = (reason: AbsentCode): ContextBlock => ({
  block: BLOCK,
  items: [],
  rejected: [],
  ownText: false,
  absent: { block: BLOCK, reason },
})

/** The overview first, then one line a fact, in the order they were learned. */
export function createUserProfileSource(
  database: ReadDatabase,
  isIsolated: (sessionId: string) => boolean,
): BlockSource {
  return {
    block: BLOCK,
    async collect(turn) {
      if (!turn.settings.userProfile.enabled) return absent('off')
      if (turn.temporary) return absent('temporary')
      const { overview, facts } = tellable(readProfile(database).content, isIsolated)
      const items: BlockItem[] = []
      const base = { placement: { at: 'block' }, cacheHint: 'stable' } as const
      if (overview.trim() !== '') {
        items.push({
          ...base,
          id: 'profile:overview',
          label: 'Overview',
          text: overview.trim(),
          order: 0,
          why: { code: 'always' },
        })
      }
      for (const [index, fact] of facts.entries()) {
        items.push({
          ...base,
          id: `profile:${fact.id}`,
          label: fact.statement,
          text: `- ${fact.category}: ${fact.statement}`,
          order: index + 1,
          why: { code: 'always', ...asDetail(said`seen ${fact.evidenceCount}×`) },
        })
      }
      if (items.length === 0) return absent('nothing_stored')
      const framing = framingFor(BLOCK, turn.language, turn.settings.context.templates)
      return { block: BLOCK, items, rejected: [], ownText: false, framing }
    },
  }
}
