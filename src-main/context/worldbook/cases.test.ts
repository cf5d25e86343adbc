import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Book, EvaluateResult, Timers, WorldbookSettings } from './contract'
import { WORLDBOOK_SETTINGS_DEFAULTS } from './contract'
import { compileBook } from './engine/compile'
import { evaluate } from './engine/evaluate'
import { runPatterns } from './engine/scan-worker'
import { NO_TIMERS, readTimers } from './engine/timers'
import { readWorldbookFile } from './formats/read-worldbook-file'

const FOLDERS = [join(import.meta.dirname, 'cases'), join(import.meta.dirname, '../../../../shared/cases/worldbook')]

/** Every check a case may name; README of the cases says what each means. */
interface Expected {
  activated?: string[]
  activatedSet?: string[]
  notActivated?: string[]
  before?: string
  beforeContains?: string[]
  outlet?: Record<string, string[]>
  chat?: string[]
  chatContains?: string[]
  injectedAll?: boolean
  importedEntries?: number
  activatedContents?: string[]
  notActivatedContents?: string[]
  depthOf?: Record<string, { depth: number; role: string }>
  maxMillis?: number
  warn?: string[]
  /** Ours: comment → reason. */
  reasons?: Record<string, string>
}

interface CaseMessage {
  name: string
  role: 'user' | 'assistant' | 'system'
  mes: string
}

interface Case {
  book: unknown
  messages?: CaseMessage[]
  settings?: Record<string, number | boolean | string>
  roll?: number
  steps?: { messages: CaseMessage[]; expect: Expected }[]
  expect: Expected
}

const SETTING_NAMES: Record<string, keyof WorldbookSettings> = {
  world_info_depth: 'scanDepth',
  world_info_include_names: 'includeNames',
  world_info_recursive: 'recursive',
  world_info_case_sensitive: 'caseSensitive',
  world_info_match_whole_words: 'wholeWords',
  world_info_budget: 'budgetPercent',
  world_info_budget_cap: 'budgetCap',
  world_info_min_activations: 'minActivations',
  world_info_min_activations_depth_max: 'minActivationsDepthMax',
  world_info_max_recursion_steps: 'maxRecursionSteps',
  world_info_use_group_scoring: 'groupScoring',
}

function settingsOf(given: Case['settings'] = {}): WorldbookSettings {
  const pairs = Object.entries(given).flatMap(([name, value]) => {
    const ours = SETTING_NAMES[name]
    return ours ? [[ours, value]] : []
  })
  return { ...WORLDBOOK_SETTINGS_DEFAULTS, ...Object.fromEntries(pairs) }
}

function importBook(file: string, book: unknown): { book: Book; imported: number } {
  const read = readWorldbookFile(file, new TextEncoder().encode(JSON.stringify(book)))
  const [draft] = read.books
  if (!draft) throw new Error('no book was read')
  const stamps = { id: 'book', version: 1, createdAt: '', updatedAt: '' }
  return { book: { ...draft, ...stamps }, imported: read.report.entries.imported }
}

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '').length

function everythingPlaced({ placements }: EvaluateResult): string {
  const { before, after, anTop, anBottom, examplesTop, examplesBottom, outlets, depth } = placements
  const lists = [...Object.values(outlets).flat(), ...depth.map(({ text }) => text)]
  return [before, after, anTop, anBottom, examplesTop, examplesBottom, ...lists].join('\n')
}

function checkActivation(result: EvaluateResult, expected: Expected): void {
  const comments = result.fired.map(({ comment }) => comment)
  const contents = result.fired.map(({ content }) => content)
  if (expected.activated) expect(comments).toEqual(expected.activated)
  if (expected.activatedSet) expect([...comments].sort()).toEqual([...expected.activatedSet].sort())
  for (const name of expected.notActivated ?? []) expect(comments).not.toContain(name)
  if (expected.activatedContents) for (const text of expected.activatedContents) expect(contents).toContain(text)
  for (const text of expected.notActivatedContents ?? []) expect(contents).not.toContain(text)
  for (const [comment, reason] of Object.entries(expected.reasons ?? {})) {
    expect(result.notFired.find((entry) => entry.comment === comment)?.reason, comment).toBe(reason)
  }
}

function checkPlaces(result: EvaluateResult, expected: Expected): void {
  const chat = result.placements.chat.map((line) => (line.inserted ? `[${line.role}] ${line.text}` : line.text))
  if (expected.before !== undefined) expect(result.placements.before).toBe(expected.before)
  for (const text of expected.beforeContains ?? []) expect(result.placements.before).toContain(text)
  if (expected.outlet) expect(result.placements.outlets).toEqual(expected.outlet)
  if (expected.chat) expect(chat).toEqual(expected.chat)
  for (const text of expected.chatContains ?? []) expect(chat).toContain(text)
  for (const [content, place] of Object.entries(expected.depthOf ?? {})) {
    expect(result.fired.find((entry) => entry.content === content)).toMatchObject(place)
  }
  if (expected.injectedAll) for (const { content } of result.fired) expect(everythingPlaced(result)).toContain(content)
}

function check(result: EvaluateResult, expected: Expected): void {
  checkActivation(result, expected)
  checkPlaces(result, expected)
  for (const name of expected.warn ?? []) {
    const entry = [...result.notFired, ...result.fired].find(({ comment }) => comment === name)
    expect(result.warnings.map(({ entryId }) => entryId)).toContain(entry?.entryId)
  }
}

function runCase(file: string, given: Case): void {
  const { book, imported } = importBook(file, given.book)
  if (given.expect.importedEntries !== undefined) expect(imported).toBe(given.expect.importedEntries)
  const compiled = compileBook(book)
  let timers: Timers = NO_TIMERS
  for (const step of given.steps ?? [{ messages: given.messages ?? [], expect: given.expect }]) {
    const started = performance.now()
    const evaluation = evaluate(
      {
        books: [compiled],
        messages: step.messages.map(({ role, mes, name }) => ({ role, text: mes, name })),
        settings: settingsOf(given.settings),
        timers,
        seed: 'case',
        roll: given.roll,
        countTokens: words,
        window: typeof given.settings?.maxContext === 'number' ? given.settings.maxContext : undefined,
        forced: [],
        trigger: 'normal',
      },
      runPatterns,
    )
    timers = readTimers(JSON.parse(JSON.stringify(evaluation.timers)))
    expect(evaluation.fired.length + evaluation.notFired.length).toBe(book.entries.length)
    check({ ...evaluation, elapsedMs: performance.now() - started }, step.expect)
  }
}

for (const folder of FOLDERS.filter((path) => existsSync(path))) {
  describe(folder === FOLDERS[0] ? 'own cases' : 'shared cases', () => {
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
      it(file, () => {
        runCase(file, JSON.parse(readFileSync(join(folder, file), 'utf8')) as Case)
      })
    }
  })
}
