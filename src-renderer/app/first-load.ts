import { loadPrompts } from '../context/system-prompt/prompt-store'
import { loadModels } from '../models/model-store'
import { loadSessions } from '../sessions/session-store'
import { loadSettings, useSettings } from '../settings/settings-store'
import { showError, showToast } from '../ui/toast'
import { loadAppInfo } from './app-info'

const LONGEST_WAIT_MS = 1500

/** Reads what the first frame needs, so that it does not flicker; waits for a slow host only so long. */
export async function firstLoad(): Promise<void> {
  const settings = loadSettings().then(sayRepairs)
  const all = Promise.all([loadAppInfo(), settings, loadModels(), loadPrompts(), loadSessions()]).catch(showError)
  await Promise.race([all, new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))])
}

/** A stored setting that no longer fits was replaced by its default: said once, with its name. */
function sayRepairs(): void {
  for (const { path, message } of useSettings.getState().notices) showToast(`${path}: ${message}`, { tone: 'bad' })
}
