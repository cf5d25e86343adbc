import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { WORLDBOOK_SETTINGS_DEFAULTS } from '../src-main/context/worldbook/book-contract'
import { CELL } from '../src-main/context/worldbook/engine/build-automaton'
import { type CompiledBook, compileBook } from '../src-main/context/worldbook/engine/compile'
import { evaluate } from '../src-main/context/worldbook/engine/evaluate'
import { runPatterns } from '../src-main/context/worldbook/engine/run-patterns'
import { NO_TIMERS } from '../src-main/context/worldbook/engine/timers'
import { makeBook, makeText, makeVocabulary, randomFrom } from './worldbook/make-book'

const SIZES = [1000, 5000, 50_000]
const MESSAGES = 100
const WORDS = 80
const ROUNDS = 15

const countWords = (text: string) => text.split(' ').length
const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024)

/** Milliseconds this thread has worked. An evaluation waits for nothing, so on a quiet machine it is the time it takes. */
function worked(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function memory(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function timeScan(
  book: CompiledBook,
  texts: string[],
  depth: number,
): { millis: number; fastest: number; fired: number; sweeps: number } {
  const messages = texts.map((text, index) => ({
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    text,
  }))
  const settings = { ...WORLDBOOK_SETTINGS_DEFAULTS, scanDepth: depth }
  const times: number[] = []
  let fired = 0
  let sweeps = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = worked()
    const result = evaluate(
      {
        books: [book],
        messages,
        settings,
        timers: NO_TIMERS,
        seed: 'bench',
        countTokens: countWords,
        window: 1_000_000,
        forced: [],
        trigger: 'normal',
      },
      runPatterns,
    )
    times.push(worked() - started)
    fired = result.fired.length
    sweeps = result.sweeps
  }
  return { millis: median(times), fastest: Math.min(...times), fired, sweeps }
}

it('memory of a large book', () => {
  const random = randomFrom(3)
  const vocabulary = makeVocabulary(4000, random)
  const start = memory()
  const source = makeBook(50_000, vocabulary, random, 'sparse')
  const withSource = memory()
  const book = compileBook(source)
  const withIndex = memory()
  console.table([
    {
      entries: book.plans.length,
      'MB of the book': megabytes(withSource - start),
      'MB of its index': megabytes(withIndex - withSource),
      'automaton cells': book.automaton.cells.length / CELL.size,
    },
  ])
  expect(book.plans).toHaveLength(source.entries.length)
})

it.each(['sparse', 'dense'] as const)('scan time against entry count: a %s book', (kind) => {
  const rows = SIZES.map((size) => {
    const random = randomFrom(7)
    const vocabulary = makeVocabulary(4000, random)
    const texts = Array.from({ length: MESSAGES }, () => makeText(WORDS, vocabulary, random))
    const source = makeBook(size, vocabulary, random, kind)
    const started = worked()
    const book = compileBook(source)
    const built = worked() - started
    const shallow = timeScan(book, texts, 2)
    const deep = timeScan(book, texts, MESSAGES)
    return {
      entries: size,
      'build ms': Math.round(built),
      'scan ms, depth 2': Number(shallow.millis.toFixed(1)),
      'fastest, depth 2': Number(shallow.fastest.toFixed(1)),
      'fired, depth 2': shallow.fired,
      'scan ms, depth 100': Number(deep.millis.toFixed(1)),
      'fastest, depth 100': Number(deep.fastest.toFixed(1)),
      'fired, depth 100': deep.fired,
      sweeps: deep.sweeps,
    }
  })
  console.table(rows)
  expect(rows.every((row) => row['fired, depth 100'] > 0)).toBe(true)
})

it('scan time against text', () => {
  const random = randomFrom(11)
  const vocabulary = makeVocabulary(4000, random)
  const book = compileBook(makeBook(5000, vocabulary, random, 'sparse'))
  const rows = [25, 50, 100, 200, 400].map((count) => {
    const texts = Array.from({ length: count }, () => makeText(WORDS, vocabulary, random))
    const { millis, fired } = timeScan(book, texts, count)
    return { messages: count, 'scan ms': Number(millis.toFixed(1)), fired }
  })
  console.table(rows)
  expect(rows.length).toBe(5)
})
