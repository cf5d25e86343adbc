import { createHash } from 'node:crypto'
import type { ContextBlock } from '../context/contract'
import { AppError } from '../ipc/app-error'
import type { Message, Session } from '../sessions/contract'
import { type Collected, type Composed, collectTurn } from './compose'
import type { Preview, WireRequest } from './contract'
import { firstWords } from './first-words'
import { begunReply, keptRounds } from './kept-rounds'
import type { ModelTarget, TurnDeps } from './ports'
import { lastSentOn, sharedPrefix } from './prefix'
import { composeFitting } from './raise-window'
import { freezeTurn, seedOf } from './turn-input'

const recordOf = (blocks: readonly ContextBlock[], block: ContextBlock['block']): unknown =>
  blocks.find((candidate) => candidate.block === block)?.record ?? null

/** The one value preview, record and bar read: made from a composed request and the wire it became. */
export function previewOf(collected: Collected, composed: Composed, wire: WireRequest): Preview {
  const { assembled, ledger, usage, absent, request } = composed
  return {
    ledger,
    absent,
    rejected: assembled.rejected,
    usage,
    wire,
    sha256: createHash('sha256').update(wire.body).digest('hex'),
    worldbook: recordOf(collected.blocks, 'worldbook'),
    memory: recordOf(collected.blocks, 'memory'),
    layout: assembled.layout,
    windowStart: assembled.windowStart,
    warnings: assembled.warnings,
    projection: request.trace.map(({ text }) => text),
    projectionWords: request.trace.map(({ words }) => words),
  }
}

/** A chat without a word has nothing to send: no request leaves, so there is none to show. */
const NO_REQUEST: WireRequest = { method: '', url: '', headers: {}, body: '' }

export interface PreviewRequest {
  /** null = a chat that does not exist yet. */
  sessionId: string | null
  draft?: string | undefined
  attachments?: string[] | undefined
  overrides?: object | undefined
  regenerate?: string | undefined
  modelId?: string | undefined
}

const DRAFT_ID = 'draft'

type PlacedRequest = PreviewRequest & { sessionId: string }

/** The branch as it would be after pressing send: the draft as a message that exists nowhere. */
function draftMessage(deps: TurnDeps, request: PlacedRequest, branch: readonly Message[]): Message | undefined {
  // half a surrogate pair cannot be stored, and so is sent as what the database makes of it
  const text = (request.draft ?? '').toWellFormed()
  const ids = request.attachments ?? []
  const attachments = deps.store.attachments(ids)
  if (attachments.length < ids.length) {
    throw new AppError('bad_input', 'A file of this message is not there any more. Attach it again.')
  }
  if (text.trim() === '' && attachments.length === 0) return undefined
  return {
    id: DRAFT_ID,
    sessionId: request.sessionId,
    parentId: branch.at(-1)?.id ?? null,
    role: 'user',
    text,
    parts: [{ type: 'text', text }],
    attachments,
    state: 'complete',
    createdAt: new Date(deps.clock()).toISOString(),
    siblings: [DRAFT_ID],
  }
}

/** Where the turn would stand: the branch it sees, the seed of its place, and the answer it would write anew. */
function placeOf(deps: TurnDeps, request: PlacedRequest): { branch: Message[]; seed: number; anew?: Message } {
  if (request.regenerate !== undefined) {
    const anew = deps.store.getMessage(request.regenerate)
    if (anew?.sessionId !== request.sessionId)
      throw new AppError('not_found', 'This answer is gone. Reload the chat and try again.')
    const userId = anew.role === 'user' ? anew.id : anew.parentId
    const branch = userId === null ? [] : deps.store.branchTo(request.sessionId, userId)
    const versions = anew.role === 'user' ? 0 : anew.siblings.length
    return { branch, seed: seedOf(request.sessionId, branch.at(-2)?.id ?? '', String(versions)), anew }
  }
  const branch = deps.store.branchOf(request.sessionId)
  const seed = seedOf(request.sessionId, branch.at(-1)?.id ?? '', '0')
  const draft = draftMessage(deps, request, branch)
  return { branch: draft ? [...branch, draft] : branch, seed }
}

/** A chat without a title takes the first words of its first message before that is sent. */
function titled(session: Session, newest: Message | undefined): Session {
  if (session.title !== '' || session.titleSource !== 'auto' || newest?.id !== DRAFT_ID) return session
  return { ...session, title: firstWords(newest.text, newest.attachments[0]?.name) }
}

/** Same path as sending, up to and including the HTTP body. Writes nothing. */
export async function previewTurn(
  deps: TurnDeps,
  request: PreviewRequest,
  choose: (asked: string | undefined, sessionModel: string | null) => Promise<ModelTarget>,
): Promise<Preview> {
  const session = request.sessionId === null ? deps.store.newSession() : deps.store.getSession(request.sessionId)
  if (!session) throw new AppError('not_found', 'This chat is gone. It may have been deleted in another window.')
  const { branch, seed, anew } = placeOf(deps, { ...request, sessionId: session.id })
  const target = await choose(request.modelId, session.modelId)
  const turn = freezeTurn(deps, {
    purpose: 'preview',
    trigger: anew ? 'regenerate' : 'normal',
    session: titled(session, branch.at(-1)),
    branch,
    modelId: target.model.id,
    model: target.model,
    overrides: request.overrides ?? {},
    seed,
  })
  const gathered = await collectTurn(deps, turn, target)
  const kept = anew ? keptRounds(anew, target.model.id) : []
  const grown = anew && kept.length > 0 ? [...branch, begunReply(anew, kept)] : branch
  const { composed, collected, target: to } = await composeFitting(gathered, target, grown)
  const wire =
    composed.request.messages.length === 0
      ? NO_REQUEST
      : await deps.models.buildWire(composed.request, to, (sha256) => deps.store.readAttachment(sha256))
  const preview = previewOf(collected, composed, wire)
  const before = lastSentOn(deps.store, session.id, branch)
  if (!before) return preview
  const least = target.profile.marks === 'none' ? 0 : target.profile.minCacheTokens
  return { ...preview, prefix: sharedPrefix({ body: wire.body, ledger: composed.ledger }, before, least) }
}
