import { afterAll, describe, expect, it } from 'vitest'
import { createRouter } from '../../ipc/router'
import { idSequence } from '../../testing/id-sequence'
import { memoryDatabase } from '../../testing/memory-database'
import { type Book, WORLDBOOK_SETTINGS_DEFAULTS } from './book-contract'
import { createBookFiles } from './book-files'
import { createCompiledBooks } from './compiled-books'
import { type ImportReport, worldbookCalls } from './contract'
import { compileBook } from './engine/compile'
import { evaluate } from './engine/evaluate'
import { runPatterns } from './engine/run-patterns'
import { NO_TIMERS, readTimers } from './engine/timers'
import { readWorldbookFile } from './formats/read-worldbook-file'
import { worldbookHandlers } from './handlers'
import { worldbookMigrations } from './migrations'
import { createScanner } from './scanner'
import { type Case, type CaseFile, caseFiles, check, settingsOf, stepsOf } from './testing/case-files'
import { countWords } from './testing/small-books'
import type { EvaluateResult, Timers } from './trace-contract'

const scanner = createScanner()
const files = createBookFiles()
afterAll(() => Promise.all([scanner.close(), files.close()]))

const bytesOf = (book: unknown) => new TextEncoder().encode(JSON.stringify(book))
const windowOf = ({ settings }: Case) => (typeof settings?.maxContext === 'number' ? settings.maxContext : undefined)

/** The engine alone, everything on this thread. */
function runPure({ name, given }: CaseFile): void {
  const read = readWorldbookFile(name, bytesOf(given.book))
  const [draft] = read.books
  if (!draft) throw new Error('no book was read')
  if (given.expect.importedEntries !== undefined)
    expect(read.report.entries.imported).toBe(given.expect.importedEntries)
  const compiled = compileBook({ ...draft, id: 'book', version: 1, createdAt: '', updatedAt: '' })
  let timers: Timers = NO_TIMERS
  for (const step of stepsOf(given)) {
    const evaluation = evaluate(
      {
        books: [compiled],
        messages: step.messages.map(({ role, mes, name: speaker }) => ({ role, text: mes, name: speaker })),
        settings: { ...WORLDBOOK_SETTINGS_DEFAULTS, ...settingsOf(given.settings) },
        timers,
        seed: 'case',
        roll: given.roll,
        countTokens: countWords,
        window: windowOf(given),
        forced: [],
        trigger: 'normal',
      },
      runPatterns,
    )
    timers = readTimers(JSON.parse(JSON.stringify(evaluation.timers)))
    expect(evaluation.fired.length + evaluation.notFired.length).toBe(draft.entries.length)
    check({ ...evaluation, elapsedMs: 0 }, step.expect)
  }
}

function room() {
  const router = createRouter((_name, error) => {
    throw error
  })
  const handlers = worldbookHandlers({
    database: memoryDatabase(worldbookMigrations),
    compiled: createCompiledBooks(scanner),
    scanner,
    files,
    ids: idSequence('book'),
    nowIso: () => '2026-11-30T12:00:00.000Z',
    emit: () => {},
    settings: () => WORLDBOOK_SETTINGS_DEFAULTS,
    countTokens: countWords,
    defaultWindow: () => undefined,
    countSessions: () => 0,
    unbind: () => {},
  })
  router.register(worldbookCalls, handlers)
  return async <T>(name: string, input: unknown): Promise<T> => {
    const reply = await router.dispatch(name, JSON.parse(JSON.stringify(input)))
    if (!reply.ok) throw new Error(reply.error.message)
    return JSON.parse(JSON.stringify(reply.value)) as T
  }
}

/** As a client does it: import, evaluate, everything through JSON. */
async function runCalls({ name, given }: CaseFile): Promise<void> {
  const call = room()
  const dataBase64 = Buffer.from(bytesOf(given.book)).toString('base64')
  const { worldbookIds } = await call<ImportReport>('worldbook.import', { fileName: name, dataBase64 })
  let timers: unknown
  for (const step of stepsOf(given)) {
    const result = await call<EvaluateResult>('worldbook.evaluate', {
      books: worldbookIds,
      messages: step.messages.map(({ role, mes, name: speaker }) => ({ role, text: mes, name: speaker })),
      settings: settingsOf(given.settings),
      window: windowOf(given),
      countTokens: 'words',
      roll: given.roll,
      timers,
    })
    timers = result.timers
    check(result, step.expect)
  }
  const { entries } = await call<Book>('worldbook.get', { worldbookId: worldbookIds[0] })
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
}

describe.each(caseFiles())('$folder case $name', (file) => {
  it('by the engine alone', () => runPure(file))
  it('through the calls', () => runCalls(file))
})
