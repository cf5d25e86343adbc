import type { Emit } from '../app-contract'
import { AppError } from '../ipc/app-error'
import { phrase, said } from '../ipc/said-contract'
import type { WriteDatabase } from '../storage/database'
import { type Settings, type SettingsNotice, type SettingsReply, settingsSchema } from './contract'
import {
  changedFields,
  type Fields,
  isFields,
  mergeFields,
  pathText,
  requirePath,
  withoutPath,
} from './settings-fields'

export interface SettingsRoom {
  /** The settings in force; always whole and valid. */
  get(): Settings
  /** The same, with what had to be repaired on reading. */
  reply(): SettingsReply
  /** A deep partial. @throws bad_input with the path of the first field refused */
  update(patch: Fields): SettingsReply
  /** A path such as `context.historyLimit`, or a group. @throws bad_input */
  reset(path: string): SettingsReply
}

const DEFAULTS: Settings = settingsSchema.parse({})

/** One row a group, holding only what differs from the defaults: a changed default reaches everybody else. */
export function createSettings(options: { database: WriteDatabase; emit: Emit }): SettingsRoom {
  const { database, emit } = options
  let current = readSettings(database)

  const store = (next: Fields): SettingsReply => {
    writeSettings(database, next)
    const settings = settingsSchema.parse(next)
    const groups = Object.keys(settings) as (keyof Settings)[]
    const changed = groups.filter((group) => !sameJson(settings[group], current.settings[group]))
    current = { settings, notices: [] }
    if (changed.length > 0) emit('settings.changed', { ids: changed })
    return reply()
  }
  const reply = (): SettingsReply =>
    current.notices.length > 0 ? { ...current.settings, notices: current.notices } : { ...current.settings }

  return {
    get: () => current.settings,
    reply,
    update(patch) {
      const merged = mergeFields(current.settings, patch)
      const checked = settingsSchema.safeParse(merged)
      if (!checked.success) throw refused(checked.error.issues)
      return store(checked.data)
    },
    reset(path) {
      const names = requirePath(DEFAULTS, path)
      return store(mergeFields(DEFAULTS, withoutPath(current.settings, names)))
    },
  }
}

const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

interface Issue {
  code?: string | undefined
  path: PropertyKey[]
  message: string
  keys?: string[]
}

const issuePaths = (issue: Issue): string[] =>
  issue.keys ? issue.keys.map((key) => pathText([...issue.path, key])) : [pathText(issue.path)]

function refused(issues: readonly Issue[]): AppError {
  const found = issues.flatMap((issue) =>
    issuePaths(issue).map((path) => ({
      path,
      message: issue.keys ? 'There is no setting of this name.' : issue.message,
    })),
  )
  const first = found[0] ?? { path: '', message: '' }
  return new AppError(
    'bad_input',
    said`The setting \`${first.path}\` was refused. ${phrase(first.message)} Nothing was changed.`,
    {
      details: { path: first.path, issues: found },
    },
  )
}

interface ReadSettings {
  settings: Settings
  notices: SettingsNotice[]
}

function readSettings(database: WriteDatabase): ReadSettings {
  const rows = database.prepare<[], { name: string; value: string }>('SELECT name, value FROM setting').all()
  const notices: SettingsNotice[] = []
  let stored: Fields = {}
  for (const row of rows) {
    const value = parseFields(row.value)
    if (value) stored[row.name] = value
    else notices.push({ path: row.name, message: 'The stored group could not be read; its defaults are in force.' })
  }
  // each round takes out what the schema refuses; what is left is valid in the end, if only as {}
  for (;;) {
    const checked = settingsSchema.safeParse(stored)
    if (checked.success) return { settings: checked.data, notices }
    const paths = checked.error.issues.flatMap(issuePaths)
    const before = stored
    for (const path of paths) {
      notices.push({ path, message: 'The stored value does not fit; its default is in force.' })
      stored = withoutPath(stored, path.split('.'))
    }
    if (sameJson(before, stored)) return { settings: DEFAULTS, notices }
  }
}

function parseFields(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function writeSettings(database: WriteDatabase, settings: Fields): void {
  const put = database.prepare('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)')
  const remove = database.prepare('DELETE FROM setting WHERE name = ?')
  const changed = changedFields(settings, DEFAULTS) ?? {}
  database.transaction(() => {
    for (const group of Object.keys(DEFAULTS)) {
      if (changed[group] === undefined) remove.run(group)
      else put.run(group, JSON.stringify(changed[group]))
    }
  })()
}
