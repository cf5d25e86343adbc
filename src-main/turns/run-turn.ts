import type { TurnTrigger } from '../context/block-source'
import type { ContextUsage, Overrides } from '../context/contract'
import { AppError } from '../ipc/app-error'
import type { Message, MessagePart, Session } from '../sessions/contract'
import { storageError } from '../storage/storage-error'
import { AnswerWriter, type ToolPart } from './answer-writer'
import { type Collected, collectTurn, composeRound } from './compose'
import type { ReportedUsage } from './contract'
import { type CallEnd, callModel } from './model-call'
import type { ModelTarget, TurnDeps } from './ports'
import { roundsOf } from './record-repository'
import { freezeTurn } from './turn-input'

/** Everything decided before the first await: what `turns.send` and its siblings hand over. */
export interface TurnPlan {
  turnId: string
  trigger: TurnTrigger
  session: Session
  /** The branch up to the newest user message. */
  branch: readonly Message[]
  reply: Message
  /** Parts the answer already has: a continued answer, or finished tool calls of a failed one. */
  begun: readonly MessagePart[]
  userMessageId: string | undefined
  overrides: Overrides
  seed: number
  chooseTarget: () => Promise<ModelTarget>
}

/** Arguments of one tool that do not fit, in this many rounds in a row, end the turn. */
const MOST_BAD_ARGUMENTS = 3

const FINISHED: ReadonlySet<string> = new Set(['completed', 'failed', 'rejected', 'timed_out', 'stopped'])

const isOpenCall = (part: MessagePart): part is ToolPart => part.type === 'tool' && !FINISHED.has(part.state)

interface Run {
  plan: TurnPlan
  writer: AnswerWriter
  signal: AbortSignal
  collected: Collected
  target: ModelTarget
  /** Token sums over the rounds. */
  spent: ReportedUsage
  /** Rounds in a row in which a tool got arguments that do not fit, by its name. */
  badRounds: Map<string, number>
}

/**
 * The whole life of an answer, from freezing the turn to its last state. Never rejects. What it resolves with tells the
 * world how it ended, to be called once the turn counts as over: whoever hears it may send the next message.
 */
export async function runTurn(deps: TurnDeps, plan: TurnPlan, signal: AbortSignal): Promise<() => void> {
  const { turnId, reply, session } = plan
  const writer = new AnswerWriter(
    {
      turnId,
      messageId: reply.id,
      emit: deps.emit,
      clock: deps.clock,
      save: (patch) => deps.store.updateMessage(reply.id, patch),
    },
    plan.begun,
  )
  deps.emit('turn.started', {
    turnId,
    sessionId: session.id,
    messageId: reply.id,
    ...(plan.userMessageId === undefined ? {} : { userMessageId: plan.userMessageId }),
  })
  try {
    const target = await plan.chooseTarget()
    const collected = await beginTurn(deps, plan, target)
    const spent = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 }
    const run: Run = { plan, writer, signal, collected, target, spent, badRounds: new Map() }
    const end = await runRounds(deps, run)
    return finish(deps, run, end)
  } catch (error) {
    return fail(deps, plan, writer, error)
  } finally {
    deps.tools.endTurn(turnId)
  }
}

/** Freezes, stores what was frozen, gathers, and lets the rooms write what only a sent turn may write. */
async function beginTurn(deps: TurnDeps, plan: TurnPlan, target: ModelTarget): Promise<Collected> {
  const { session, reply, turnId } = plan
  const turn = freezeTurn(deps, {
    purpose: 'send',
    trigger: plan.trigger,
    session,
    branch: plan.branch,
    modelId: target.model.id,
    model: target.model,
    overrides: plan.overrides,
    seed: plan.seed,
  })
  const { branch: _branch, counter: _counter, draft: _draft, ...frozen } = turn
  deps.store
    .databaseOf(session.id)
    .prepare('INSERT INTO turn VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
    .run(
      turnId,
      session.id,
      plan.userMessageId ?? null,
      reply.id,
      plan.trigger,
      target.model.id,
      plan.seed,
      turn.now.iso,
      JSON.stringify(frozen),
    )
  deps.store.updateMessage(reply.id, { modelId: target.model.id, turnId })
  const collected = await collectTurn(deps, turn, target, turnId)
  const sent = { turnId, userMessageId: plan.userMessageId ?? '', replyMessageId: reply.id }
  for (const block of collected.blocks) block.commit?.(sent)
  return collected
}

async function runRounds(deps: TurnDeps, run: Run): Promise<CallEnd> {
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
      const message = `The model gave arguments that do not fit the tool ${MOST_BAD_ARGUMENTS} times in a row. Try another model, or switch the tool off for this chat.`
      return { ...end, error: new AppError('tool.failed', message), retryable: true }
    }
    if (loop >= mostRounds) {
      notice(
        deps,
        run,
        'max_rounds',
        `Stopped after ${mostRounds} rounds of tool calls. Press Continue to go on, or raise the limit in Settings.`,
      )
      return { ...end, finishReason: 'max_rounds' }
    }
    writer.addRound(round)
  }
}

/** A refusal that teaches how the server wants its messages is tried again once, with what was learned. */
async function callWithLearning(deps: TurnDeps, run: Run, round: number): Promise<CallEnd> {
  const first = await callOnce(deps, run, round)
  if (!first.error || first.spoke || run.signal.aborted) return first
  if (refusesTools(first.error) && run.collected.tools.tools.length > 0) {
    deps.models.learnFacts(run.target.model.id, { capabilities: { tools: false } })
    const absent = { block: 'tools', reason: 'off', detail: 'This model calls no tools.' } as const
    run.collected = { ...run.collected, tools: { tools: [], withheld: false, absent } }
    notice(
      deps,
      run,
      'model_without_tools',
      'This model calls no tools, so they are left out from now on. Models → Tools switches them on again.',
    )
    return callOnce(deps, run, round)
  }
  const learned = deps.models.learn(run.target, first.error)
  if (!learned) return first
  run.target = learned.target
  notice(deps, run, 'profile_learned', learned.what)
  return callOnce(deps, run, round)
}

/** Servers say it in many words; all of them name tools or functions and a lack of support. */
function refusesTools(error: AppError): boolean {
  const { details } = error
  const text =
    typeof details === 'object' && details !== null && 'serverText' in details ? String(details.serverText) : ''
  return /(tools?|function[ _-]?call\w*|functions?)\b.{0,60}(not|n't|un)[ -]?(supported|available|allowed)|(not|n't) support\w*\b.{0,40}(tool|function)/i.test(
    text,
  )
}

async function callOnce(deps: TurnDeps, run: Run, round: number): Promise<CallEnd> {
  const { plan, collected, target, writer, signal } = run
  const grown = writer.parts.length > 0
  const reply: Message = { ...plan.reply, parts: writer.parts, text: writer.text, state: 'streaming' }
  const composed = await composeRound(collected, target, grown ? [...plan.branch, reply] : undefined)
  deps.log.debug(snapshot(plan.turnId, round, composed.usage), 'context_usage_snapshot')
  return callModel(deps, {
    turnId: plan.turnId,
    sessionId: plan.session.id,
    messageId: plan.reply.id,
    round,
    collected,
    composed,
    target,
    writer,
    signal,
  })
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
          arguments: part.arguments,
        },
        signal,
        { state: (state) => writer.setToolState(part, state), progress: (text) => writer.tellProgress(part, text) },
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

function notice(deps: TurnDeps, run: Run, code: string, message: string): void {
  deps.emit('turn.notice', { turnId: run.plan.turnId, messageId: run.plan.reply.id, code, message })
}

/** Calls left open when a person stops are closed as stopped, so that no later request carries a dangling call. */
function closeOpenCalls(writer: AnswerWriter): void {
  for (const part of writer.parts) if (isOpenCall(part)) part.state = 'stopped'
}

function finish(deps: TurnDeps, run: Run, end: CallEnd): () => void {
  const { plan, writer, spent } = run
  const { turnId, reply } = plan
  const usage = spent.inputTokens + spent.outputTokens > 0 ? { usage: spent } : {}
  const done = { turnId, messageId: reply.id, usage: end.usage }
  if (end.stopped) {
    closeOpenCalls(writer)
    writer.close('stopped', { ...usage, finishReason: 'stopped', error: null })
    return () => deps.emit('turn.done', done)
  }
  if (end.error) {
    const { code, message } = end.error
    const { retryable } = end
    writer.close('failed', { ...usage, error: { code, message, retryable } })
    return () => deps.emit('turn.failed', { turnId, messageId: reply.id, code, message, retryable })
  }
  writer.close('complete', { ...usage, finishReason: end.finishReason ?? 'stop', error: null })
  return () => {
    deps.emit('turn.done', done)
    deps.onAnswered({ sessionId: plan.session.id, messageId: reply.id, modelId: run.target.model.id })
  }
}

/** Anything thrown on the way: the answer keeps what it has and says why it ended. */
function fail(deps: TurnDeps, plan: TurnPlan, writer: AnswerWriter, error: unknown): () => void {
  const { turnId, reply } = plan
  const known = error instanceof AppError ? error : storageError(error)
  if (!known) deps.log.error({ turnId, err: error }, 'a turn failed inside the app')
  const code = known?.code ?? 'internal'
  const message =
    known?.message ?? 'This turn failed inside the app. Your message is kept; try again. The log has the details.'
  try {
    writer.close('failed', { error: { code, message, retryable: true } })
  } catch (unsaved) {
    deps.log.error({ turnId, err: unsaved }, 'the end of a turn could not be stored')
  }
  return () => deps.emit('turn.failed', { turnId, messageId: reply.id, code, message, retryable: true })
}
