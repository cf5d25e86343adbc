import type { Block } from '../contract'
import { groupBy } from './group-by'
import type { Slot } from './layouts'
import { borderOf, outletName, type ReadyBlock, type ReadyItem } from './prepare-items'
import { attributeText, renderSection, type Section } from './render-block'

export interface FilledSlot {
  slot: Slot
  section: Section
  /** All of it will stand here with the same bytes next turn. */
  lasting: boolean
}

function takes(slot: Slot, ready: ReadyItem): boolean {
  if (ready.item.placement.at !== slot.at) return false
  return slot.take === 'all' || ready.dynamic === (slot.take === 'dynamic')
}

/** Outlets nobody named: one section a name, in the order of their first entries. */
function outletSections(slot: Slot, block: ReadyBlock, items: readonly ReadyItem[]): Section[] {
  const border = borderOf(block, slot.tag)
  return [...groupBy(items, ({ item }) => outletName(item))].flatMap(([name, group]) => {
    const attributes = ` name="${attributeText(name)}"`
    const pieces = group.map((ready) => ready.pieces)
    const section = renderSection({ block: slot.block, tag: slot.tag, attributes, border, items: pieces })
    return section ? [section] : []
  })
}

/** Every section of the request in the layout's order. */
export function fillSlots(slots: readonly Slot[], blocks: ReadonlyMap<Block, ReadyBlock>): FilledSlot[] {
  return slots.flatMap((slot) => {
    const block = blocks.get(slot.block)
    const items = block?.items.filter((ready) => takes(slot, ready)) ?? []
    if (!block || items.length === 0) return []
    const sections =
      slot.at === 'outlet'
        ? outletSections(slot, block, items)
        : [
            renderSection({
              block: slot.block,
              tag: slot.tag,
              framing: block.framing,
              border: borderOf(block, slot.tag),
              items: items.map((ready) => ready.pieces),
            }),
          ]
    return sections.flatMap((section) =>
      section ? [{ slot, section, lasting: items.every((ready) => !ready.dynamic) }] : [],
    )
  })
}
