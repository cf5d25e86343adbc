import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { WorldbookSettings } from '../book-contract'
import type { EvaluateResult } from '../trace-contract'

/** The cases in the repository, and the ones that may lie beside it. */
const FOLDERS = {
  own: join(import.meta.dirname, '../cases'),
  shared: join(import.meta.dirname, '../../../../../shared/cases/worldbook'),
}

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

export interface CaseMessage {
  name: string
  role: 'user' | 'assistant' | 'system'
  mes: string
}

export interface Case {
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

/** Our names for what the case sets. */
export function settingsOf(given: Case['settings'] = {}): Partial<WorldbookSettings> {
  const pairs = Object.entries(given).flatMap(([name, value]) => {
    const ours = SETTING_NAMES[name]
    return ours ? [[ours, value]] : []
  })
  return Object.fromEntries(pairs)
}

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

export function check(result: EvaluateResult, expected: Expected): void {
  checkActivation(result, expected)
  checkPlaces(result, expected)
  for (const name of expected.warn ?? []) {
    const entry = [...result.notFired, ...result.fired].find(({ comment }) => comment === name)
    expect(result.warnings.map(({ entryId }) => entryId)).toContain(entry?.entryId)
  }
}

export interface CaseFile {
  folder: keyof typeof FOLDERS
  name: string
  given: Case
}

export function caseFiles(): CaseFile[] {
  return (Object.keys(FOLDERS) as (keyof typeof FOLDERS)[]).flatMap((folder) => {
    const path = FOLDERS[folder]
    const names = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.json')) : []
    return names.map((name) => ({ folder, name, given: JSON.parse(readFileSync(join(path, name), 'utf8')) as Case }))
  })
}

/** A case without steps is one step. */
export function stepsOf(given: Case): { messages: CaseMessage[]; expect: Expected }[] {
  return given.steps ?? [{ messages: given.messages ?? [], expect: given.expect }]
}
