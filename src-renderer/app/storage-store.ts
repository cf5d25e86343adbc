import { create } from 'zustand'
import type { StorageState } from '../../src-main/storage/health-contract'
import { call, on } from '../api/client'

/** Whether the disk takes what is written, as the main process knows it. */
export const useStorage = create<StorageState>(() => ({ trouble: null, waiting: 0 }))

let readings = 0
async function loadStorage(): Promise<void> {
  const mine = ++readings
  const state = await call('storage.state', {}).catch(() => undefined) // a host that does not answer says so elsewhere
  if (state && mine === readings) useStorage.setState(state)
}

export function wireStorage(): void {
  on('storage.changed', (state) => {
    // newer than any answer that is on its way
    readings += 1
    useStorage.setState(state)
  })
  on('resync', () => void loadStorage())
  void loadStorage()
}
