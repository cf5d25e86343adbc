import { wireTurns } from '../chat/wire-turns'
import { wireOver } from '../composer/over-budget/over-gate'
import { wireComposer } from '../composer/wire-composer'
import { wirePreview } from '../context/context-bar/preview-store'
import { wireProposals } from '../context/memory/proposal-store'
import { wireRecords } from '../context/request-inspector/record-store'
import { wirePrompts } from '../context/system-prompt/prompt-store'
import { wireWorldbooks } from '../context/worldbook/wire-worldbooks'
import { wireJobs } from '../jobs/job-store'
import { wireModels } from '../models/model-store'
import { wireSessions } from '../sessions/session-store'
import { wireSettings } from '../settings/settings-store'
import { wireTools } from '../tools/tool-store'
import { wireAppearance } from './appearance'
import { wireWidth } from './navigation'
import { wireStorage } from './storage-store'
import { wireUnsaved } from './unsaved'

/** Once, before the first render: every store that follows the main process. One line per room. */
export function wireEvents(): void {
  wireAppearance()
  wireWidth()
  wireUnsaved()
  wireSettings()
  wireModels()
  wirePrompts()
  wireSessions()
  wireTurns()
  wireComposer()
  wireRecords()
  wirePreview()
  wireWorldbooks()
  wireOver()
  wireJobs()
  wireTools()
  wireProposals()
  wireStorage()
}
