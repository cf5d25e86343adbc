import { loadPrompts } from '../context/system-prompt/prompt-store'
import { loadModels } from '../models/model-store'
import { loadSessions } from '../sessions/session-store'
import { loadSettings } from '../settings/settings-store'
import { showError } from '../ui/toast'

const LONGEST_WAIT_MS = 1500

/** Reads what the first frame needs, so that it does not flicker; waits for a slow host only so long. */
export async function firstLoad(): Promise<void> {
  const all = Promise.all([loadSettings(), loadModels(), loadPrompts(), loadSessions()]).catch(showError)
  await Promise.race([all, new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))])
}
