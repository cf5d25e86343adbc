import { type Automaton, buildAutomaton } from './engine/build-automaton'
import { type PatternReply, type PatternRequest, runPatterns } from './engine/run-patterns'

/** What would block: building automatons, and patterns that may never end. Terms are joined by NUL. */
export type ScanTask = { do: 'build'; terms: string } | { do: 'patterns'; request: PatternRequest }
export type ScanAnswer = { kind: 'build'; automaton: Automaton } | { kind: 'patterns'; reply: PatternReply }

export function runScanTask(task: ScanTask): ScanAnswer {
  if (task.do === 'patterns') return { kind: 'patterns', reply: runPatterns(task.request) }
  return { kind: 'build', automaton: buildAutomaton(task.terms === '' ? [] : task.terms.split('\u0000')) }
}
