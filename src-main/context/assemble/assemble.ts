import type { TurnInput } from '../block-source'
import {
  type AbsentBlock,
  type AbsentCode,
  BLOCKS,
  type Block,
  type ContextBlock,
  type LayoutName,
  type Verdict,
} from '../contract'
import type { ReminderSource } from '../reminders-contract'
import { ANY_TARGET, type Piece, type RequestEntry, type TargetNeeds } from '../request-contract'
import { depthMessages } from './at-depth'
import type { CacheHints } from './cache-marks'
import { type FilledSlot, fillSlots } from './fill-slots'
import { goOnEntries } from './go-on'
import { LAYOUT_SLOTS, type Zone } from './layouts'
import type { MacroValues } from './macros'
import { historyEntries } from './place-in-history'
import { planHistory, type WindowStart } from './plan-history'
import { gatherOutlets, prepareBlock, type ReadyBlock } from './prepare-items'
import { attributeText, joinSections, renderSection, textPiece } from './render-block'
import { localTime } from './time-text'

export interface AssembleInput {
  turn: TurnInput
  blocks: readonly ContextBlock[]
  /** Absent: what any server takes. */
  needs?: TargetNeeds
}

/** One turn as ordered entries, before projection. */
export interface Assembled {
  entries: RequestEntry[]
  absent: AbsentBlock[]
  rejected: Verdict[]
  windowStart: WindowStart | null
  warnings: { code: string; message: string }[]
  layout: LayoutName
  cache: CacheHints
}

/** Which reminder a block becomes where it stands among the messages. */
const REMINDER_OF: Record<Block, ReminderSource> = {
  system_prompt: 'reference',
  topic_prompt: 'reference',
  time: 'time',
  memory: 'retrieved',
  recent_conversation_memory: 'retrieved',
  user_profile_memory: 'retrieved',
  worldbook: 'worldbook',
  enhanced_prompt: 'enhanced',
}

const LEADING = [
  ['leading_whole', 'whole'],
  ['leading_stable', 'stable'],
  ['leading_dynamic', 'dynamic'],
] as const satisfies readonly (readonly [Zone, string])[]

/** The place of the app prefix, kept whether this request holds tagged text or not. */
const KEPT_PREFIX: RequestEntry = { kind: 'leading', group: 'app', parts: [] }

export function layoutOf(turn: TurnInput): LayoutName {
  return turn.overrides.layout ?? turn.session.layout ?? turn.settings.context.layout
}

function macroValues(turn: TurnInput, outlets: MacroValues['outlets']): MacroValues {
  const now = localTime(turn.now.epochMs, turn.now.timeZone, turn.language)
  return {
    date: now.date,
    time: now.clock,
    weekday: now.weekday,
    timezone: now.zone,
    model: turn.modelId.slice(turn.modelId.indexOf('/') + 1),
    session: turn.sessionTitle ?? turn.sessionId,
    outlets,
  }
}

function textEntry(source: ReminderSource, pieces: readonly Piece[]): RequestEntry {
  return { kind: 'reminder', source, role: 'system', parts: [{ type: 'text', pieces }] }
}

/** What says nothing now may well say something next turn. */
const SPEAKS_LATER: ReadonlySet<AbsentCode | undefined> = new Set<AbsentCode>([
  'no_entry_fired',
  'nothing_relevant',
  'empty_query',
  'timed_out',
  'failed',
])

/** Texts that come and go, and are tagged user text where a server knows no system in mid-conversation. */
function mayFloat({ block, items, absent }: ContextBlock): boolean {
  return (block === 'memory' || block === 'worldbook') && (items.length > 0 || SPEAKS_LATER.has(absent?.reason))
}

/** May say something else next turn, or speak up where it was silent. */
function mayChange({ block, items, rejected, absent }: ContextBlock): boolean {
  if (block !== 'memory' && block !== 'worldbook') return false
  const changes = items.some(({ cacheHint }) => cacheHint === 'dynamic') || rejected.length > 0
  return changes || SPEAKS_LATER.has(absent?.reason)
}

/** `headStays`: what comes and goes has its place elsewhere. */
function leadingEntries(filled: readonly FilledSlot[], headStays: boolean): RequestEntry[] {
  return LEADING.flatMap(([zone, group]): RequestEntry[] => {
    const slots = filled.filter(({ slot }) => slot.zone === zone)
    if (slots.length === 0) return []
    const parts = [{ type: 'text' as const, pieces: joinSections(slots.map(({ section }) => section)) }]
    const lasts = headStays && slots.every(({ lasting }) => lasting)
    return [{ kind: 'leading', group, parts, ...(lasts ? {} : { lasts: false as const }) }]
  })
}

/** Instruction files are references: below every prompt of the system message, in the order they were found. */
function instructionEntries({ instructions }: TurnInput): RequestEntry[] {
  const sections = instructions.files.flatMap(({ id, name, path, text }) => {
    const section = renderSection({
      block: 'app',
      tag: 'instruction_file',
      attributes: ` path="${attributeText(path)}"`,
      border: 'any',
      items: [[textPiece('app', id, name, text, { code: 'always', detail: path })]],
    })
    return section ? [section] : []
  })
  if (sections.length === 0) return []
  return [{ kind: 'leading', group: 'reference', parts: [{ type: 'text', pieces: joinSections(sections) }] }]
}

/** What lasts right after the leading systems is a reference attached to them; all else may be gone next turn. */
function sourceOf({ slot, lasting }: FilledSlot): ReminderSource {
  return slot.zone === 'before_history' && lasting ? 'reference' : REMINDER_OF[slot.block]
}

function zoneEntries(filled: readonly FilledSlot[], zone: Zone): RequestEntry[] {
  return filled.filter(({ slot }) => slot.zone === zone).map((one) => textEntry(sourceOf(one), one.section))
}

/** Every block that left no text says why. */
function absentBlocks(blocks: readonly ContextBlock[], present: ReadonlySet<Block>): AbsentBlock[] {
  const byBlock = new Map(blocks.map((block) => [block.block, block]))
  return BLOCKS.flatMap((block): AbsentBlock[] => {
    if (present.has(block)) return []
    return [byBlock.get(block)?.absent ?? { block, reason: byBlock.has(block) ? 'empty' : 'not_set_up' }]
  })
}

/** Blocks and branch of one frozen turn → the ordered entries of its request. Pure: the same input gives the same bytes. */
export function assemble({ turn, blocks, needs = ANY_TARGET }: AssembleInput): Assembled {
  const layoutName = layoutOf(turn)
  const layout = LAYOUT_SLOTS[layoutName]
  const { outlets, named } = gatherOutlets(blocks)
  const values = macroValues(turn, outlets)
  const prepared = blocks.map((block) => prepareBlock(block, values, named))
  const ready = new Map<Block, ReadyBlock>(prepared.map(({ ready: block }) => [block.block, block]))
  const filled = fillSlots(layout.slots, ready)
  const { messages: depths, warnings } = depthMessages(ready.values())
  const plan = planHistory(turn, layout, needs)
  const timeSent = filled.some(({ slot }) => slot.block === 'time')

  const present = new Set<Block>([
    ...filled.map(({ slot }) => slot.block),
    ...depths.map(({ block }) => block),
    ...(filled.some(({ section }) => section.some(({ segment }) => segment === 'worldbook'))
      ? ['worldbook' as const]
      : []),
  ])
  const entries: RequestEntry[] = [
    ...(layout.prefixStays && blocks.some(mayFloat) ? [KEPT_PREFIX] : []),
    ...leadingEntries(filled, layout.prefixStays || !blocks.some(mayChange)),
    ...instructionEntries(turn),
    ...zoneEntries(filled, 'before_history'),
    ...historyEntries({ turn, layout, plan, depths, tail: zoneEntries(filled, 'before_newest'), timeSent }),
    ...zoneEntries(filled, 'after_history'),
    ...(plan.cutOff?.entries ?? []),
    ...(needs.prefill ? [] : goOnEntries(plan.cutOff, turn.language)),
  ]
  return {
    entries,
    absent: absentBlocks(blocks, present),
    rejected: [
      ...blocks.flatMap((block) => block.rejected),
      ...prepared.flatMap((one) => one.rejected),
      ...plan.rejected,
    ],
    windowStart: plan.windowStart,
    warnings: [...turn.instructions.problems, ...warnings],
    layout: layoutName,
    cache: { ...plan.cache, depthsWander: layout.depths === 'in_place' && depths.some(({ depth }) => depth > 0) },
  }
}
