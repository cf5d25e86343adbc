import type { Emit } from '../../app-contract'
import { AppError } from '../../ipc/app-error'
import type { Handlers } from '../../ipc/contract'
import { said } from '../../ipc/said-contract'
import type { WriteDatabase } from '../../storage/database'
import type { SystemPrompt, systemPromptCalls } from './contract'
import {
  defaultPromptId,
  deletePrompt,
  insertPrompt,
  listPrompts,
  readPrompt,
  type StoredPrompt,
  setDefaultPrompt,
  updatePrompt,
} from './repository'

export interface SystemPromptDeps {
  database: WriteDatabase
  ids: () => string
  /** ISO 8601 with offset. */
  nowIso: () => string
  emit: Emit
  /** Sessions outside the bin that point at a prompt. */
  countSessions: (promptId: string) => number
  /** Points every session of one prompt at another (null = none); runs inside the removing transaction. */
  moveSessions: (fromPromptId: string, toPromptId: string | null) => void
}

function missing(id: string): AppError {
  return new AppError('not_found', said`There is no global prompt ${id}. It may have been removed; choose another one.`)
}

export function systemPromptHandlers(deps: SystemPromptDeps): Handlers<typeof systemPromptCalls> {
  const { database, emit } = deps
  const withUse = (prompt: StoredPrompt): SystemPrompt => ({ ...prompt, usedBySessions: deps.countSessions(prompt.id) })
  const list = () => listPrompts(database).map(withUse)
  const changed = (ids: string[]) => {
    if (ids.length > 0) emit('system-prompts.changed', { ids })
  }

  return {
    'system-prompts.list': list,
    'system-prompts.save': ({ id, name, text }) => {
      const nowIso = deps.nowIso()
      if (id === undefined) {
        if (name === undefined) {
          throw new AppError('bad_input', 'A prompt needs a name.', { details: { path: 'name' } })
        }
        const made = insertPrompt(database, { id: deps.ids(), name, text: text ?? '', nowIso })
        changed([made.id])
        return withUse(made)
      }
      const before = readPrompt(database, id)
      if (!before) throw missing(id)
      const saved = updatePrompt(database, { id, name: name ?? before.name, text: text ?? before.text, nowIso })
      if (!saved) throw missing(id)
      changed([saved.id])
      return withUse(saved)
    },
    'system-prompts.remove': ({ id }) => {
      const removed = database.transaction(() => {
        const gone = deletePrompt(database, id)
        if (gone > 0) deps.moveSessions(id, defaultPromptId(database))
        return gone
      })()
      if (removed > 0) changed([id])
      return { removed }
    },
    'system-prompts.set-default': ({ id }) => {
      if (id !== null && !readPrompt(database, id)) throw missing(id)
      changed(database.transaction(() => setDefaultPrompt(database, id))())
      return list()
    },
  }
}
