import { randomUUID } from 'node:crypto'
import type { Emit } from './app-contract'
import type { AppOptions } from './app-host'
import { migrations } from './app-migrations'
import { createEventHub, type EventHub } from './app-parts'
import { COUNTING } from './app-recovery'
import { createOpenings, type Openings } from './context/openings'
import { asMessage } from './ipc/said-contract'
import { createJobQueue, type RunningQueue } from './jobs/job-queue'
import { createTokenCounters, type TokenCounters } from './models/tokens/counters'
import { createSettings, type SettingsRoom } from './settings/settings'
import { createFileLooks, type FileLooks } from './storage/check-files'
import type { WriteDatabase } from './storage/database'
import { createStorageHealth, type StorageHealth } from './storage/health'
import { openDatabase } from './storage/open-database'
import { probeDisk } from './storage/probe-disk'
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
  /** Whether the disk takes what is written, and what waits for it. */
  storage: StorageHealth
  openings: Openings
  looks: FileLooks
}

const GIVEN_UP =
  'Something that waited for the disk could not be stored and was given up. The log says what; look at your last chats.'

export async function openGround(options: AppOptions): Promise<Ground> {
  const { dataDir, log } = options
  const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
  const clock = (): number => Date.now()
  const nowIso = (): string => isoInZone(clock(), timeZone())
  const ids = (): string => randomUUID()
  const { database, readOnlyReason } = await openDatabase({ dataDir, migrations, nowIso, fresh: options.fresh })
  const hub = createEventHub((error) => log.error({ err: error }, 'an event listener failed'))
  const { emit } = hub
  // once: it may be the first of thousands
  let lossTold = false
  const storage = createStorageHealth({
    probe: () => probeDisk(dataDir, database),
    nowIso,
    onChange: (state) => {
      log.info({ trouble: state.trouble?.code ?? 'none', waiting: state.waiting }, 'storage')
      emit('storage.changed', state)
    },
    onDamage: options.onDamage,
    onTrouble: (error) => log.error({ err: error }, 'the disk refused a write'),
    onLost(what, error) {
      log.error({ what, err: error }, 'work in the background was given up')
      if (!lossTold) emit('app.trouble', asMessage(GIVEN_UP))
      lossTold = true
    },
    readOnlyReason,
  })
  return {
    options,
    database,
    ...(readOnlyReason === undefined ? {} : { readOnlyReason }),
    hub,
    emit,
    storage,
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
      storage,
      onFailure: (job, error) => log.error({ job: job.kind, err: error }, 'a background job failed'),
      onBug: (error) => log.error({ err: error }, 'the queue of background work failed'),
    }),
  }
}
