import { type AppInfo, appCalls } from './app-contract'
import type { AppOptions } from './app-host'
import { migrations } from './app-migrations'
import { AppError } from './ipc/app-error'
import type { Handlers, Reply } from './ipc/contract'
import { createRouter, type Router } from './ipc/router'
import { mendRescued } from './sessions/mend-rescued'
import { stageRestore } from './storage/backups'
import type { FileLooks } from './storage/check-files'
import { backupCalls, type Damage, type Holdings, recoveryCalls } from './storage/contract'
import { stageRescue } from './storage/rescue'
import { moveAside } from './storage/set-aside'
import { storageError } from './storage/storage-error'

/** What a file of ours holds, for a list of backups. Columns are those of `Holdings`. */
export const COUNTING = `SELECT
  (SELECT count(*) FROM session WHERE removed_at IS NULL) AS chats,
  (SELECT count(*) FROM message) AS messages,
  (SELECT max(updated_at) FROM session) AS newestAt`

export interface RecoveryPorts {
  options: AppOptions
  looks: FileLooks
  info: () => AppInfo
  damage: () => Damage
  /** Lets the file go, does something with it, and opens what is there then. */
  reopen: (change: () => Promise<unknown>, fresh?: boolean) => Promise<void>
  /** What the file holds that is open now. */
  holds: () => Promise<Holdings>
}

/** The few calls that are answered while the stored chats are damaged. */
export function createRecovery(ports: RecoveryPorts): Router {
  const { options, looks } = ports
  const { dataDir, log } = options
  const router = createRouter(
    (name, error) => log.error({ call: name, err: error }, 'a call failed inside the app'),
    storageError,
  )
  router.register(appCalls, {
    'app.info': ports.info,
    'app.report': (failure) => {
      ports.options.log.error({ page: failure }, 'a failure in the page')
      return {}
    },
  })
  router.register(backupCalls, {
    'backups.create': () => {
      throw damagedNow()
    },
    // here nobody chooses a backup without knowing whether it is whole
    'backups.list': () => looks.checkedBackups(dataDir),
    'backups.restore': async ({ id }) => {
      await stageRestore(dataDir, id)
      // the swap sets the damaged files aside
      await ports.reopen(async () => undefined)
      return { staged: true as const, restartNeeded: false }
    },
  })
  router.register(recoveryCalls, recoveryHandlers(ports))
  return router
}

function recoveryHandlers(ports: RecoveryPorts): Handlers<typeof recoveryCalls> {
  const { dataDir } = ports.options
  const nowIso = () => new Date().toISOString()
  return {
    'recovery.rescue': async () => {
      const { kind } = ports.damage()
      if (kind === 'missing' || kind === 'empty') {
        throw new AppError('conflict', 'There is no file to read from. Restore a backup instead.')
      }
      let incomplete: string[] = []
      await ports.reopen(async () => {
        const mend = { nowIso: nowIso(), title: 'Rescued chat · 救回的对话' }
        incomplete = await stageRescue({
          dataDir,
          migrations,
          nowIso,
          mend: (database) => mendRescued(database, mend),
        })
      })
      return { holds: await ports.holds(), incomplete }
    },
    'recovery.start-fresh': async () => {
      let keptAs: string[] = []
      await ports.reopen(async () => {
        keptAs = await moveAside(dataDir, nowIso())
      }, true)
      return { keptAs }
    },
  }
}

/** What every other call is answered with meanwhile. */
export const damagedNow = (): AppError =>
  new AppError(
    'storage.damaged',
    'The stored chats are damaged, and nothing was changed yet. Choose in the window what to go on with.',
  )

export const damagedReply = (): Reply<never> => ({ ok: false, error: damagedNow().toReply() })

/** While nothing is damaged there is nothing to recover. */
export function idleRecovery(): Handlers<typeof recoveryCalls> {
  const refuse = (): never => {
    throw new AppError('conflict', 'The stored chats are not damaged: there is nothing to recover.')
  }
  return { 'recovery.rescue': refuse, 'recovery.start-fresh': refuse }
}
