import { randomUUID } from 'node:crypto'
import type { Emit } from './app-contract'
import type { AppOptions } from './app-host'
import { migrations } from './app-migrations'
import { createEventHub, type EventHub } from './app-parts'
import { COUNTING } from './app-recovery'
import { createOpenings, type Openings } from './context/openings'
import { createJobQueue, type RunningQueue } from './jobs/job-queue'
import { createTokenCounters, type TokenCounters } from './models/tokens/counters'
import { createSettings, type SettingsRoom } from './settings/settings'
import { createFileLooks, type FileLooks } from './storage/check-files'
import { isDamageError } from './storage/damage-error'
import type { WriteDatabase } from './storage/database'
import { openDatabase } from './storage/open-database'
import { isoInZone } from './turns/turn-time'

/** What every room may stand on: storage, settings, clock, ids, events, the queue. */
export interface Ground {
  options: AppOptions
  database: WriteDatabase
  readOnlyReason?: string
  hub: EventHub
  emit: Emit
  ids: () => string
  /** Milliseconds since 1970. */
  clock: () => number
  /** ISO 8601 with offset. */
  nowIso: () => string
  timeZone: () => string
  locale: () => string
  settings: SettingsRoom
  counters: TokenCounters
  jobs: RunningQueue
  openings: Openings
  looks: FileLooks
}

export async function openGround(options: AppOptions): Promise<Ground> {
  const { dataDir, log } = options
  const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
  const clock = (): number => Date.now()
  const nowIso = (): string => isoInZone(clock(), timeZone())
  const ids = (): string => randomUUID()
  const { database, readOnlyReason } = await openDatabase({ dataDir, migrations, nowIso, fresh: options.fresh })
  const hub = createEventHub((error) => log.error({ err: error }, 'an event listener failed'))
  const { emit } = hub
  return {
    options,
    database,
    ...(readOnlyReason === undefined ? {} : { readOnlyReason }),
    hub,
    emit,
    ids,
    clock,
    nowIso,
    timeZone,
    locale: () => Intl.DateTimeFormat().resolvedOptions().locale,
    settings: createSettings({ database, emit }),
    counters: createTokenCounters({ database, now: nowIso }),
    openings: createOpenings(),
    looks: createFileLooks(COUNTING),
    jobs: createJobQueue({
      database,
      ids,
      now: clock,
      emit,
      onFailure: (job, error) => {
        if (isDamageError(error)) options.onDamage?.(error instanceof Error ? error.message : String(error))
        log.error({ job: job.kind, err: error }, 'a background job failed')
      },
    }),
  }
}
