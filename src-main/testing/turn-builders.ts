import type { TurnInput } from '../context/block-source'
import type { Block, BlockItem, ContextBlock, Placement, SpokenRole } from '../context/contract'
import { NO_INSTRUCTIONS } from '../context/instruction-files'
import type { RequestEntry, WireMessage } from '../context/request-contract'
import type { WireProfile } from '../models/contract'
import type { Attachment } from '../sessions/composer-contract'
import type { Message, MessagePart, SessionSettings } from '../sessions/contract'
import { settingsSchema } from '../settings/contract'

/** Turns, blocks and profiles for the tests and benches of the context. */

export const START = Date.parse('2026-03-02T09:00:00+08:00')

export function message(
  id: string,
  role: Message['role'],
  text: string,
  more: Partial<Message> & { minutes?: number } = {},
): Message {
  const { minutes = 0, ...fields } = more
  return {
    id,
    sessionId: 's1',
    parentId: null,
    role,
    text,
    parts: text === '' ? [] : [{ type: 'text', text }],
    attachments: [],
    state: 'complete',
    createdAt: new Date(START + minutes * 60_000).toISOString(),
    siblings: [id],
    ...fields,
  }
}

export function toolPart(callId: string, result?: string): MessagePart {
  const part: MessagePart = {
    type: 'tool',
    callId,
    toolId: 'built-in/search',
    name: 'search',
    arguments: { query: callId },
    state: result === undefined ? 'running' : 'completed',
  }
  return result === undefined ? part : { ...part, result }
}

export function attachment(id: string, more: Partial<Attachment> = {}): Attachment {
  return { id, sha256: `sha-${id}`, name: `${id}.png`, mediaType: 'image/png', bytes: 10, ...more }
}

export function sessionSettings(more: Partial<SessionSettings> = {}): SessionSettings {
  return {
    globalPromptId: null,
    topicPrompt: '',
    enhancedPrompt: null,
    worldbookIds: [],
    isolation: false,
    modelId: null,
    historyLimit: null,
    layout: null,
    toolChoices: {},
    workingFolder: null,
    summarise: true,
    ...more,
  }
}

export function countWords(text: string): number {
  return text.match(/\p{L}+|\p{N}+|[^\s\p{L}\p{N}]/gu)?.length ?? 0
}

export function turnInput(more: Partial<TurnInput> = {}): TurnInput {
  const branch = more.branch ?? [message('u1', 'user', 'Hello')]
  return {
    purpose: 'send',
    trigger: 'normal',
    sessionId: 's1',
    temporary: false,
    session: sessionSettings(),
    instructions: NO_INSTRUCTIONS,
    settings: settingsSchema.parse({}),
    branch,
    draft: branch.findLast((one) => one.role === 'user')?.text ?? '',
    now: { epochMs: START, iso: '2026-03-02T09:00:00+08:00', timeZone: 'Asia/Shanghai' },
    seed: 1,
    isolated: false,
    overrides: {},
    language: 'en',
    modelId: 'c1/small',
    contextWindow: 32_000,
    reservedOutput: 4000,
    counter: { count: countWords, prime: async () => true, quality: 'estimated' },
    ...more,
  }
}

export function item(id: string, text: string, placement: Placement = { at: 'block' }, order = 0): BlockItem {
  return { id, label: id, text, placement, cacheHint: 'dynamic', order, why: { code: 'always' } }
}

export function depthItem(id: string, text: string, depth: number, role: SpokenRole, order = 0): BlockItem {
  return item(id, text, { at: 'depth', depth, role }, order)
}

const OWN: readonly Block[] = ['system_prompt', 'topic_prompt', 'enhanced_prompt']

export function block(name: Block, items: readonly BlockItem[], more: Partial<ContextBlock> = {}): ContextBlock {
  const ownText = OWN.includes(name)
  const hinted = ownText ? items.map((one) => ({ ...one, cacheHint: 'stable' as const })) : items
  return { block: name, items: hinted, rejected: [], ownText, ...more }
}

export const PROFILES = {
  anthropic: profile({ midSystem: 'anthropic', marks: 'anthropic4' }),
  anthropicOld: profile({ marks: 'anthropic4' }),
  openai: profile({ midSystem: 'anywhere', marks: 'openai' }),
  gemini: profile({ alternate: true }),
  many: profile({}),
  unknown: profile({ leadingSystems: 'one', alternate: true, userFirst: true }),
  gemma: profile({ leadingSystems: 'inUser', alternate: true, userFirst: true }),
} as const satisfies Record<string, WireProfile>

function profile(more: Partial<WireProfile>): WireProfile {
  return {
    leadingSystems: 'many',
    midSystem: 'none',
    alternate: false,
    userFirst: false,
    marks: 'none',
    usageShape: 'openai',
    ...more,
  }
}

export function textOf(one: WireMessage | RequestEntry): string {
  return one.parts.flatMap((part) => part.pieces.map((piece) => piece.text)).join('')
}
