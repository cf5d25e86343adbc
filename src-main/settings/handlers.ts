import type { Handlers } from '../ipc/contract'
import type { settingsCalls } from './contract'
import type { SettingsRoom } from './settings'

export function settingsHandlers(settings: SettingsRoom): Handlers<typeof settingsCalls> {
  return {
    'settings.get': () => settings.reply(),
    'settings.update': ({ patch }) => settings.update(patch),
    'settings.reset': ({ path }) => settings.reset(path),
  }
}
