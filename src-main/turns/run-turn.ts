import { AppError, saidBy } from '../ipc/app-error'
import { asMessage } from '../ipc/said-contract'
import { storageError } from '../storage/storage-error'
import { AnswerWriter } from './answer-writer'
import { type Collected, collectTurn } from './compose'
import { type CallEnd, laneOf } from './model-call'
import type { ModelTarget, TurnDeps } from './ports'
import { refuseImages } from './refuse-images'
import { isOpenCall, type Run, runRounds } from './run-rounds'
import { freezeTurn } from './turn-input'
import type { TurnPlan } from './turn-plan'

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
      save: (patch, grown) => deps.store.keepMessage(reply.id, patch, grown),
    },
    plan.begun,
  )
  plan.onWriter?.(writer)
  deps.emit('turn.started', {
    turnId,
    sessionId: session.id,
    messageId: reply.id,
    ...(plan.userMessageId === undefined ? {} : { userMessageId: plan.userMessageId }),
    ...(plan.begun.length === 0 ? {} : { parts: [...plan.begun] }),
  })
  try {
    const target = await plan.chooseTarget()
    refuseImages(target, plan.branch.findLast((message) => message.role === 'user')?.attachments ?? [])
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
    // the next turns tell this message's time from the message itself: one moment, the same bytes
    ...(plan.sentAtMs === undefined ? {} : { epochMs: plan.sentAtMs }),
  })
  const { branch: _branch, counter: _counter, draft: _draft, instructions: _instructions, ...frozen } = turn
  // the message itself is stored: a disk that is full by now holds nothing up, and these follow when there is room
  deps.keep(laneOf(reply.id), () => {
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
  })
  deps.store.keepMessage(reply.id, { modelId: target.model.id, turnId })
  const collected = await collectTurn(deps, turn, target, turnId)
  const sent = { turnId, userMessageId: plan.userMessageId ?? '', replyMessageId: reply.id }
  for (const block of collected.blocks) {
    const { commit } = block
    if (commit) deps.keep(laneOf(reply.id), () => commit(sent))
  }
  return collected
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
    const error = { code: end.error.code, ...asMessage(saidBy(end.error)), retryable: end.retryable }
    writer.close(plan.failedAs ?? 'failed', { ...usage, error })
    return () => deps.emit('turn.failed', { turnId, messageId: reply.id, ...error })
  }
  writer.close('complete', { ...usage, finishReason: end.finishReason ?? 'stop', error: null })
  return () => {
    deps.emit('turn.done', done)
    deps.onAnswered({ sessionId: plan.session.id, messageId: reply.id, modelId: run.target.model.id })
  }
}

const FAILED_INSIDE = 'This turn failed inside the app. Your message is kept; try again. The log has the details.'

/** Anything thrown on the way: the answer keeps what it has and says why it ended. */
function fail(deps: TurnDeps, plan: TurnPlan, writer: AnswerWriter, error: unknown): () => void {
  const { turnId, reply } = plan
  const known = error instanceof AppError ? error : storageError(error)
  if (!known) deps.log.error({ turnId, err: error }, 'a turn failed inside the app')
  const sentence = known ? saidBy(known) : FAILED_INSIDE
  const failure = { code: known?.code ?? 'internal', ...asMessage(sentence), retryable: true }
  try {
    writer.close(plan.failedAs ?? 'failed', { error: failure })
  } catch (unsaved) {
    deps.log.error({ turnId, err: unsaved }, 'the end of a turn could not be stored')
  }
  return () => deps.emit('turn.failed', { turnId, messageId: reply.id, ...failure })
}
