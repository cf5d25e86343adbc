import { saidBy } from '../ipc/app-error'
import { asDetail, type Said, said } from '../ipc/said-contract'
import type { BlockSource, TurnInput } from './block-source'
import { type AbsentCode, BLOCKS, type Block, type ContextBlock } from './contract'

/** Passed in so that tests need no waiting. */
export interface ClockTimers {
  set(run: () => void, ms: number): unknown
  clear(timer: unknown): void
}

const systemTimers: ClockTimers = {
  set: (run, ms) => setTimeout(run, ms),
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout),
}

/** What an isolated session is never given. Tools and their traffic are withheld where they are listed and expanded. */
const WITHHELD: readonly Block[] = ['time', 'memory', 'recent_conversation_memory', 'user_profile_memory']

export function absentBlock(block: Block, reason: AbsentCode, detail?: Said): ContextBlock {
  return { block, items: [], absent: { block, reason, ...asDetail(detail) }, rejected: [], ownText: false }
}

/** Why a room is not even asked. The one place where isolation and the what-if switches meet the rooms. */
function withheldReason(block: Block, turn: TurnInput): AbsentCode | undefined {
  if (turn.overrides.blocksOff?.includes(block)) return 'what_if'
  if (!turn.isolated || !WITHHELD.includes(block)) return undefined
  return block === 'time' && turn.settings.isolation.sendTime ? undefined : 'isolated'
}

/**
 * What a source says, or `absent` where it takes longer than `timeoutMs` or fails, early or late: both are expected
 * outcomes, and the turn goes on and says why. Never rejects; a late answer is ignored.
 */
export async function answerInTime<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  absent: (reason: 'timed_out' | 'failed', detail: Said) => T,
  timeoutMs: number,
  timers: ClockTimers = systemTimers,
): Promise<T> {
  const abort = new AbortController()
  let timer: unknown
  const late = new Promise<T>((resolve) => {
    timer = timers.set(() => {
      resolve(absent('timed_out', said`No answer within ${timeoutMs / 1000} s.`))
      abort.abort()
    }, timeoutMs)
  })
  const answer = (async () => ask(abort.signal))().catch((error: unknown) => absent('failed', saidBy(error)))
  try {
    return await Promise.race([answer, late])
  } finally {
    timers.clear(timer)
  }
}

/**
 * Asks all rooms at once. One block each, in the order of BLOCKS: a late room is absent as `timed_out`, a throwing one
 * as `failed`, a withheld one as `isolated` or `what_if`, one nobody serves as `not_set_up`. Never rejects.
 */
export async function collectBlocks(
  sources: readonly BlockSource[],
  turn: TurnInput,
  timeoutMs: number,
  timers: ClockTimers = systemTimers,
): Promise<ContextBlock[]> {
  const byBlock = new Map(sources.map((source) => [source.block, source]))
  return Promise.all(
    BLOCKS.map((block) => {
      const reason = withheldReason(block, turn)
      if (reason) return absentBlock(block, reason)
      const source = byBlock.get(block)
      if (!source) return absentBlock(block, 'not_set_up')
      const absent = (code: AbsentCode, detail: Said) => absentBlock(block, code, detail)
      return answerInTime((signal) => source.collect(turn, signal), absent, timeoutMs, timers)
    }),
  )
}
