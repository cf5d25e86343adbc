import { asMessage, said, type Words } from '../../ipc/said-contract'
import type { Block, SpokenRole } from '../contract'
import type { RequestEntry } from '../request-contract'
import { groupBy } from './group-by'
import type { ReadyBlock, ReadyItem } from './prepare-items'
import { renderSection } from './render-block'

/** Within a depth, from top to bottom: system stands closest to the newer message. */
const ROLE_ORDER: readonly SpokenRole[] = ['assistant', 'user', 'system']

const DEFAULT_DEPTH = 4

/** Missing = 4, negative = 0, numeric text is read, anything else = 4 and not understood: an entry is never lost. */
export function cleanDepth(value: unknown): { depth: number; understood: boolean } {
  if (value === undefined || value === null) return { depth: DEFAULT_DEPTH, understood: true }
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || Number.isNaN(number)) return { depth: DEFAULT_DEPTH, understood: false }
  return { depth: Math.max(0, Math.floor(number)), understood: true }
}

export interface DepthMessage {
  block: Block
  depth: number
  entry: RequestEntry
}

interface Warning {
  code: string
  message: string
  words?: Words
}

/** The items of one block that stand at a depth, with that depth. */
function atDepth(block: ReadyBlock, warnings: Warning[]): { ready: ReadyItem; depth: number; role: SpokenRole }[] {
  return block.items.flatMap((ready) => {
    const { placement, label } = ready.item
    if (placement.at !== 'depth') return []
    const { depth, understood } = cleanDepth(placement.depth)
    if (!understood) {
      const message = said`The depth of “${label}” cannot be read; it stands ${DEFAULT_DEPTH} messages from the end.`
      warnings.push({ code: 'depth_unreadable', ...asMessage(message) })
    }
    return [{ ready, depth, role: ROLE_ORDER.includes(placement.role) ? placement.role : 'system' }]
  })
}

/** At-depth entries as messages, top to bottom: same depth and role make one message, low order first. */
export function depthMessages(blocks: Iterable<ReadyBlock>): { messages: DepthMessage[]; warnings: Warning[] } {
  const warnings: Warning[] = []
  const messages: DepthMessage[] = []
  for (const ready of blocks) {
    const { block } = ready
    const ordered = atDepth(ready, warnings).toSorted(
      (a, b) => b.depth - a.depth || ROLE_ORDER.indexOf(a.role) - ROLE_ORDER.indexOf(b.role),
    )
    for (const [first, ...others] of groupBy(ordered, ({ depth, role }) => `${depth} ${role}`).values()) {
      if (!first) continue
      const { depth, role } = first
      const pieces = renderSection({ block, border: 'any', items: [first, ...others].map((one) => one.ready.pieces) })
      if (!pieces) continue
      const parts = [{ type: 'text' as const, pieces }]
      messages.push({ block, depth, entry: { kind: 'reminder', source: 'at_depth', role, parts } })
    }
  }
  return { messages, warnings }
}

/**
 * Index in the original history before which a message of this depth stands: `depth` messages stay after it, deeper
 * than the history is before all of it, and a tool call is never parted from its result.
 */
export function depthIndex(history: readonly { role: string }[], depth: number): number {
  let index = Math.max(0, history.length - depth)
  while (index > 0 && history[index]?.role === 'tool') index--
  return index
}
