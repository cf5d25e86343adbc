import type { Settings } from '../../src-main/settings/contract'
import { chooseLanguage, setLanguage } from '../i18n/i18n'
import { useSettings } from '../settings/settings-store'

const dark = window.matchMedia('(prefers-color-scheme: dark)')
/** The system decides about light and dark then, and the colours of the blocks must stand on its ground. */
const forced = window.matchMedia('(forced-colors: active)')
type Look = Pick<Settings['general'], 'theme' | 'density' | 'fontScale' | 'language'>
const BEFORE_SETTINGS: Look = { theme: 'system', density: 'compact', fontScale: 1, language: 'system' }

function apply({ theme, density, fontScale, language }: Look): void {
  const { dataset, style } = document.documentElement
  dataset.theme = theme === 'system' || forced.matches ? (dark.matches ? 'dark' : 'light') : theme
  dataset.density = density
  style.zoom = fontScale === 1 ? '' : String(fontScale)
  setLanguage(chooseLanguage(language, navigator.languages))
}

/** Theme, density, size and language follow the settings from now on, and the system where they say so. */
export function wireAppearance(): void {
  const now = () => apply(useSettings.getState().settings?.general ?? BEFORE_SETTINGS)
  now()
  for (const query of [dark, forced]) query.addEventListener('change', now)
  window.addEventListener('languagechange', now)
  useSettings.subscribe(now)
}
