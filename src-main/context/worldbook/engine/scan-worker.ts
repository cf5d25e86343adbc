import { Script } from 'node:vm'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'

// Runs on a thread of its own in the app and directly in tests, and is loaded as a bare file by both. So it imports
// nothing of this project at run time.

/**
 * An Aho–Corasick automaton as it is scanned. What one step of a scan asks of a node stands side by side, since a scan
 * of a large book spends its time waiting for memory: four numbers a node, by the names of NODE.
 */
export interface Automaton {
  nodes: Int32Array
  /** UTF-16 unit on the edge into the node. */
  unit: Uint16Array
  /** Child of the root by unit, or 0. */
  root: Int32Array
}

/**
 * start: first child; the children of node n are the nodes up to start of n + 1, sorted by their unit. fail: node of the
 * longest proper suffix. output: the node itself or the nearest on its fail path where a term ends, or 0. term: index of
 * the term that ends here, or −1.
 */
export const NODE = { start: 0, fail: 1, output: 2, term: 3, size: 4 } as const

/** Nodes are numbered breadth first from the root 0. */
interface Trie {
  childStart: Int32Array
  /** UTF-16 unit on the edge into the node. */
  unit: Uint16Array
  /** Node of the longest proper suffix. */
  fail: Int32Array
  /** Index of the term that ends here, or −1. */
  term: Int32Array
  /** Nearest node on the fail path where a term ends, or 0. */
  suffix: Int32Array
  /** Child of the root by unit, or 0. */
  root: Int32Array
}

export interface PatternTest {
  source: string
  flags: string
  /** Indexes into `texts`; each is tried alone. */
  texts: number[]
  /** Indexes of texts also tried as one, each led by U+0001, with line feeds between. */
  joined: number[]
}

export interface PatternRequest {
  texts: string[]
  tests: PatternTest[]
  keyMillis: number
  totalMillis: number
}

/** `hits`: the first match of each text that has one; the span is within that text. */
export interface PatternResult {
  hits: { text: number; start: number; end: number }[]
  timedOut: boolean
}

export interface PatternReply {
  results: PatternResult[]
  usedMillis: number
}

/** The child of `node` along `edge`, or 0. */
function findChild(childStart: Int32Array, unit: Uint16Array, node: number, edge: number): number {
  let low = childStart[node] as number
  let high = childStart[node + 1] as number
  while (low < high) {
    const middle = (low + high) >>> 1
    const found = unit[middle] as number
    if (found === edge) return middle
    if (found < edge) low = middle + 1
    else high = middle
  }
  return 0
}

function link(trie: Trie, count: number): void {
  const { childStart, unit, fail, term, suffix, root } = trie
  for (let node = 0; node < count; node += 1) {
    const end = childStart[node + 1] as number
    for (let child = childStart[node] as number; child < end; child += 1) {
      const edge = unit[child] as number
      let target = 0
      if (node === 0) root[edge] = child
      else {
        let from = fail[node] as number
        target = from === 0 ? (root[edge] as number) : findChild(childStart, unit, from, edge)
        while (target === 0 && from !== 0) {
          from = fail[from] as number
          target = from === 0 ? (root[edge] as number) : findChild(childStart, unit, from, edge)
        }
      }
      fail[child] = target
      suffix[child] = (term[target] as number) >= 0 ? target : (suffix[target] as number)
    }
  }
}

function sideBySide({ childStart, fail, term, suffix }: Trie, count: number): Int32Array {
  const nodes = new Int32Array((count + 1) * NODE.size)
  for (let node = 0; node < count; node += 1) {
    const at = node * NODE.size
    nodes[at + NODE.start] = childStart[node] as number
    nodes[at + NODE.fail] = fail[node] as number
    nodes[at + NODE.output] = (term[node] as number) >= 0 ? node : (suffix[node] as number)
    nodes[at + NODE.term] = term[node] as number
  }
  nodes[count * NODE.size + NODE.start] = childStart[count] as number
  return nodes
}

/** Terms are distinct, non-empty and folded. Time and memory grow with their characters. */
export function buildAutomaton(terms: readonly string[]): Automaton {
  const order = [...terms.keys()].sort((a, b) => ((terms[a] as string) < (terms[b] as string) ? -1 : 1))
  const capacity = terms.reduce((sum, term) => sum + term.length, 1)
  const childStart = new Int32Array(capacity + 1)
  const unit = new Uint16Array(capacity)
  const term = new Int32Array(capacity).fill(-1)
  let count = 1
  let ranges = [0, order.length]
  for (let depth = 0, first = 0; first < count; depth += 1) {
    const last = count
    const next: number[] = []
    for (let node = first; node < last; node += 1) {
      let low = ranges[(node - first) * 2] as number
      const high = ranges[(node - first) * 2 + 1] as number
      if (low < high && (terms[order[low] as number] as string).length === depth) {
        term[node] = order[low] as number
        low += 1
      }
      childStart[node] = count
      while (low < high) {
        const edge = (terms[order[low] as number] as string).charCodeAt(depth)
        let end = low + 1
        while (end < high && (terms[order[end] as number] as string).charCodeAt(depth) === edge) end += 1
        unit[count] = edge
        next.push(low, end)
        count += 1
        low = end
      }
    }
    first = last
    ranges = next
  }
  childStart[count] = count
  const root = new Int32Array(0x1_00_00)
  const trie: Trie = { childStart, unit, term, root, fail: new Int32Array(count), suffix: new Int32Array(count) }
  link(trie, count)
  return { nodes: sideBySide(trie, count), unit: unit.slice(0, count), root }
}

/** Compiled patterns by flags and source; dropped all at once when there are very many. */
const compiled = new Map<string, RegExp>()
const MOST_COMPILED = 20_000

function patternOf({ source, flags }: PatternTest): RegExp {
  const name = `${flags}/${source}`
  let pattern = compiled.get(name)
  if (!pattern) {
    if (compiled.size >= MOST_COMPILED) compiled.clear()
    pattern = new RegExp(source, flags)
    compiled.set(name, pattern)
  }
  return pattern
}

function testOne(request: PatternRequest, test: PatternTest): PatternResult {
  const pattern = patternOf(test)
  const hits: PatternResult['hits'] = []
  for (const index of test.texts) {
    pattern.lastIndex = 0
    const match = pattern.exec(request.texts[index] as string)
    if (match) hits.push({ text: index, start: match.index, end: match.index + match[0].length })
  }
  if (hits.length > 0 || test.joined.length === 0) return { hits, timedOut: false }
  pattern.lastIndex = 0
  const match = pattern.exec(test.joined.map((index) => `\u0001${request.texts[index] as string}`).join('\n'))
  if (!match) return { hits, timedOut: false }
  // Booked on the oldest text the match touches: an entry that sees less far back does not see the match.
  const end = match.index + match[0].length
  let start = 0
  for (const index of test.joined) {
    const length = (request.texts[index] as string).length
    if (end <= start + length + 2) {
      const from = Math.max(0, match.index - start - 1)
      return {
        hits: [{ text: index, start: from, end: Math.min(Math.max(from, end - start - 1), length) }],
        timedOut: false,
      }
    }
    start += length + 2
  }
  return { hits, timedOut: false }
}

const ENTRY_POINT = '__worldbookPatterns'
const script = new Script(`globalThis.${ENTRY_POINT}()`)

/** Milliseconds this thread has worked; on a busy machine far fewer than have passed. */
function workedMillis(): number {
  // Electron's Node may be older than the call.
  const { user, system } = process.threadCpuUsage?.() ?? { user: performance.now() * 1000, system: 0 }
  return (user + system) / 1000
}

/** A key that was interrupted without having had its time is tried again this often, with twice the wait each time. */
const MOST_RETRIES = 3

/**
 * Runs patterns under deadlines: V8 interrupts a backtracking pattern when the script's time is over. Many quick keys
 * share one script; a key interrupted behind others is tried again with the whole of its own time.
 */
export function runPatterns(request: PatternRequest): PatternReply {
  const results: PatternResult[] = []
  const scope = globalThis as unknown as Record<string, () => void>
  let used = 0
  let retries = 0
  while (results.length < request.tests.length && used < request.totalMillis) {
    const first = results.length
    const started = workedMillis()
    const allowed = Math.max(1, Math.ceil(Math.min(request.keyMillis, request.totalMillis - used)))
    scope[ENTRY_POINT] = () => {
      while (results.length < request.tests.length) {
        results.push(testOne(request, request.tests[results.length] as PatternTest))
      }
    }
    try {
      script.runInThisContext({ timeout: allowed * 2 ** retries })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      const starved = workedMillis() - started < allowed / 2
      if (results.length > first) retries = 0
      else if (starved && retries < MOST_RETRIES) retries += 1
      else {
        results.push({ hits: [], timedOut: true })
        retries = 0
      }
    }
    used += workedMillis() - started
  }
  while (results.length < request.tests.length) results.push({ hits: [], timedOut: true })
  return { results, usedMillis: used }
}

export type ScanTask = { id: number } & (
  | { kind: 'build'; terms: string }
  | { kind: 'patterns'; request: PatternRequest }
)
export type ScanAnswer = { id: number } & (
  | { kind: 'build'; automaton: Automaton }
  | { kind: 'patterns'; reply: PatternReply }
)

export const WORKER_ROOM = 'worldbook-scan'

if (!isMainThread && (workerData as { room?: string } | null)?.room === WORKER_ROOM) {
  parentPort?.on('message', (task: ScanTask) => {
    if (task.kind === 'patterns') {
      parentPort?.postMessage({ id: task.id, kind: 'patterns', reply: runPatterns(task.request) } satisfies ScanAnswer)
      return
    }
    const automaton = buildAutomaton(task.terms === '' ? [] : task.terms.split('\u0000'))
    const answer: ScanAnswer = { id: task.id, kind: 'build', automaton }
    parentPort?.postMessage(
      answer,
      Object.values(automaton).map((table: Int32Array | Uint16Array) => table.buffer as ArrayBuffer),
    )
  })
}
