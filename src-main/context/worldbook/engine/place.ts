import { ENTRY_ROLES, type EntryRole, type Position } from '../entry-contract'
import type { DepthBlock, Fired, Placements } from '../trace-contract'

/** A fired entry with its number over all books, which settles ties. */
export interface Placed {
  number: number
  fired: Fired
}

export interface ChatMessage {
  role: string
  text: string
}

/** Top to bottom within one depth: the system block stands nearest to the newer message. */
const ROLE_RANK: Record<EntryRole, number> = { assistant: 0, user: 1, system: 2 }

const joined = (placed: readonly Placed[]) =>
  placed
    .map(({ fired }) => fired.content)
    .filter((text) => text !== '')
    .join('\n')

function depthBlocks(placed: readonly Placed[]): DepthBlock[] {
  const depths = [...new Set(placed.map(({ fired }) => fired.depth ?? 0))].sort((a, b) => b - a)
  const roles = [...ENTRY_ROLES].sort((a, b) => ROLE_RANK[a] - ROLE_RANK[b])
  return depths.flatMap((depth) =>
    roles.flatMap((role) => {
      const text = joined(
        placed.filter(({ fired }) => (fired.depth ?? 0) === depth && (fired.role ?? 'system') === role),
      )
      return text === '' ? [] : [{ depth, role, text }]
    }),
  )
}

/** Index of the message the block stands before. A tool result is not parted from the message that asked for it. */
function insertionIndex(messages: readonly ChatMessage[], depth: number): number {
  let index = Math.max(0, messages.length - depth)
  while (index > 0 && index < messages.length && messages[index]?.role === 'tool') index -= 1
  return index
}

/** Blocks come deepest first; places are resolved against the original messages. */
function insertBlocks(messages: readonly ChatMessage[], blocks: readonly DepthBlock[]): Placements['chat'] {
  const before = new Map<number, DepthBlock[]>()
  for (const block of blocks) {
    const index = insertionIndex(messages, block.depth)
    before.set(index, [...(before.get(index) ?? []), block])
  }
  const chat: Placements['chat'] = []
  for (let index = 0; index <= messages.length; index += 1) {
    for (const { role, text } of before.get(index) ?? []) chat.push({ role, text, inserted: true })
    const message = messages[index]
    if (message) chat.push({ role: message.role, text: message.text })
  }
  return chat
}

/** Puts every fired text in its place: low order on top, ties in book order. */
export function placeAll(fired: readonly Placed[], messages: readonly ChatMessage[]): Placements {
  const sorted = [...fired].sort((a, b) => a.fired.order - b.fired.order || a.number - b.number)
  const at = (position: Position) => sorted.filter((placed) => placed.fired.position === position)
  const outlets = new Map<string, string[]>()
  for (const { fired: entry } of at('outlet')) {
    if (entry.content === '') continue
    const name = entry.outletName ?? ''
    outlets.set(name, [...(outlets.get(name) ?? []), entry.content])
  }
  const depth = depthBlocks(at('at-depth'))
  return {
    before: joined(at('before')),
    after: joined(at('after')),
    anTop: joined(at('an-top')),
    anBottom: joined(at('an-bottom')),
    examplesTop: joined(at('examples-top')),
    examplesBottom: joined(at('examples-bottom')),
    outlets: Object.fromEntries(outlets),
    depth,
    chat: insertBlocks(messages, depth),
  }
}
