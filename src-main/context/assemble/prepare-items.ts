import type { Block, BlockItem, BlockTag, ContextBlock, Verdict } from '../contract'
import type { Piece } from '../request-contract'
import { type Border, defuse } from './borders'
import { groupBy } from './group-by'
import { expandMacros, type MacroValues, outletsNamedIn } from './macros'
import { isBlank, textPiece } from './render-block'

/** An item ready to print, with its macros expanded. */
export interface ReadyItem {
  item: BlockItem
  pieces: readonly Piece[]
  /** May differ next turn: the room says so, or a macro brought in something that does. */
  dynamic: boolean
}

export interface ReadyBlock {
  block: Block
  framing: string | undefined
  ownText: boolean
  items: readonly ReadyItem[]
}

/** A user's own text may not close its own block; text from others may not write any of our tags. */
export function borderOf(block: { ownText: boolean }, tag: BlockTag | undefined): Border {
  return block.ownText && tag ? { closing: tag } : 'any'
}

/** Low order first; ties keep the room's own order. */
function inOrder(items: readonly BlockItem[]): BlockItem[] {
  return items.toSorted((a, b) => a.order - b.order)
}

/** '' for an item that stands elsewhere. */
export function outletName({ placement }: BlockItem): string {
  return placement.at === 'outlet' ? placement.name.trim() : ''
}

/** Outlet entries by name, and the names that a prompt of this turn asks for. */
export function gatherOutlets(blocks: readonly ContextBlock[]): {
  outlets: Map<string, BlockItem[]>
  named: ReadonlySet<string>
} {
  const entries = inOrder(blocks.flatMap((block) => (block.ownText ? [] : block.items)))
    .filter((item) => item.placement.at === 'outlet' && item.text.trim() !== '')
    .map((item) => ({ ...item, text: defuse(item.text, 'any') }))
  const outlets = groupBy(entries, outletName)
  const named = new Set(
    blocks.flatMap((block) => (block.ownText ? block.items.flatMap((item) => outletsNamedIn(item.text)) : [])),
  )
  return { outlets, named }
}

function readyItem(block: ContextBlock, item: BlockItem, values: MacroValues): ReadyItem {
  const piece = textPiece(block.block, item.id, item.label, item.text, item.why)
  const dynamic = item.cacheHint === 'dynamic'
  if (!block.ownText) return { item, pieces: [piece], dynamic }
  const expanded = expandMacros(piece, values)
  return { item, pieces: expanded.pieces, dynamic: dynamic || expanded.dynamic }
}

/** Items in printing order. One that says nothing is left out with the verdict `empty`. */
export function prepareBlock(
  block: ContextBlock,
  values: MacroValues,
  named: ReadonlySet<string>,
): { ready: ReadyBlock; rejected: Verdict[] } {
  const rejected: Verdict[] = []
  const items: ReadyItem[] = []
  for (const item of inOrder(block.items)) {
    const ready = readyItem(block, item, values)
    if (isBlank(ready.pieces)) {
      rejected.push({ block: block.block, sourceId: item.id, label: item.label, reason: 'empty' })
    } else if (item.placement.at !== 'outlet' || !named.has(outletName(item))) {
      items.push(ready)
    }
  }
  return { ready: { block: block.block, framing: block.framing, ownText: block.ownText, items }, rejected }
}
