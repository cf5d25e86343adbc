import { z } from 'zod'
import { LAYOUTS } from '../context/contract'
import { type CallMap, call } from '../ipc/contract'

const tokens = z.number().int().min(0)

/**
 * Every preference, with its default. `settings.update` takes a deep partial of this.
 * A stored value that no longer fits falls back to its default and is reported in `notices`.
 */
export const settingsSchema = z.strictObject({
  general: z
    .strictObject({
      language: z.enum(['system', 'en', 'zh-CN']).default('system'),
      theme: z.enum(['system', 'light', 'dark']).default('system'),
      density: z.enum(['compact', 'comfortable']).default('compact'),
      fontScale: z.number().min(0.8).max(1.6).default(1),
      promptLanguage: z.enum(['interface', 'en', 'zh-CN']).default('interface'),
      defaultModelId: z.string().nullable().default(null),
      backgroundModelId: z.string().nullable().default(null),
      firstRunDone: z.boolean().default(false),
      titleFromModel: z.boolean().default(true),
      enterSends: z.boolean().default(true),
      logLevel: z.enum(['silent', 'error', 'info', 'debug']).default('info'),
      /** Seconds a model server may say nothing before its request is ended; 0 = no limit. */
      silenceLimitSeconds: z.number().int().min(0).max(86_400).default(0),
      binDays: z.number().int().min(1).max(3650).default(30),
      shortcuts: z.record(z.string(), z.string()).default({}),
    })
    .prefault({}),
  context: z
    .strictObject({
      layout: z.enum(LAYOUTS).default('documented'),
      sendTime: z.boolean().default(true),
      historyLimit: z.number().int().min(0).max(100_000).default(30),
      landmarks: z
        .strictObject({
          enabled: z.boolean().default(true),
          intervalMinutes: z.number().int().min(1).max(10_080).default(30),
        })
        .prefault({}),
      /** null = the model's own output limit, at most 16,384 and at most a quarter of the window. */
      reservedOutput: tokens.nullable().default(null),
      enhancedPrompt: z.string().default(''),
      /** Seconds a context source may take before the turn goes on without it. */
      sourceTimeoutSeconds: z.number().min(0.1).max(60).default(3),
      /** Framing sentences by template name; '' or missing = built in. */
      templates: z.record(z.string(), z.string()).default({}),
      /** Send the model's reasoning back where the protocol allows it. */
      sendReasoning: z.boolean().default(true),
    })
    .prefault({}),
  memory: z
    .strictObject({
      enabled: z.boolean().default(true),
      /** How many memories at most; 0 injects every active memory. */
      topK: z.number().int().min(0).max(200).default(3),
      /** null = calibrated per embedding space, or off where the space cannot separate. */
      threshold: z.number().min(-1).max(1).nullable().default(null),
      write: z.boolean().default(true),
      activeRetrieval: z.boolean().default(false),
      mode: z.enum(['hybrid', 'vector', 'keyword']).default('hybrid'),
      extraction: z.enum(['off', 'ask', 'automatic']).default('off'),
      embedder: z
        .strictObject({
          kind: z.enum(['built-in', 'openai-compatible', 'ollama', 'google', 'none']).default('built-in'),
          connectionId: z.string().nullable().default(null),
          model: z.string().default(''),
        })
        .prefault({}),
    })
    .prefault({}),
  recentConversations: z
    .strictObject({
      enabled: z.boolean().default(true),
      inject: z.number().int().min(0).max(50).default(5),
      minUserTurns: z.number().int().min(1).max(1000).default(6),
      minIntervalMinutes: z.number().int().min(0).max(100_000).default(120),
      modelId: z.string().nullable().default(null),
    })
    .prefault({}),
  userProfile: z.strictObject({ enabled: z.boolean().default(true), daily: z.boolean().default(true) }).prefault({}),
  worldbook: z
    .strictObject({
      scanDepth: z.number().int().min(0).max(1000).default(2),
      recursive: z.boolean().default(true),
      wholeWords: z.boolean().default(true),
      caseSensitive: z.boolean().default(false),
      budgetPercent: z.number().min(1).max(100).default(25),
      budgetCap: tokens.default(0),
      maxRecursionSteps: z.number().int().min(0).max(100).default(0),
      minActivations: z.number().int().min(0).max(100).default(0),
      minActivationsDepthMax: z.number().int().min(0).max(1000).default(0),
      groupScoring: z.boolean().default(false),
      includeNames: z.boolean().default(false),
    })
    .prefault({}),
  isolation: z.strictObject({ sendTime: z.boolean().default(false) }).prefault({}),
  tools: z
    .strictObject({
      maxRounds: z.number().int().min(1).max(100).default(12),
      resultTokenCap: z.number().int().min(100).max(1_000_000).default(8000),
    })
    .prefault({}),
  records: z
    .strictObject({
      /** What happens to a record's text when the memory it shows is deleted. */
      deletedText: z.enum(['keep', 'tombstone']).default('tombstone'),
    })
    .prefault({}),
})
export type Settings = z.output<typeof settingsSchema>
export type SettingsPatch = { [G in keyof Settings]?: Record<string, unknown> }

export interface SettingsNotice {
  /** Path of the setting, or a group's name. */
  path: string
  message: string
}

/** What `settings.get` answers: the settings plus what had to be repaired on reading. */
export type SettingsReply = Settings & { notices?: SettingsNotice[] }

export const settingsCalls = {
  'settings.get': call<SettingsReply>()(z.strictObject({})),
  /** Deep partial; unknown fields are refused with their path. */
  'settings.update': call<SettingsReply>()(z.strictObject({ patch: z.record(z.string(), z.unknown()) })),
  /** Back to the default: a path such as `context.historyLimit`, or a group. */
  'settings.reset': call<SettingsReply>()(z.strictObject({ path: z.string() })),
} satisfies CallMap

export interface SettingsEvents {
  'settings.changed': { ids: string[] }
}
