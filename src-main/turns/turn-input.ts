import type { TurnInput, TurnTrigger } from '../context/block-source'
import type { Overrides } from '../context/contract'
import { NO_INSTRUCTIONS } from '../context/instruction-files'
import type { Model } from '../models/contract'
import type { Message, Session, SessionSettings } from '../sessions/contract'
import type { Settings } from '../settings/contract'
import type { TurnDeps } from './ports'
import { turnTime } from './turn-time'

const MOST_RESERVED = 16_384
const UNKNOWN_OUTPUT = 4096

/** Tokens kept for the answer, which is also what the request asks for at most. */
export function reservedOutput(settings: Settings, model: Model | undefined, overrides: Overrides): number {
  const asked = overrides.reservedOutput ?? settings.context.reservedOutput
  const limit = model?.maxOutputTokens ?? UNKNOWN_OUTPUT
  const quarter = model?.contextWindow === undefined ? MOST_RESERVED : Math.floor(model.contextWindow / 4)
  if (asked !== null && asked > 0) {
    return Math.min(asked, model?.maxOutputTokens ?? asked, model?.contextWindow ?? asked)
  }
  return Math.max(1, Math.min(limit, MOST_RESERVED, quarter))
}

/** 32-bit FNV-1a: the same place in a conversation draws the same numbers in preview, send and replay. */
export function seedOf(...parts: readonly string[]): number {
  let hash = 0x811c9dc5
  for (const character of parts.join('\u0000')) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  }
  return hash >>> 0
}

export function promptLanguage(settings: Settings, locale: string): 'en' | 'zh-CN' {
  const { promptLanguage: prompt, language } = settings.general
  if (prompt !== 'interface') return prompt
  if (language !== 'system') return language
  return locale.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en'
}

function settingsOf(session: Session): SessionSettings {
  const { globalPromptId, topicPrompt, enhancedPrompt, worldbookIds, isolation, modelId } = session
  const { historyLimit, layout, toolChoices, workingFolder, summarise } = session
  return structuredClone({
    globalPromptId,
    topicPrompt,
    enhancedPrompt,
    worldbookIds,
    isolation,
    modelId,
    historyLimit,
    layout,
    toolChoices,
    workingFolder,
    summarise,
  })
}

/** Frozen once per user turn: preview and send of the same place make the same value. */
export function freezeTurn(
  deps: Pick<TurnDeps, 'settings' | 'clock' | 'timeZone' | 'locale' | 'models' | 'instructionFiles'>,
  turn: {
    purpose: 'send' | 'preview'
    trigger: TurnTrigger
    session: Session
    branch: readonly Message[]
    modelId: string
    model: Model | undefined
    overrides: Overrides
    seed: number
    epochMs?: number
  },
): TurnInput {
  const settings = structuredClone(deps.settings())
  const { session, overrides, model } = turn
  const isolated = (overrides.isolation ?? session.isolation) && session.worldbookIds.length > 0
  const newest = turn.branch.findLast((message) => message.role === 'user')
  return {
    purpose: turn.purpose,
    trigger: turn.trigger,
    sessionId: session.id,
    temporary: session.temporary,
    ...(session.title === '' ? {} : { sessionTitle: session.title }),
    session: settingsOf(session),
    instructions: isolated ? NO_INSTRUCTIONS : deps.instructionFiles(session),
    settings,
    branch: turn.branch,
    draft: newest?.text ?? '',
    now: turnTime(turn.epochMs ?? deps.clock(), deps.timeZone()),
    seed: turn.seed,
    isolated,
    overrides,
    language: promptLanguage(settings, deps.locale()),
    modelId: turn.modelId,
    ...(model?.contextWindow === undefined ? {} : { contextWindow: model.contextWindow }),
    ...(model?.maxInputTokens === undefined ? {} : { maxInputTokens: model.maxInputTokens }),
    reservedOutput: reservedOutput(settings, model, overrides),
    counter: deps.models.counterFor(turn.modelId),
  }
}
