import { Thread } from '../../ipc/thread'
import type { Automaton } from './engine/build-automaton'
import type { PatternReply, PatternRequest } from './engine/run-patterns'
import type { ScanAnswer, ScanTask } from './scan-task'
import bundled from './scan-worker?modulePath'

/** A thread that answers nothing this long after its own deadline is given up. Covers its start on a busy machine. */
const GRACE_MILLIS = 5000

/** Threads for what would block: building automatons, and patterns that may never end. */
export interface Scanner {
  build(terms: readonly string[]): Promise<Automaton>
  runPatterns(request: PatternRequest): Promise<PatternReply>
  close(): Promise<void>
}

const newThread = () =>
  new Thread<ScanTask, ScanAnswer>({
    bundled,
    source: new URL('./scan-worker.ts', import.meta.url),
    room: 'worldbook-scan',
  })

const allLate = (request: PatternRequest): PatternReply => ({
  results: request.tests.map(() => ({ hits: [], timedOut: true })),
  usedMillis: request.totalMillis,
})

export function createScanner(): Scanner {
  const builder = newThread()
  const matcher = newThread()
  return {
    async build(terms) {
      const answer = await builder.ask({ do: 'build', terms: terms.join('\u0000') })
      if (answer.kind !== 'build') throw new Error('The worldbook scan thread answered something else.')
      return answer.automaton
    },
    async runPatterns(request) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<PatternReply>((resolve) => {
        timer = setTimeout(() => {
          resolve(allLate(request))
          void matcher.stop()
        }, request.totalMillis + GRACE_MILLIS)
      })
      const asked = matcher
        .ask({ do: 'patterns', request })
        .then((answer) => (answer.kind === 'patterns' ? answer.reply : allLate(request)))
        // A thread that dies on a pattern (out of memory) is a pattern that did not finish.
        .catch(() => allLate(request))
      try {
        return await Promise.race([asked, late])
      } finally {
        clearTimeout(timer)
      }
    },
    async close() {
      await Promise.all([builder.stop(), matcher.stop()])
    },
  }
}
