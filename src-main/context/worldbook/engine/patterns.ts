import { asMessage, said } from '../../../ipc/said-contract'
import type { CompiledBook } from './compile'
import { addPatternHit, type BookScan } from './hits'
import type { Piece } from './pieces'
import { depthOf, type Run, readsTexts, refOf } from './run'
import type { PatternTest } from './run-patterns'
import type { Steps } from './steps'

/** Deadlines of the specification: one key, one evaluation. */
export const KEY_MILLIS = 50
export const SCAN_MILLIS = 250

interface Owner {
  scan: BookScan
  pattern: number
}

interface Batch {
  texts: Map<Piece, number>
  tests: PatternTest[]
  owners: Owner[]
}

function place(batch: Batch, piece: Piece): number {
  const known = batch.texts.get(piece)
  if (known !== undefined) return known
  batch.texts.set(piece, batch.texts.size)
  return batch.texts.size - 1
}

/** How far back the entries that could still fire want the pattern tried; −1 = none of them is open. */
function depthWanted(run: Run, scan: BookScan, pattern: CompiledBook['patterns'][number]): number {
  let depth = -1
  for (const index of pattern.entries) {
    const plan = scan.book.plans[index]
    if (plan?.entry.enabled && run.settled[scan.offset + index] === 0) depth = Math.max(depth, depthOf(run, scan, plan))
  }
  return depth
}

/** U+0001 leads every text in the joined form; a pattern that names it is meant for that form. */
const namesTextStart = (source: string) => ['\\x01', '\\u0001', '\u0001'].some((name) => source.includes(name))

function addTest(run: Run, batch: Batch, scan: BookScan, index: number): void {
  const pattern = scan.book.patterns[index]
  const depth = pattern ? depthWanted(run, scan, pattern) : -1
  if (!pattern || depth < 0 || scan.timedOut.has(index)) return
  const name = `${scan.offset}/${index}`
  const done = run.patternProgress.get(name) ?? { messages: 0, topic: false, texts: 0 }
  const messages = run.messages.slice(done.messages, depth)
  const topic = run.topic && !done.topic && scan.book.settings.scanTopicPrompt ? [run.topic] : []
  const reads = run.kind !== 'min-activations' && readsTexts(run, scan)
  const texts = reads ? run.texts.slice(done.texts) : []
  const fresh = [...messages, ...topic, ...texts]
  if (fresh.length === 0) return
  const spans = messages.length > 0 && (depth > 1 || namesTextStart(pattern.source))
  batch.tests.push({
    source: pattern.source,
    flags: pattern.flags,
    texts: fresh.map((piece) => place(batch, piece)),
    joined: spans ? run.messages.slice(0, depth).map((piece) => place(batch, piece)) : [],
  })
  batch.owners.push({ scan, pattern: index })
  run.patternProgress.set(name, {
    messages: Math.max(done.messages, Math.min(depth, run.messages.length)),
    topic: done.topic || topic.length > 0,
    texts: reads ? run.texts.length : done.texts,
  })
}

function reportLate(run: Run, { scan, pattern }: Owner): void {
  scan.timedOut.add(pattern)
  const { source, flags, entries } = scan.book.patterns[pattern] ?? { source: '', flags: '', entries: [] }
  for (const index of entries) {
    const plan = scan.book.plans[index]
    if (!plan?.entry.enabled) continue
    run.touched[scan.offset + index] = 1
    const { worldbookId, entryId } = refOf(scan, plan)
    const message = said`The pattern /${source}/${flags} ran out of time and counts as not found. Make it simpler.`
    run.warnings.push({ worldbookId, entryId, code: 'pattern_timeout', ...asMessage(message) })
  }
}

/** Tries all patterns on the texts they have not seen; yields the request and resumes with the reply. */
export function* askPatterns(run: Run): Steps<void> {
  const batch: Batch = { texts: new Map(), tests: [], owners: [] }
  for (const scan of run.scans) {
    for (let index = 0; index < scan.book.patterns.length; index += 1) addTest(run, batch, scan, index)
  }
  if (batch.tests.length === 0) return
  const pieces = [...batch.texts.keys()]
  const reply = yield {
    texts: pieces.map((piece) => piece.text),
    tests: batch.tests,
    keyMillis: KEY_MILLIS,
    totalMillis: Math.max(0, run.patternMillis),
  }
  run.patternMillis -= reply.usedMillis
  for (const [index, result] of reply.results.entries()) {
    const owner = batch.owners[index]
    if (!owner) continue
    if (result.timedOut) reportLate(run, owner)
    for (const { text, start, end } of result.hits) {
      const piece = pieces[text]
      if (!piece) continue
      addPatternHit(owner.scan, owner.pattern, { piece, start, end }, (number) => {
        run.touched[number] = 1
        run.dirty.add(number)
      })
    }
  }
}
