import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { z } from 'zod'
import type { Attachment } from '../../sessions/composer-contract'
import type { Message, MessagePart } from '../../sessions/contract'
import { settingsSchema } from '../../settings/contract'
import { message, sessionSettings, turnInput } from '../../testing/turn-builders'
import { framingFor } from '../assemble/templates'
import type { BlockSource, TurnInput } from '../block-source'
import { absentBlock } from '../collect-blocks'
import type { AbsentCode, BlockItem, ContextBlock, Overrides, Placement, Verdict } from '../contract'
import { createEnhancedPromptSource } from '../enhanced-prompt/enhanced-prompt-block'
import { createSystemPromptSource } from '../system-prompt/system-prompt-block'
import type { TemplateName } from '../templates-contract'
import { createTimeSource } from '../time/time-block'
import { createTopicPromptSource } from '../topic-prompt/topic-prompt-block'

const text = z.union([z.string(), z.strictObject({ repeat: z.string(), times: z.number() })])

const roomSchema = z.strictObject({
  items: z
    .array(
      z.strictObject({
        id: z.string(),
        text: z.string(),
        at: z.string().default('block'),
        name: z.string().optional(),
        depth: z.unknown().optional(),
        role: z.string().optional(),
        order: z.number().default(0),
        hint: z.enum(['stable', 'dynamic']).default('dynamic'),
      }),
    )
    .default([]),
  absent: z.strictObject({ reason: z.string(), detail: z.string().optional() }).optional(),
  rejected: z.array(z.record(z.string(), z.unknown())).default([]),
  late: z.boolean().default(false),
  fails: z.string().optional(),
})
type Room = z.output<typeof roomSchema>

const ROOMS = ['memory', 'recent_conversation_memory', 'user_profile_memory', 'worldbook'] as const
type RoomName = (typeof ROOMS)[number]

/** `turn.json`: a whole turn in few words; what is missing takes the defaults of a fresh install. */
export const goldenSchema = z.strictObject({
  about: z.string(),
  profiles: z
    .array(z.enum(['anthropic', 'anthropicOld', 'openai', 'gemini', 'many', 'unknown', 'gemma']))
    .default(['openai']),
  session: z.record(z.string(), z.unknown()).default({}),
  settings: z.record(z.string(), z.unknown()).default({}),
  overrides: z.record(z.string(), z.unknown()).default({}),
  language: z.enum(['en', 'zh-CN']).default('en'),
  trigger: z.enum(['normal', 'regenerate', 'continue', 'quiet']).default('normal'),
  isolated: z.boolean().default(false),
  window: z.number().nullable().default(32_000),
  nowMinutes: z.number().default(0),
  prompts: z.record(z.string(), z.string()).default({}),
  branch: z.array(
    z.strictObject({
      id: z.string(),
      role: z.enum(['user', 'assistant']),
      text: text.default(''),
      minutes: z.number().default(0),
      state: z.string().default('complete'),
      parts: z.array(z.record(z.string(), z.unknown())).optional(),
      attachments: z.array(z.record(z.string(), z.unknown())).default([]),
    }),
  ),
  rooms: z.partialRecord(z.enum(ROOMS), roomSchema).default({}),
})
export type GoldenCase = z.output<typeof goldenSchema>

/** o200k, with long unbroken runs cut as the counting worker cuts them. */
export function countExactly(value: string): number {
  return (value.match(/[\s\S]{1,2000}/g) ?? []).reduce(
    (sum, chunk) => sum + countTokens(chunk.replace(/\S{256}/g, '$& '), { disallowedSpecial: new Set() }),
    0,
  )
}

function messageOf(raw: GoldenCase['branch'][number]): Message {
  const said = typeof raw.text === 'string' ? raw.text : raw.text.repeat.repeat(raw.text.times)
  return message(raw.id, raw.role, said, {
    minutes: raw.minutes,
    state: raw.state as Message['state'],
    attachments: raw.attachments as unknown as Attachment[],
    ...(raw.parts ? { parts: raw.parts as unknown as MessagePart[] } : {}),
  })
}

export function turnOf(golden: GoldenCase): TurnInput {
  const { contextWindow: _default, ...turn } = turnInput()
  const epochMs = turn.now.epochMs + golden.nowMinutes * 60_000
  const branch = golden.branch.map(messageOf)
  return {
    ...turn,
    trigger: golden.trigger,
    session: sessionSettings(golden.session),
    settings: settingsSchema.parse(golden.settings),
    overrides: golden.overrides as Overrides,
    isolated: golden.isolated,
    language: golden.language,
    branch,
    draft: branch.findLast((one) => one.role === 'user')?.text ?? '',
    now: { ...turn.now, epochMs },
    counter: { ...turn.counter, count: countExactly },
    ...(golden.window === null ? {} : { contextWindow: golden.window }),
  }
}

function itemOf(raw: Room['items'][number]): BlockItem {
  const { id, order, hint, at, name, depth, role } = raw
  const placement = { at, ...(name === undefined ? {} : { name }), ...(role === undefined ? {} : { depth, role }) }
  return {
    id,
    label: id,
    text: raw.text,
    placement: placement as Placement,
    cacheHint: hint,
    order,
    why: { code: 'golden' },
  }
}

function roomSource(block: RoomName, room: Room): BlockSource {
  return {
    block,
    async collect(turn): Promise<ContextBlock> {
      if (room.fails !== undefined) throw new Error(room.fails)
      if (room.late) return new Promise(() => undefined)
      const rejected = room.rejected.map((one) => ({ block, label: one.sourceId, ...one }) as Verdict)
      const { reason, detail } = room.absent ?? {}
      if (reason !== undefined) return { ...absentBlock(block, reason as AbsentCode, detail), rejected }
      const framing =
        block === 'worldbook'
          ? ''
          : framingFor(block satisfies TemplateName, turn.language, turn.settings.context.templates, {
              count: room.items.length,
            })
      return { block, items: room.items.map(itemOf), rejected, ownText: false, ...(framing === '' ? {} : { framing }) }
    },
  }
}

/** The real rooms where they are simple, the case's own words where they need a database. */
export function sourcesOf(golden: GoldenCase): BlockSource[] {
  return [
    createSystemPromptSource({
      read: (id) => {
        const prompt = golden.prompts[id]
        if (prompt === undefined) return undefined
        return { id, name: id, text: prompt, isDefault: false, createdAt: '', updatedAt: '' }
      },
    }),
    createTopicPromptSource(),
    createTimeSource(),
    createEnhancedPromptSource(),
    ...ROOMS.flatMap((name) => {
      const room = golden.rooms[name]
      return room ? [roomSource(name, room)] : []
    }),
  ]
}
