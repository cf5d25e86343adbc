import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { en, zhCN } from './resources'

export const LANGUAGES = ['en', 'zh-CN'] as const
export type Language = (typeof LANGUAGES)[number]

/** The language to show: the setting, or the system's when it is a Chinese one, else English. */
export function chooseLanguage(setting: 'system' | Language, system: readonly string[]): Language {
  if (setting !== 'system') return setting
  return system[0]?.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en'
}

export const i18n = i18next.createInstance()
void i18n.use(initReactI18next).init({
  resources: { en, 'zh-CN': zhCN },
  lng: 'en',
  fallbackLng: 'en',
  defaultNS: 'common',
  initAsync: false,
  interpolation: { escapeValue: false },
  returnEmptyString: false,
})

/** Changes every string on screen, and `lang` for screen readers, fonts and line breaking. */
export function setLanguage(language: Language): void {
  document.documentElement.lang = language
  if (i18n.language !== language) void i18n.changeLanguage(language)
}
