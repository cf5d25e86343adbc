import enApp from '../../resources/locales/en/app.json'
import enChat from '../../resources/locales/en/chat.json'
import enCommon from '../../resources/locales/en/common.json'
import enComposer from '../../resources/locales/en/composer.json'
import enContext from '../../resources/locales/en/context.json'
import enFirstRun from '../../resources/locales/en/first-run.json'
import enMemory from '../../resources/locales/en/memory.json'
import enProfile from '../../resources/locales/en/profile.json'
import enPrompts from '../../resources/locales/en/prompts.json'
import enRecovery from '../../resources/locales/en/recovery.json'
import enSessions from '../../resources/locales/en/sessions.json'
import enSettings from '../../resources/locales/en/settings.json'
import enTools from '../../resources/locales/en/tools.json'
import enWorldbook from '../../resources/locales/en/worldbook.json'
import zhApp from '../../resources/locales/zh-CN/app.json'
import zhChat from '../../resources/locales/zh-CN/chat.json'
import zhCommon from '../../resources/locales/zh-CN/common.json'
import zhComposer from '../../resources/locales/zh-CN/composer.json'
import zhContext from '../../resources/locales/zh-CN/context.json'
import zhFirstRun from '../../resources/locales/zh-CN/first-run.json'
import zhMemory from '../../resources/locales/zh-CN/memory.json'
import zhProfile from '../../resources/locales/zh-CN/profile.json'
import zhPrompts from '../../resources/locales/zh-CN/prompts.json'
import zhRecovery from '../../resources/locales/zh-CN/recovery.json'
import zhSessions from '../../resources/locales/zh-CN/sessions.json'
import zhSettings from '../../resources/locales/zh-CN/settings.json'
import zhTools from '../../resources/locales/zh-CN/tools.json'
import zhWorldbook from '../../resources/locales/zh-CN/worldbook.json'

/** One namespace per room; its strings live in one file per language. */
export const en = {
  app: enApp,
  chat: enChat,
  common: enCommon,
  composer: enComposer,
  context: enContext,
  'first-run': enFirstRun,
  memory: enMemory,
  profile: enProfile,
  prompts: enPrompts,
  recovery: enRecovery,
  sessions: enSessions,
  settings: enSettings,
  tools: enTools,
  worldbook: enWorldbook,
}

export const zhCN = {
  app: zhApp,
  chat: zhChat,
  common: zhCommon,
  composer: zhComposer,
  context: zhContext,
  'first-run': zhFirstRun,
  memory: zhMemory,
  profile: zhProfile,
  prompts: zhPrompts,
  recovery: zhRecovery,
  sessions: zhSessions,
  settings: zhSettings,
  tools: zhTools,
  worldbook: zhWorldbook,
}

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: typeof en
  }
}
