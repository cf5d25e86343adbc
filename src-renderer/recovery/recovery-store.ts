import { create } from 'zustand'
import type { Backup, Rescued } from '../../src-main/storage/contract'
import { CallError, call, on } from '../api/client'
import { loadAppInfo, useAppInfo } from '../app/app-info'

type Work = 'restore' | 'rescue' | 'fresh'

interface Recovery {
  /** Null while they are read. */
  backups: Backup[] | null
  /** What is being done; nothing else can be chosen meanwhile. */
  work: Work | null
  error: string | null
  /** Chosen where the app still runs: look on, decide later. */
  later: boolean
  /** What was saved, until it was read. */
  rescued: Rescued | null
}

export const useRecovery = create<Recovery>(() => ({
  backups: null,
  work: null,
  error: null,
  later: false,
  rescued: null,
}))

/** Damage may show at any moment, and another window may have put it right. */
export function wireRecovery(): void {
  on('storage.damaged', (damage) => {
    const { info } = useAppInfo.getState()
    if (info) useAppInfo.setState({ info: { ...info, damage } })
  })
  on('resync', () => {
    const wasDamaged = useAppInfo.getState().info?.damage !== undefined
    void loadAppInfo().then(
      () => wasDamaged && startAgain(),
      () => undefined, // a host that does not answer says so elsewhere
    )
  })
}

/** Everything on the page is of the old file: it is read again from the start. */
function startAgain(): void {
  const { work, rescued } = useRecovery.getState()
  if (useAppInfo.getState().info?.damage === undefined && work === null && rescued === null) location.reload()
}

let readings = 0
/** The reading asked for last is the one shown. */
export async function loadBackups(): Promise<void> {
  const mine = ++readings
  try {
    const backups = await call('backups.list', { checked: true })
    if (mine === readings) useRecovery.setState({ backups })
  } catch (error) {
    if (mine === readings) useRecovery.setState({ backups: [], error: wordsOf(error) })
  }
}

const wordsOf = (error: unknown): string =>
  error instanceof CallError || error instanceof Error ? error.message : String(error)

async function doing(work: Work, act: () => Promise<unknown>): Promise<void> {
  useRecovery.setState({ work, error: null })
  try {
    await act()
    useRecovery.setState({ work: null })
    await loadAppInfo()
    startAgain()
  } catch (error) {
    useRecovery.setState({ work: null, error: wordsOf(error) })
    void loadBackups()
  }
}

export const restoreBackup = (id: string) => doing('restore', () => call('backups.restore', { id }))
export const startFresh = () => doing('fresh', () => call('recovery.start-fresh', {}))

/** What could be read is said before the chats are shown. */
export const rescueChats = () =>
  doing('rescue', async () => {
    const rescued = await call('recovery.rescue', {})
    useRecovery.setState({ rescued })
  })

export const openRescued = (): void => location.reload()
export const decideLater = (later: boolean): void => useRecovery.setState({ later })
