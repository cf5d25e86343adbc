import {
  BOOK_SETTINGS_DEFAULTS,
  type Book,
  type BookSettings,
  WORLDBOOK_SETTINGS_DEFAULTS,
  type WorldbookSettings,
} from '../book-contract'
import { compileBook } from '../engine/compile'
import { type Evaluation, evaluate } from '../engine/evaluate'
import type { EvaluationRequest, ScanMessage } from '../engine/request'
import { runPatterns } from '../engine/run-patterns'
import { NO_TIMERS } from '../engine/timers'
import { ENTRY_DEFAULTS, type Entry } from '../entry-contract'

/** The comment is the id, so that expectations read well. */
export function entry(id: string, fields: Partial<Entry> = {}): Entry {
  return { ...ENTRY_DEFAULTS, id, comment: id, content: `${id} content`, ...fields }
}

export function book(entries: Entry[], settings: Partial<BookSettings> = {}, id = 'b1'): Book {
  return {
    id,
    name: id,
    description: '',
    settings: { ...BOOK_SETTINGS_DEFAULTS, ...settings },
    entries,
    extra: {},
    origin: null,
    version: 1,
    createdAt: '2026-11-30T12:00:00.000Z',
    updatedAt: '2026-11-30T12:00:00.000Z',
  }
}

export const countWords = (text: string) => text.match(/\S+/g)?.length ?? 0

/** `u: …` and `a: …` by turns, oldest first. */
export function chat(...texts: string[]): ScanMessage[] {
  return texts.map((text, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', text }))
}

export interface Look extends Partial<Omit<EvaluationRequest, 'books' | 'messages' | 'settings'>> {
  settings?: Partial<WorldbookSettings>
}

export function look(books: Book | Book[], messages: ScanMessage[] | string, options: Look = {}): Evaluation {
  const { settings, ...rest } = options
  return evaluate(
    {
      books: [books].flat().map((one) => compileBook(one)),
      messages: typeof messages === 'string' ? chat(messages) : messages,
      settings: { ...WORLDBOOK_SETTINGS_DEFAULTS, ...settings },
      timers: NO_TIMERS,
      seed: 'seed',
      countTokens: countWords,
      forced: [],
      trigger: 'normal',
      ...rest,
    },
    runPatterns,
  )
}

export const firedIds = (result: Evaluation) => result.fired.map(({ entryId }) => entryId)
export const whyNot = (result: Evaluation, id: string) => result.notFired.find(({ entryId }) => entryId === id)
export const whyFired = (result: Evaluation, id: string) => result.fired.find(({ entryId }) => entryId === id)?.why
