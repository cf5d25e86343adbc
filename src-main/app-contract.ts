import { z } from 'zod'
import { type MemoryEvents, memoryCalls } from './context/memory/contract'
import { type RecentConversationEvents, recentConversationCalls } from './context/recent-conversations/contract'
import { type SystemPromptEvents, systemPromptCalls } from './context/system-prompt/contract'
import { type UserProfileEvents, userProfileCalls } from './context/user-profile/contract'
import { type WorldbookEvents, worldbookCalls } from './context/worldbook/contract'
import { type CallMap, call } from './ipc/contract'
import { type JobEvents, jobCalls } from './jobs/contract'
import { type ModelEvents, modelCalls } from './models/contract'
import { type SessionEvents, sessionCalls } from './sessions/contract'
import { type SettingsEvents, settingsCalls } from './settings/contract'
import { type BackupEvents, backupCalls } from './storage/contract'
import { type ToolEvents, toolCalls } from './tools/contract'
import { transferCalls } from './transfer/contract'
import { type TurnEvents, turnCalls } from './turns/contract'
import { queueCalls } from './turns/queue-calls-contract'

export interface AppInfo {
  version: string
  node: string
  electron?: string
  host: 'desktop' | 'web'
  dataDir: string
  platform: string
  /** Set when the data folder can only be read: a screen says so. */
  readOnlyReason?: string
}

const appCalls = {
  'app.info': call<AppInfo>()(z.strictObject({})),
} satisfies CallMap

/** Every call of the app: one line per room. */
export const calls = {
  ...appCalls,
  ...settingsCalls,
  ...modelCalls,
  ...systemPromptCalls,
  ...sessionCalls,
  ...turnCalls,
  ...queueCalls,
  ...memoryCalls,
  ...recentConversationCalls,
  ...userProfileCalls,
  ...worldbookCalls,
  ...toolCalls,
  ...jobCalls,
  ...transferCalls,
  ...backupCalls,
} satisfies CallMap
export type Calls = typeof calls

/** Every event of the app. `resync` means: read everything again. */
export type Events = SettingsEvents &
  ModelEvents &
  SystemPromptEvents &
  SessionEvents &
  TurnEvents &
  MemoryEvents &
  RecentConversationEvents &
  UserProfileEvents &
  WorldbookEvents &
  ToolEvents &
  JobEvents &
  BackupEvents & { resync: { reason: string } }

/** How rooms tell the world: typed by name, carried by either transport. */
export type Emit = <Name extends keyof Events>(name: Name, payload: Events[Name]) => void
export { appCalls }
