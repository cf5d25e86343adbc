import type { Overrides } from '../context/contract'
import { AppError } from '../ipc/app-error'
import type { Handlers } from '../ipc/contract'
import type { Message, Session } from '../sessions/contract'
import type { QueuedMessage } from '../sessions/queue-contract'
import type { AnswerWriter } from './answer-writer'
import type { Preview, StartedTurn, turnCalls } from './contract'
import { firstWords } from './first-words'
import { keptRounds } from './kept-rounds'
import { type From, newRows } from './new-rows'
import type { ModelTarget, TurnDeps } from './ports'
import { recordWithPrefix } from './prefix'
import { type PreviewRequest, previewTurn } from './preview'
import type { queueCalls } from './queue-calls-contract'
import { QueueSender, type Sent } from './queue-sender'
import { isImage, refuseImages } from './refuse-images'
import { runTurn } from './run-turn'
import { sessionUsage } from './session-usage'
import { seedOf } from './turn-input'
import type { TurnPlan } from './turn-plan'

export interface TurnRoom {
  handlers: Handlers<typeof turnCalls>
  /** What the queue's calls ask of turns; the rest of them is the sessions room's. */
  queue: Pick<QueueSender, 'added'> & Pick<Handlers<typeof queueCalls>, 'queue.send'>
  /** Stops every running turn, keeping partial text, and waits for their last write. */
  close(): Promise<void>
  isRunning(sessionId: string): boolean
}

interface RunningTurn {
  plan: TurnPlan
  control: AbortController
  done: Promise<void>
  writer: AnswerWriter | undefined
}

const NO_MODEL =
  'No model is chosen for this chat. Connect one in Settings → Connections and pick it in the header; your message is kept.'

/** An exact-optional copy of the wire's overrides: absent stays absent. */
function cleanOverrides(given: Record<string, unknown> | undefined): Overrides {
  return Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined))
}

const isMarked = (message: Message): boolean => message.isolated === true

export function createTurnRoom(deps: TurnDeps): TurnRoom {
  const running = new Map<string, RunningTurn>()
  const rows = newRows(deps)

  const chosenModel = (asked: string | undefined, sessionModel: string | null): string | undefined =>
    asked ?? sessionModel ?? deps.settings().general.defaultModelId ?? deps.models.fallbackModel()

  const chooseTarget = (asked: string | undefined, sessionModel: string | null): Promise<ModelTarget> => {
    const modelId = chosenModel(asked, sessionModel)
    if (modelId === undefined) throw new AppError('not_found', NO_MODEL)
    return deps.models.target(modelId)
  }

  const sessionOf = (sessionId: string): Session => {
    const session = deps.store.getSession(sessionId)
    if (!session) throw new AppError('not_found', 'This chat is gone. It may have been deleted in another window.')
    if (session.removedAt) throw new AppError('conflict', 'This chat lies in the bin. Restore it to go on.')
    for (const turn of running.values()) {
      if (turn.plan.session.id === sessionId) {
        throw new AppError('busy', 'An answer is still being written in this chat. Stop it first, or let it finish.')
      }
    }
    return session
  }

  const messageOf = ({ sessionId, messageId }: { sessionId: string; messageId: string }): Message => {
    const message = deps.store.getMessage(messageId)
    if (message?.sessionId !== sessionId)
      throw new AppError('not_found', 'This message is gone. Reload the chat and try again.')
    return message
  }

  /** What cannot be read did not end well: then nothing goes out by itself. */
  const endedWell = (replyId: string): boolean => {
    try {
      return deps.store.getMessage(replyId)?.state === 'complete'
    } catch (error) {
      deps.log.error({ err: error }, 'how an answer ended could not be read')
      return false
    }
  }

  const start = (plan: TurnPlan): StartedTurn => {
    const control = new AbortController()
    let writer: AnswerWriter | undefined
    const watched: TurnPlan = {
      ...plan,
      onWriter: (made) => {
        writer = made
      },
    }
    const done = runTurn(deps, watched, control.signal)
      .then((tellEnd) => {
        running.delete(plan.turnId)
        tellEnd()
      })
      // the answer is stored or kept: whatever fails in what follows it, the chat goes on
      .catch((error: unknown) => deps.log.error({ turnId: plan.turnId, err: error }, 'the end of a turn failed'))
      .then(() => {
        running.delete(plan.turnId)
        queue.turnEnded(plan.session.id, endedWell(plan.reply.id))
      })
    running.set(plan.turnId, { plan, control, done, writer })
    return { turnId: plan.turnId, replyMessageId: plan.reply.id }
  }

  /** A user message below `parentId`, then its answer. The message is on disk before anything else happens. */
  const ask = (
    session: Session,
    parentId: string | null,
    sent: {
      text: string
      attachments: readonly string[]
      modelId?: string | undefined
      overrides?: Overrides
      /** It says anew what was written under isolation. */
      isolated?: boolean
    },
    from: From = {},
  ): Sent => {
    if (sent.text.trim() === '' && sent.attachments.length === 0) {
      throw new AppError('bad_input', 'The message is empty. Type something or attach a file.', {
        details: { path: 'text' },
      })
    }
    const turnId = deps.ids()
    const above = parentId === null ? [] : deps.store.branchTo(session.id, parentId)
    const isolated = sent.isolated === true || (sent.overrides?.isolation === true && session.worldbookIds.length > 0)
    const asked = rows.user({ session, parentId, isolated, from }, sent.text, sent.attachments)
    const answer = rows.reply(session, asked.id, turnId, { isolated: isolated || above.some(isMarked) })
    // a question without its answer's place would be half of a send that was refused
    const [user, reply] = deps.store.insertMessages([asked, answer])
    if (!user || !reply) throw new Error('A message was stored and is not there.')
    if (session.titleSource === 'auto' && session.title === '') {
      const title = firstWords(sent.text, user.attachments[0]?.name)
      deps.keep(`title ${session.id}`, () => deps.store.setAutoTitle(session.id, title, 'auto'))
    }
    const started = start({
      turnId,
      trigger: 'normal',
      session: deps.store.getSession(session.id) ?? session,
      branch: deps.store.branchTo(session.id, user.id),
      reply,
      begun: [],
      userMessageId: user.id,
      overrides: sent.overrides ?? {},
      seed: seedOf(session.id, parentId ?? '', '0'),
      sentAtMs: Date.parse(user.createdAt),
      chooseTarget: async () => chooseTarget(sent.modelId, session.modelId),
    })
    return { ...started, userMessageId: user.id }
  }

  /** Below the end of the visible branch. What is refused here was not stored, and stays where it was written. */
  const askAtEnd = async (
    sent: { sessionId: string; text: string; attachments: readonly string[]; modelId?: string | undefined } & {
      overrides: Overrides
    },
    from: From,
  ): Promise<Sent> => {
    const images = deps.store.attachments(sent.attachments).filter(isImage)
    if (images.length > 0) {
      refuseImages(await chooseTarget(sent.modelId, sessionOf(sent.sessionId).modelId), images)
    }
    const session = sessionOf(sent.sessionId)
    return ask(session, deps.store.branchOf(session.id).at(-1)?.id ?? null, sent, from)
  }

  const preview = (request: PreviewRequest): Promise<Preview> =>
    previewTurn(deps, request, async (asked, sessionModel) =>
      deps.models.target(chosenModel(asked, sessionModel) ?? 'dry-run/dry-run'),
    )

  const isRunning = (sessionId: string): boolean =>
    [...running.values()].some((turn) => turn.plan.session.id === sessionId)

  const filesOf = (message: QueuedMessage): string[] => message.attachments.map((file) => file.id)
  const queue = new QueueSender({
    store: deps.store,
    log: deps.log,
    isRunning,
    preview: (message) => preview({ sessionId: message.sessionId, draft: message.text, attachments: filesOf(message) }),
    send: (message, overrides) =>
      askAtEnd({ ...message, attachments: filesOf(message), overrides }, { fromQueue: message.id, id: message.id }),
  })

  const handlers: Handlers<typeof turnCalls> = {
    'turns.preview': (input) => preview({ ...input, overrides: cleanOverrides(input.overrides) }),
    'turns.send': ({ fromDraft, id, overrides, ...input }) =>
      askAtEnd(
        { ...input, attachments: input.attachments ?? [], overrides: cleanOverrides(overrides) },
        { fromDraft, id },
      ),
    'turns.edit-and-resend': (input) => {
      const message = messageOf(input)
      if (message.role !== 'user')
        throw new AppError('bad_input', 'Only your own messages can be edited and sent again.')
      const attachments = message.attachments.map((attachment) => attachment.id)
      return ask(sessionOf(message.sessionId), message.parentId, {
        text: input.text,
        attachments,
        modelId: input.modelId,
        isolated: message.isolated === true,
      })
    },
    'turns.regenerate': (input) => {
      const message = messageOf(input)
      if (message.role === 'assistant' && message.parentId === null) {
        throw new AppError(
          'bad_input',
          'This message opens the chat and answers nothing, so it cannot be made anew. Edit it, or choose another version.',
        )
      }
      const session = sessionOf(message.sessionId)
      const userId = message.role === 'user' ? message.id : message.parentId
      const branch = userId === null ? [] : deps.store.branchTo(session.id, userId)
      const begun = keptRounds(message, chosenModel(input.modelId, session.modelId))
      const turnId = deps.ids()
      const versions = message.role === 'user' ? 0 : message.siblings.length
      return start({
        turnId,
        trigger: 'regenerate',
        session,
        branch,
        reply: deps.store.insertMessage(
          rows.reply(session, userId, turnId, {
            parts: begun,
            isolated: branch.some(isMarked) || (begun.length > 0 && message.isolated === true),
          }),
        ),
        begun,
        userMessageId: userId ?? undefined,
        overrides: {},
        seed: seedOf(session.id, branch.at(-2)?.id ?? '', String(versions)),
        chooseTarget: async () => chooseTarget(input.modelId, session.modelId),
      })
    },
    'turns.continue': (input) => {
      const message = messageOf(input)
      if (message.role !== 'assistant') throw new AppError('bad_input', 'Only an answer can be continued.')
      const session = sessionOf(message.sessionId)
      const turnId = deps.ids()
      deps.store.updateMessage(message.id, { state: 'streaming', turnId, error: null })
      return start({
        turnId,
        trigger: message.text === '' ? 'normal' : 'continue',
        session,
        branch: message.parentId === null ? [] : deps.store.branchTo(session.id, message.parentId),
        reply: message,
        begun: message.parts,
        failedAs: message.state === 'streaming' ? 'interrupted' : message.state,
        userMessageId: message.parentId ?? undefined,
        overrides: {},
        seed: seedOf(session.id, message.id, 'continue'),
        chooseTarget: async () => chooseTarget(undefined, message.modelId ?? session.modelId),
      })
    },
    'turns.stop': async ({ turnId }) => {
      const turn = running.get(turnId)
      if (!turn) return { stopped: false }
      turn.control.abort()
      await turn.done
      return { stopped: true }
    },
    'turns.record': ({ messageId, round }) => recordWithPrefix(deps.store, messageId, round),
    'turns.running': () =>
      [...running.values()].map(({ plan, writer }) => {
        const { parts, seq } = writer?.snapshot() ?? { parts: [...plan.begun], seq: 0 }
        const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
        return { turnId: plan.turnId, sessionId: plan.session.id, messageId: plan.reply.id, text, parts, seq }
      }),
    'turns.session-usage': ({ sessionId }) => sessionUsage(deps, sessionId),
  }

  return {
    handlers,
    queue: {
      added: (message) => queue.added(message),
      'queue.send': ({ id, overrides }) => queue.sendNow(id, cleanOverrides(overrides)),
    },
    isRunning,
    async close() {
      const sent = queue.close()
      for (const turn of running.values()) turn.control.abort()
      await Promise.all([sent, ...[...running.values()].map((turn) => turn.done)])
    },
  }
}
