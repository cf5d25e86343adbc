import { create } from 'zustand'
import type { Settings, SettingsNotice } from '../../src-main/settings/contract'
import { call, on } from '../api/client'

interface SettingsState {
  /** null until read once. */
  settings: Settings | null
  notices: SettingsNotice[]
}

export const useSettings = create<SettingsState>(() => ({ settings: null, notices: [] }))

function keep({ notices = [], ...settings }: Settings & { notices?: SettingsNotice[] }): void {
  useSettings.setState({ settings, notices })
}

export async function loadSettings(): Promise<void> {
  keep(await call('settings.get', {}))
}

/** A deep partial, such as `{ context: { sendTime: false } }`. */
export async function updateSettings(patch: Record<string, unknown>): Promise<void> {
  keep(await call('settings.update', { patch }))
}

/** A path such as `context.historyLimit`, or a group. */
export async function resetSetting(path: string): Promise<void> {
  keep(await call('settings.reset', { path }))
}

export function wireSettings(): void {
  on('settings.changed', () => void loadSettings())
  on('resync', () => void loadSettings())
}
