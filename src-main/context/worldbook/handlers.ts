import type { Emit } from '../../app-contract'
import { AppError } from '../../ipc/app-error'
import type { Handlers } from '../../ipc/contract'
import { said } from '../../ipc/said-contract'
import type { WriteDatabase } from '../../storage/database'
import { listVersions } from './book-changes'
import type { Book, BookSummary, WorldbookSettings } from './book-contract'
import type { BookFiles } from './book-files'
import { listHeads, readBookInSlices, readHead } from './book-rows'
import { createBookTurns } from './book-turns'
import { newBreathing } from './breathing'
import type { CompiledBooks } from './compiled-books'
import type { worldbookCalls } from './contract'
import { draftFrom } from './drafts'
import { readTimers } from './engine/timers'
import type { Entry } from './entry-contract'
import { evaluateBooks, loadBooks, newSeed } from './evaluate-books'
import { exportBook, type ImportInput, importFile } from './import-books'
import { type ChangeDeps, replaceLargeBook, restoreVersion } from './large-changes'
import { lintBook } from './lint'
import { textOf } from './packed-book'
import { deleteGone, hideBook, insertTextsInSlices } from './repository'
import { missingBook, saveEntries } from './save-entries'
import type { Scanner } from './scanner'
import { askSimilar, type FindSimilar } from './similarity'
import { createSummaries } from './summaries'
import type { EvaluateInput, EvaluateResult } from './trace-contract'

export interface WorldbookDeps {
  database: WriteDatabase
  compiled: CompiledBooks
  scanner: Scanner
  files: BookFiles
  ids: () => string
  /** ISO 8601 with offset. */
  nowIso: () => string
  emit: Emit
  settings: () => WorldbookSettings
  /** Tokens of a text for the default model; an estimate will do. */
  countTokens: (text: string) => number
  /** Makes the counts of these texts exact from now on; absent = they stay as they are. */
  primeTokens?: (texts: readonly string[]) => Promise<unknown>
  /** Context window of the default model, in tokens. */
  defaultWindow: () => number | undefined
  /** Sessions outside the bin that this book is bound to. */
  countSessions: (worldbookId: string) => number
  /** Takes a book that is gone out of every session, as far as that makes none of them less private. */
  unbind: (worldbookId: string) => void
  /** Absent = nothing is found by meaning. */
  findSimilar?: FindSimilar
}

function present<T>(value: T | undefined, id: string): T {
  if (value === undefined) throw missingBook(id)
  return value
}

/** Beyond this many entries a book is counted by estimate. */
const MOST_PRIMED = 2000

/** No turn waits for this answer, and the embedder may have to be loaded first. Milliseconds. */
const SIMILARITY_MS = 10_000

const countWords = (text: string) => text.match(/\S+/g)?.length ?? 0

async function evaluateCall(deps: WorldbookDeps, input: EvaluateInput): Promise<EvaluateResult> {
  const { books, missing: lost } = await loadBooks(deps, input.books)
  if (lost[0] !== undefined) throw missingBook(lost[0])
  const given = input.forced ?? []
  // Scores that come with the question are an answer already.
  const findSimilar = given.some(({ score }) => score !== undefined) ? undefined : deps.findSimilar
  const limits = { signal: new AbortController().signal, waitMs: SIMILARITY_MS }
  const { forced, warnings } = await askSimilar(findSimilar, { books, messages: input.messages }, limits)
  const overrides = Object.fromEntries(Object.entries(input.settings ?? {}).filter(([, value]) => value !== undefined))
  const result = await evaluateBooks(deps, {
    books,
    messages: input.messages,
    settings: { ...deps.settings(), ...overrides },
    timers: readTimers(input.timers),
    seed: String(input.seed ?? newSeed()),
    roll: input.roll ?? undefined,
    countTokens: input.countTokens === 'words' ? countWords : deps.countTokens,
    window: input.window ?? undefined,
    topicPrompt: input.topicPrompt,
    forced: [...given, ...forced],
    trigger: input.trigger ?? 'normal',
  })
  return { ...result, warnings: [...result.warnings, ...warnings] }
}

type Calls = Handlers<typeof worldbookCalls>
const textsOf = function* (entries: readonly Entry[]) {
  for (const entry of entries) yield textOf(entry)
}

export function worldbookHandlers(deps: WorldbookDeps): Calls {
  const { database, emit } = deps
  const summaries = createSummaries(deps)
  const inTurn = createBookTurns()
  const changing = (): ChangeDeps => ({ database, ids: deps.ids, breathe: newBreathing() })
  const changed = (...ids: string[]) => emit('worldbook.changed', { ids })
  const read = async (id: string): Promise<Book> => present(await readBookInSlices(database, id, newBreathing()), id)
  // One after another: each takes the next free name.
  let imports: Promise<unknown> = Promise.resolve()
  const importNext = (input: ImportInput) => {
    const report = imports.then(() => importFile({ ...deps, inTurn }, input))
    imports = report.catch(() => {})
    return report
  }
  const list = (): Promise<BookSummary[]> => Promise.all(listHeads(database).map((head) => summaries.of(head)))

  return {
    'worldbook.list': list,
    'worldbook.get': ({ worldbookId }) => read(worldbookId),
    'worldbook.save': async ({ worldbookId, book }) => {
      const draft = draftFrom(book)
      const nowIso = deps.nowIso()
      const id = worldbookId ?? deps.ids()
      const whole = { head: draft, texts: textsOf(draft.entries) }
      const change = changing()
      if (worldbookId === undefined) await insertTextsInSlices(database, whole, { id, nowIso, breathe: change.breathe })
      else present(await inTurn(id, () => replaceLargeBook(change, id, whole, nowIso)), id)
      changed(id)
      return read(id)
    },
    'worldbook.save-entries': async (input) => {
      present(readHead(database, input.worldbookId), input.worldbookId)
      const answer = await inTurn(input.worldbookId, () => saveEntries(changing(), input, deps.nowIso()))
      changed(input.worldbookId)
      return answer
    },
    'worldbook.remove': async ({ worldbookId }) => {
      const removed = (await inTurn(worldbookId, () => hideBook(database, worldbookId))) ? [worldbookId] : []
      deps.compiled.forget(worldbookId)
      if (removed.length > 0) {
        deps.unbind(worldbookId)
        changed(worldbookId)
        await deleteGone(database, newBreathing())
      }
      return { removed }
    },
    'worldbook.versions': ({ worldbookId }) => {
      present(readHead(database, worldbookId), worldbookId)
      return listVersions(database, worldbookId)
    },
    'worldbook.undo': async ({ worldbookId, version }) => {
      await inTurn(worldbookId, async () => {
        const wanted = version ?? present(readHead(database, worldbookId), worldbookId).version - 1
        if (await restoreVersion(changing(), worldbookId, wanted, deps.nowIso())) return
        present(readHead(database, worldbookId), worldbookId)
        throw new AppError(
          'not_found',
          said`Version ${wanted} of this worldbook is not kept. Choose one from its list of versions.`,
        )
      })
      changed(worldbookId)
      return read(worldbookId)
    },
    'worldbook.import': async (input) => {
      const report = await importNext(input)
      if (report.worldbookIds.length > 0) changed(...report.worldbookIds)
      return report
    },
    'worldbook.export': async ({ worldbookId, format }) => exportBook(deps.files, await read(worldbookId), format),
    'worldbook.evaluate': (input) => evaluateCall(deps, input),
    'worldbook.entry-tokens': async ({ worldbookId }) => {
      present(readHead(database, worldbookId), worldbookId)
      const breathe = newBreathing()
      const entries = (await readBookInSlices(database, worldbookId, breathe))?.entries ?? []
      await deps.primeTokens?.(entries.map(({ content }) => content).slice(0, MOST_PRIMED))
      // the list shows the same figures from now on
      summaries.forget(worldbookId)
      const tokens: [string, number][] = []
      for (const { id, content } of entries) {
        tokens.push([id, content === '' ? 0 : deps.countTokens(content)])
        const pause = breathe()
        if (pause) await pause
      }
      return Object.fromEntries(tokens)
    },
    'worldbook.lint': async ({ worldbookId }) => {
      const { books } = await loadBooks(deps, [worldbookId])
      const [book] = books
      if (!book) throw missingBook(worldbookId)
      const settings = deps.settings()
      const { countTokens, scanner } = deps
      return lintBook(book, { settings, window: deps.defaultWindow(), countTokens, runPatterns: scanner.runPatterns })
    },
  }
}
