import { memoryMigrations } from './context/memory/migrations'
import { recentConversationMigrations } from './context/recent-conversations/migrations'
import { systemPromptMigrations } from './context/system-prompt/migrations'
import { userProfileMigrations } from './context/user-profile/migrations'
import { worldbookMigrations } from './context/worldbook/migrations'
import { jobMigrations } from './jobs/migrations'
import { modelMigrations } from './models/migrations'
import { sessionMigrations } from './sessions/migrations'
import { keyMigrations } from './settings/keys'
import { settingsMigrations } from './settings/migrations'
import type { Migration } from './storage/database'
import { toolMigrations } from './tools/migrations'
import { turnMigrations } from './turns/migrations'

/** Every migration of the app, in an order in which each finds the tables it refers to. */
export const migrations: readonly Migration[] = [
  ...settingsMigrations,
  ...keyMigrations,
  ...modelMigrations,
  ...systemPromptMigrations,
  ...sessionMigrations,
  ...turnMigrations,
  ...memoryMigrations,
  ...recentConversationMigrations,
  ...userProfileMigrations,
  ...worldbookMigrations,
  ...toolMigrations,
  ...jobMigrations,
]
