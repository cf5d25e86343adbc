import type { Emit } from '../app-contract'
import { AppError } from '../ipc/app-error'
import { said } from '../ipc/said-contract'
import type { ToolChange, ToolForm } from './contract'

export interface ApprovalRequest {
  turnId: string
  sessionId: string
  messageId: string
  callId: string
  /** Shown name of the tool. */
  tool: string
  arguments: unknown
  /** It was running when the app ended: `once` runs it again, `deny` tells the model that nobody knows what it did. */
  interrupted?: boolean
  /** It is not what was allowed any more. */
  changed?: ToolChange
  form?: ToolForm
}

export type FormContent = Record<string, string | number | boolean | string[]>

export type Decision = 'once' | 'session' | 'always' | 'deny'

export type ApprovalAnswer =
  | { kind: 'answered'; decision: Decision; note?: string; answer?: string; form?: FormContent; cancel?: boolean }
  /** The turn was stopped before anybody answered. */
  | { kind: 'cancelled' }

export interface AskHooks {
  /** Asked when its turn in the queue comes: answers it without asking, when an earlier answer covers it by then. */
  covered?: () => ApprovalAnswer | undefined
  /** Why an answer cannot be taken: the question stays. */
  refuses?: (answer: Extract<ApprovalAnswer, { kind: 'answered' }>) => string | undefined
  /** Hears the person's answer before the next question is looked at, so that the answer can cover that one too. */
  answered?: (decision: Decision) => void
}

interface Waiting extends AskHooks {
  requestId: string
  request: ApprovalRequest
  settle: (answer: ApprovalAnswer) => void
}

/** Questions to the person, one at a time a session, in the order they came. */
export class Approvals {
  private readonly queues = new Map<string, Waiting[]>()
  private readonly emit: Emit
  private readonly ids: () => string

  constructor(emit: Emit, ids: () => string) {
    this.emit = emit
    this.ids = ids
  }

  ask(request: ApprovalRequest, signal: AbortSignal, hooks: AskHooks = {}): Promise<ApprovalAnswer> {
    if (signal.aborted) return Promise.resolve({ kind: 'cancelled' })
    return new Promise((resolve) => {
      const queue = this.queues.get(request.sessionId) ?? []
      this.queues.set(request.sessionId, queue)
      const waiting: Waiting = { ...hooks, requestId: this.ids(), request, settle: resolve }
      const cancel = () => this.finish(waiting, { kind: 'cancelled' })
      waiting.settle = (answer) => {
        signal.removeEventListener('abort', cancel)
        resolve(answer)
      }
      signal.addEventListener('abort', cancel, { once: true })
      queue.push(waiting)
      if (queue.length === 1) this.announce(waiting)
    })
  }

  /** False for an answer that comes too late or twice: nothing happens then. @throws AppError for one that does not fit */
  answer(requestId: string, answer: Extract<ApprovalAnswer, { kind: 'answered' }>): boolean {
    for (const [head] of this.queues.values()) {
      if (head?.requestId === requestId) {
        const problem = head.refuses?.(answer)
        if (problem !== undefined)
          throw new AppError('bad_input', said`The answer does not fit: ${problem}`, { details: { path: 'form' } })
        head.answered?.(answer.decision)
        this.finish(head, answer)
        return true
      }
    }
    return false
  }

  /** Only this turn's questions; those of other turns stay. */
  cancelTurn(turnId: string): void {
    const waiting = [...this.queues.values()].flat().filter((entry) => entry.request.turnId === turnId)
    for (const entry of waiting) this.finish(entry, { kind: 'cancelled' })
  }

  pending(): (Omit<ApprovalRequest, 'sessionId'> & { requestId: string })[] {
    return [...this.queues.values()].flatMap(([head]) => (head ? [this.shown(head)] : []))
  }

  private shown({ requestId, request }: Waiting): Omit<ApprovalRequest, 'sessionId'> & { requestId: string } {
    const { sessionId: _sessionId, ...rest } = request
    return { requestId, ...rest }
  }

  private announce(waiting: Waiting): void {
    const already = waiting.covered?.()
    if (already) this.finish(waiting, already)
    else this.emit('turn.approval', this.shown(waiting))
  }

  private finish(waiting: Waiting, answer: ApprovalAnswer): void {
    const { sessionId } = waiting.request
    const queue = this.queues.get(sessionId)
    const at = queue?.indexOf(waiting) ?? -1
    if (!queue || at === -1) return
    queue.splice(at, 1)
    if (queue.length === 0) this.queues.delete(sessionId)
    waiting.settle(answer)
    const [next] = queue
    if (at === 0 && next) this.announce(next)
  }
}
