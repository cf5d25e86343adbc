import type { ContextUsage } from '../context/contract'
import { AppError } from '../ipc/app-error'
import { asMessage, type Said, said, saidTogether } from '../ipc/said-contract'
import { needsOf } from '../models/target-rules'
import type { MessagePart } from '../sessions/contract'
import type { AnswerWriter, ToolPart } from './answer-writer'
import type { Collected } from './compose'
import type { ReportedUsage } from './contract'
import { begunReply } from './kept-rounds'
import { askLearning } from './learn-from-refusals'
import { type CallEnd, callModel, isStated } from './model-call'
import type { ModelTarget, TurnDeps } from './ports'
import { composeFitting } from './raise-window'
import { roundsOf } from './record-repository'
import { createSeam, type Seam } from './seam'
import type { TurnPlan } from './turn-plan'

/** Arguments of one tool that do not fit, in this many rounds in a row, end the turn. */
const MOST_BAD_ARGUMENTS = 3

const OPEN: ReadonlySet<string> = new Set(['waiting', 'queued', 'running'])

export const isOpenCall = (part: MessagePart): part is ToolPart =>
  part.type === 'tool' && (OPEN.has(part.state) || (part.state === 'interrupted' && part.result === undefined))

/** Begun in an earlier run of the app that did not see its end. */
const mayHaveRun = ({ state }: ToolPart): boolean => state === 'running' || state === 'interrupted'

/** A turn under way: what was gathered for it, and what its rounds add up to. */
export interface Run {
  plan: TurnPlan
  writer: AnswerWriter
  signal: AbortSignal
  collected: Collected
  target: ModelTarget
  /** Token sums over the rounds. */
  spent: ReportedUsage
  toldTruncated?: boolean
  /** Rounds in a row in which a tool got arguments that do not fit, by its name. */
  badRounds: Map<string, number>
}

/** Model and tools in turn until the model asks for no more of them. Never rejects for a model's or tool's failure. */
export async function runRounds(deps: TurnDeps, run: Run): Promise<CallEnd> {
  const { plan, writer, signal } = run
  const mostRounds = run.collected.turn.settings.tools.maxRounds
  let round = roundsOf(deps.store.databaseOf(plan.session.id), plan.reply.id)
  await runCalls(deps, run, writer.parts.filter(isOpenCall))
  if (writer.parts.at(-1)?.type === 'tool') {
    writer.addRound(writer.parts.filter((part) => part.type === 'round').length + 1)
  }
  for (let loop = 1; ; loop += 1) {
    round += 1
    const end = await callWithLearning(deps, run, round)
    if (end.reported) addUsage(run.spent, end.reported)
    if (end.error || end.stopped || end.calls.length === 0) return end
    await runCalls(deps, run, end.calls)
    if (signal.aborted) return { ...end, stopped: true }
    if ([...run.badRounds.values()].some((rounds) => rounds >= MOST_BAD_ARGUMENTS)) {
      const message = said`The model gave arguments that do not fit the tool ${MOST_BAD_ARGUMENTS} times in a row. Try another model, or switch the tool off for this chat.`
      return { ...end, error: new AppError('tool.failed', message), retryable: true }
    }
    if (loop >= mostRounds) {
      notice(
        deps,
        run,
        'max_rounds',
        said`Stopped after ${mostRounds} rounds of tool calls. Press Continue to go on, or raise the limit in Settings.`,
      )
      return { ...end, finishReason: 'max_rounds' }
    }
    writer.addRound(round)
  }
}

/** A refusal that teaches how the server wants its requests is answered with a changed one, in the same turn. */
function callWithLearning(deps: TurnDeps, run: Run, round: number): Promise<CallEnd> {
  return askLearning(
    deps.models,
    run.target,
    () => callOnce(deps, run, round),
    ({ target, what }) => {
      const lostTools = run.target.model.capabilities.tools && !target.model.capabilities.tools
      run.target = target
      if (lostTools) {
        const absent = { block: 'tools', reason: 'off', detail: 'This model calls no tools.' } as const
        run.collected = { ...run.collected, tools: { tools: [], withheld: false, absent } }
      }
      notice(deps, run, lostTools ? 'model_without_tools' : 'profile_learned', what)
    },
  )
}

async function callOnce(deps: TurnDeps, run: Run, round: number): Promise<CallEnd> {
  const { plan, writer, signal } = run
  const grown = writer.parts.length > 0
  const { composed, raisedTo, collected, target } = await composeFitting(
    run.collected,
    run.target,
    grown ? [...plan.branch, begunReply(plan.reply, writer.parts)] : undefined,
  )
  if (raisedTo !== undefined) {
    Object.assign(run, { collected, target })
    deps.models.learnFacts(target.model.id, { contextWindow: raisedTo, windowFrom: 'app' })
    notice(
      deps,
      run,
      'window_raised',
      said`This request needs more room than before, so ${target.model.name} runs with a window of ${raisedTo} tokens from now on. It takes more memory; Models sets another window.`,
    )
  }
  deps.log.debug(snapshot(plan.turnId, round, composed.usage), 'context_usage_snapshot')
  const end = await callModel(deps, {
    turnId: plan.turnId,
    sessionId: plan.session.id,
    messageId: plan.reply.id,
    round,
    collected,
    composed,
    target,
    writer,
    signal,
    ...seamOf(run),
  })
  tellTruncated(deps, run, end)
  return end
}

/** Once a turn: every later round would say the same. */
function tellTruncated(deps: TurnDeps, run: Run, { usage }: CallEnd): void {
  const { truncatedByServer: cut, window = 0 } = usage
  if (!cut || run.toldTruncated) return
  run.toldTruncated = true
  const { windowSource } = run.target.model
  const numbers = said`${cut.sent} tokens were sent and the server reports ${cut.reported} as read: it may have cut off the beginning.`
  notice(
    deps,
    run,
    'maybe_truncated',
    isStated(windowSource)
      ? saidTogether([numbers, said`The window stays at ${window} tokens. Models sets a smaller one.`])
      : numbers,
  )
}

/** Set where the answer's own text is gone on with. */
function seamOf({ plan, writer, target }: Run): { seam?: Seam } {
  const last = writer.parts.at(-1)
  if (plan.trigger !== 'continue' || last?.type !== 'text') return {}
  return { seam: createSeam(last.text, !needsOf(target).prefill) }
}

/** Totals and the biggest contributors by id: never any text. */
function snapshot(turnId: string, round: number, usage: ContextUsage): Record<string, unknown> {
  const { used, budget, over, quality } = usage
  const segments = usage.segments.map(({ segment, tokens, top }) => ({
    segment,
    tokens,
    top: top.map((entry) => ({ sourceId: entry.sourceId, tokens: entry.tokens })),
  }))
  return { turnId, round, used, budget, over, quality, segments }
}

/** Calls of one round run side by side; approvals queue behind one another in the gate. */
async function runCalls(deps: TurnDeps, run: Run, calls: readonly ToolPart[]): Promise<void> {
  const { plan, writer, signal } = run
  const results = await Promise.all(
    calls.map(async (part) => {
      const result = await deps.tools.run(
        {
          turnId: plan.turnId,
          sessionId: plan.session.id,
          messageId: plan.reply.id,
          callId: part.callId,
          name: part.name,
          toolId: part.toolId,
          arguments: part.arguments,
          ...(mayHaveRun(part) && { interrupted: true }),
        },
        signal,
        {
          state: (state) => writer.setToolState(part, state),
          progress: (text) => writer.tellProgress(part, text),
          asks: (isAsking) => writer.tellAsking(part, isAsking),
        },
      )
      writer.finishCall(part, result)
      return { name: part.name, bad: result.badArguments === true }
    }),
  )
  for (const name of new Set(results.map((result) => result.name))) {
    const allBad = results.every((result) => result.name !== name || result.bad)
    run.badRounds.set(name, allBad ? (run.badRounds.get(name) ?? 0) + 1 : 0)
  }
}

function addUsage(sum: ReportedUsage, more: ReportedUsage): void {
  sum.inputTokens += more.inputTokens
  sum.cachedInputTokens += more.cachedInputTokens
  sum.outputTokens += more.outputTokens
  sum.reasoningTokens += more.reasoningTokens
}

function notice(deps: TurnDeps, run: Run, code: string, message: Said): void {
  deps.emit('turn.notice', { turnId: run.plan.turnId, messageId: run.plan.reply.id, code, ...asMessage(message) })
}
