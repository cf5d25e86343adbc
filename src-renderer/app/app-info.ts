import { create } from 'zustand'
import type { AppInfo } from '../../src-main/app-contract'
import { call } from '../api/client'

/** Version, host and data folder; null until read. */
export const useAppInfo = create<{ info: AppInfo | null }>(() => ({ info: null }))

export async function loadAppInfo(): Promise<void> {
  const info = await call('app.info', {})
  useAppInfo.setState({ info })
}
