import type { Settings } from '../../src-main/settings/contract'
import type { IconName } from '../ui/icon'

/** How one preference is shown. Ranges are those of the settings contract. */
export type Control =
  | { kind: 'switch' }
  | { kind: 'number'; min: number; max: number; step?: number; unit?: string }
  /** Empty = null, which means "decided by the app". */
  | { kind: 'optional-number'; min: number; max: number; step?: number }
  | { kind: 'choice'; options: readonly string[] }
  | { kind: 'model' }
  | { kind: 'connection' }
  | { kind: 'line' }
  | { kind: 'text' }

export const SETTING_SPECS = {
  'general.language': { kind: 'choice', options: ['system', 'en', 'zh-CN'] },
  'general.theme': { kind: 'choice', options: ['system', 'light', 'dark'] },
  'general.density': { kind: 'choice', options: ['compact', 'comfortable'] },
  'general.fontScale': { kind: 'number', min: 0.8, max: 1.6, step: 0.1 },
  'general.defaultModelId': { kind: 'model' },
  'general.backgroundModelId': { kind: 'model' },
  'general.titleFromModel': { kind: 'switch' },
  'general.enterSends': { kind: 'switch' },
  'general.promptLanguage': { kind: 'choice', options: ['interface', 'en', 'zh-CN'] },
  'general.silenceLimitSeconds': { kind: 'number', min: 0, max: 86_400 },
  'general.binDays': { kind: 'number', min: 1, max: 3650 },
  'general.logLevel': { kind: 'choice', options: ['silent', 'error', 'info', 'debug'] },
  'context.layout': { kind: 'choice', options: ['documented', 'cache-first'] },
  'context.historyLimit': { kind: 'number', min: 0, max: 100_000 },
  'context.sendTime': { kind: 'switch' },
  'context.landmarks.enabled': { kind: 'switch' },
  'context.landmarks.intervalMinutes': { kind: 'number', min: 1, max: 10_080 },
  'context.reservedOutput': { kind: 'optional-number', min: 0, max: 10_000_000 },
  'context.sendReasoning': { kind: 'switch' },
  'context.sourceTimeoutSeconds': { kind: 'number', min: 0.1, max: 60, step: 0.5 },
  'context.enhancedPrompt': { kind: 'text' },
  'memory.enabled': { kind: 'switch' },
  'memory.topK': { kind: 'number', min: 0, max: 200 },
  'memory.threshold': { kind: 'optional-number', min: -1, max: 1, step: 0.05 },
  'memory.mode': { kind: 'choice', options: ['hybrid', 'vector', 'keyword'] },
  'memory.write': { kind: 'switch' },
  'memory.activeRetrieval': { kind: 'switch' },
  'memory.extraction': { kind: 'choice', options: ['off', 'ask', 'automatic'] },
  'memory.embedder.kind': { kind: 'choice', options: ['built-in', 'openai-compatible', 'ollama', 'google', 'none'] },
  'memory.embedder.connectionId': { kind: 'connection' },
  'memory.embedder.model': { kind: 'line' },
  'recentConversations.enabled': { kind: 'switch' },
  'recentConversations.inject': { kind: 'number', min: 0, max: 50 },
  'recentConversations.minUserTurns': { kind: 'number', min: 1, max: 1000 },
  'recentConversations.minIntervalMinutes': { kind: 'number', min: 0, max: 100_000 },
  'recentConversations.modelId': { kind: 'model' },
  'userProfile.enabled': { kind: 'switch' },
  'userProfile.daily': { kind: 'switch' },
  'worldbook.scanDepth': { kind: 'number', min: 0, max: 1000 },
  'worldbook.recursive': { kind: 'switch' },
  'worldbook.wholeWords': { kind: 'switch' },
  'worldbook.caseSensitive': { kind: 'switch' },
  'worldbook.budgetPercent': { kind: 'number', min: 1, max: 100 },
  'worldbook.budgetCap': { kind: 'number', min: 0, max: 10_000_000 },
  'worldbook.maxRecursionSteps': { kind: 'number', min: 0, max: 100 },
  'worldbook.minActivations': { kind: 'number', min: 0, max: 100 },
  'worldbook.minActivationsDepthMax': { kind: 'number', min: 0, max: 1000 },
  'worldbook.groupScoring': { kind: 'switch' },
  'worldbook.includeNames': { kind: 'switch' },
  'isolation.sendTime': { kind: 'switch' },
  'tools.maxRounds': { kind: 'number', min: 1, max: 100 },
  'tools.resultTokenCap': { kind: 'number', min: 100, max: 1_000_000 },
  'records.deletedText': { kind: 'choice', options: ['tombstone', 'keep'] },
} as const satisfies Record<string, Control>

export type SettingPath = keyof typeof SETTING_SPECS
export const SETTING_PATHS = Object.keys(SETTING_SPECS) as SettingPath[]

export const SECTIONS = [
  { id: 'general', icon: 'sliders' },
  { id: 'connections', icon: 'server' },
  { id: 'context', icon: 'strata' },
  { id: 'memory', icon: 'memory' },
  { id: 'recentConversations', icon: 'chat' },
  { id: 'userProfile', icon: 'user' },
  { id: 'worldbook', icon: 'book' },
  { id: 'isolation', icon: 'lock' },
  { id: 'tools', icon: 'tool' },
  { id: 'shortcuts', icon: 'keyboard' },
  { id: 'records', icon: 'eye' },
  { id: 'backups', icon: 'archive' },
  { id: 'jobs', icon: 'clock' },
  { id: 'about', icon: 'info' },
] as const satisfies readonly { id: string; icon: IconName }[]
export type SectionId = (typeof SECTIONS)[number]['id']

export const pathsOf = (section: SectionId): SettingPath[] =>
  SETTING_PATHS.filter((path) => path.startsWith(`${section}.`))

/** The value at a dotted path. */
export function valueAt(settings: Settings, path: SettingPath): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], settings)
}

/** A patch that changes nothing but the value at a dotted path. */
export function patchAt(path: SettingPath, value: unknown): Record<string, unknown> {
  return path
    .split('.')
    .reverse()
    .reduce<unknown>((inner, key) => ({ [key]: inner }), value) as Record<string, unknown>
}
