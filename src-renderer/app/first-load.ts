import { loadPrompts } from '../context/system-prompt/prompt-store'
import { i18n } from '../i18n/i18n'
import { loadModels } from '../models/model-store'
import { loadSessions } from '../sessions/session-store'
import { loadSettings, useSettings } from '../settings/settings-store'
import { showError, showToast } from '../ui/toast'
import { loadAppInfo, useAppInfo } from './app-info'

const LONGEST_WAIT_MS = 1500

/** Reads what the first frame needs, so that it does not flicker; waits for a slow host only so long. */
export async function firstLoad(): Promise<void> {
  const settings = loadSettings().then(sayRepairs)
  const info = loadAppInfo().then(sayOpenRights)
  const all = Promise.all([info, settings, loadModels(), loadPrompts(), loadSessions()]).catch(async (error) => {
    await info.catch(() => undefined) // then the error below is the one to show
    // while the chats are damaged a screen of its own says so
    if (!useAppInfo.getState().info?.damage) showError(error)
  })
  await Promise.race([all, new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))])
}

/** Files other accounts can read, and why the app could not change that. */
function sayOpenRights(): void {
  const open = useAppInfo.getState().info?.openRights
  if (!open) return
  const files = open.files.join(', ')
  showToast(i18n.t(`app:openRights.${open.reason}`, { files }), { tone: 'bad', lasts: 30_000 })
}

/** A stored setting that no longer fits was replaced by its default: said once, with its name. */
function sayRepairs(): void {
  for (const { path, message } of useSettings.getState().notices) showToast(`${path}: ${message}`, { tone: 'bad' })
}
