import { z } from 'zod'
import { type MemoryEvents, memoryCalls } from './context/memory/contract'
import { type RecentConversationEvents, recentConversationCalls } from './context/recent-conversations/contract'
import { type SystemPromptEvents, systemPromptCalls } from './context/system-prompt/contract'
import { type UserProfileEvents, userProfileCalls } from './context/user-profile/contract'
import { type WorldbookEvents, worldbookCalls } from './context/worldbook/contract'
import { type CallMap, call, type ReplyError } from './ipc/contract'
import { type JobEvents, jobCalls } from './jobs/contract'
import { type ModelEvents, modelCalls } from './models/contract'
import { type SessionEvents, sessionCalls } from './sessions/contract'
import { type SettingsEvents, settingsCalls } from './settings/contract'
import { type BackupEvents, backupCalls, type Damage, recoveryCalls } from './storage/contract'
import { type StorageEvents, storageCalls } from './storage/health-contract'
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
  /** Set when the stored chats are damaged: a screen says so and offers what to go on with. */
  damage?: Damage
  /** Set when other accounts may read files of the data folder and the app could not change that. */
  openRights?: { files: string[]; reason: 'refused' | 'not-ours' | 'no-rights' }
}

/** What a page says of a failure of its own: where it happened, and no text of a person. */
const pageFailure = z.strictObject({
  where: z.enum(['script', 'promise', 'part']),
  name: z.string().max(100),
  message: z.string().max(300),
  /** Lines that name places in the code. */
  stack: z.array(z.string().max(300)).max(30),
})

const appCalls = {
  'app.info': call<AppInfo>()(z.strictObject({})),
  /** Into the log; the page has told the person. */
  'app.report': call<Record<string, never>>()(pageFailure),
} satisfies CallMap

interface AppEvents {
  /** Something nobody expected happened behind the window. Said once; the log has the details. */
  'app.trouble': Pick<ReplyError, 'message' | 'words'>
}

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
  ...recoveryCalls,
  ...storageCalls,
} satisfies CallMap
export type Calls = typeof calls

/** The calls that are answered while the stored chats are damaged; every other one says so. */
export const recoveryCallNames: ReadonlySet<string> = new Set(
  Object.keys({ ...appCalls, ...backupCalls, ...recoveryCalls }),
)

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
  BackupEvents &
  StorageEvents &
  AppEvents & { resync: { reason: string } }

/** How rooms tell the world: typed by name, carried by either transport. */
export type Emit = <Name extends keyof Events>(name: Name, payload: Events[Name]) => void
export { appCalls }
