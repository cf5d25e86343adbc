import { create } from 'zustand'
import type { Settings, SettingsNotice } from '../../src-main/settings/contract'
import { call, on } from '../api/client'

interface SettingsState {
  /** null until read once. */
  settings: Settings | null
  notices: SettingsNotice[]
}

export const useSettings = create<SettingsState>(() => ({ settings: null, notices: [] }))

/** Counts readings and changes: an answer that comes back after a later one is older than what is shown. */
let asked = 0
let kept = 0
async function keepAnswer(ask: () => Promise<Settings & { notices?: SettingsNotice[] }>): Promise<void> {
  const mine = ++asked
  const answer = await ask()
  if (mine < kept) return
  kept = mine
  keep(answer)
}

function keep({ notices = [], ...settings }: Settings & { notices?: SettingsNotice[] }): void {
  useSettings.setState({ settings, notices })
}

export async function loadSettings(): Promise<void> {
  await keepAnswer(() => call('settings.get', {}))
}

/** A deep partial, such as `{ context: { sendTime: false } }`. */
export async function updateSettings(patch: Record<string, unknown>): Promise<void> {
  await keepAnswer(() => call('settings.update', { patch }))
}

/** A path such as `context.historyLimit`, or a group. */
export async function resetSetting(path: string): Promise<void> {
  await keepAnswer(() => call('settings.reset', { path }))
}

export function wireSettings(): void {
  on('settings.changed', () => void loadSettings())
  on('resync', () => void loadSettings())
}
