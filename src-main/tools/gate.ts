import type { TurnInput } from '../context/block-source'
import type { ModelCapabilities } from '../models/contract'
import type { ToolCallState } from '../sessions/contract'
import type { ApprovalAnswer, Approvals } from './approvals'
import { argumentProblem, readArguments } from './arguments'
import type { ToolPolicy } from './contract'
import { decideTool, type ToolSituation } from './policy'
import type { NamedTool } from './registry'
import type { RawResult, RunContext } from './tool'
import type { ExposedTools, ToolGate, ToolRequest, ToolResult } from './tool-gate'

export interface GateDeps {
  /** Every tool with its settings and its final name, sorted by name. */
  tools: () => NamedTool[]
  /** Starts what a turn may need and waits a little. */
  wake: () => Promise<void>
  approvals: Approvals
  /** Remembers "this session" and "always". */
  grant: (toolId: string, scope: 'session' | 'always', sessionId: string) => void
  policyNow: (tool: NamedTool, sessionId: string) => ToolPolicy
  resultTokenCap: () => number
  countTokens: (text: string) => number
  /** Keeps bytes by hash, for the full text of a cut result and for images. */
  keep: (bytes: Uint8Array, mediaType: string, sessionId: string) => Promise<string>
  clock: () => number
  onBug: (toolName: string, error: unknown) => void
}

export function situationOf(
  turn: Pick<TurnInput, 'isolated' | 'temporary' | 'settings' | 'session'>,
  modelHasTools: boolean,
): ToolSituation {
  const { enabled, write, activeRetrieval, topK } = turn.settings.memory
  return {
    isolated: turn.isolated,
    temporary: turn.temporary,
    modelHasTools,
    memory: { enabled, write, activeRetrieval, topK },
    choices: turn.session.toolChoices,
  }
}

/** Names offered in a running turn, so that a call is looked up in what was really exposed. */
type TurnTools = Map<string, NamedTool>

export function createToolGate(deps: GateDeps): ToolGate {
  const exposed = new Map<string, TurnTools>()
  const bySession = new Map<string, TurnTools>()

  const expose = async (turn: TurnInput, capabilities: ModelCapabilities): Promise<ExposedTools> => {
    const situation = situationOf(turn, capabilities.tools)
    if (!situation.isolated && !situation.temporary && situation.modelHasTools) await deps.wake()
    const all = deps.tools()
    const decided = all.map((tool) => ({ tool, decision: decideTool(tool.subject, situation) }))
    const open = decided.filter(({ decision }) => decision.available).map(({ tool }) => tool)
    if (turn.purpose === 'send') bySession.set(turn.sessionId, new Map(open.map((tool) => [tool.name, tool])))
    const tools = open.map(({ subject, name, description, schema }) => ({ id: subject.id, name, description, schema }))
    if (tools.length > 0) return { tools, withheld: false }
    const reason = situation.isolated ? 'isolated' : situation.temporary ? 'temporary' : 'off'
    const first = decided[0]?.decision
    const detail = first?.reason === 'model_without_tools' ? 'This model calls no tools.' : undefined
    return {
      tools,
      withheld: situation.isolated || situation.temporary,
      absent: { block: 'tools', reason, ...(detail === undefined ? {} : { detail }) },
    }
  }

  const offered = (request: Pick<ToolRequest, 'turnId' | 'sessionId' | 'name'>): NamedTool | undefined => {
    const known = exposed.get(request.turnId) ?? bySession.get(request.sessionId)
    if (known) exposed.set(request.turnId, known)
    return known?.get(request.name)
  }

  const approve = async (
    tool: NamedTool,
    request: ToolRequest,
    given: unknown,
    signal: AbortSignal,
  ): Promise<ApprovalAnswer> => {
    const once: ApprovalAnswer = { kind: 'answered', decision: 'once' }
    // Asked again when its turn in the queue comes: an earlier "this session" may cover it by then.
    const covered = (): ApprovalAnswer | undefined => {
      const policy = deps.policyNow(tool, request.sessionId)
      if (policy === 'deny') return { kind: 'answered', decision: 'deny' }
      return policy === 'allow' || tool.asksItself ? once : undefined
    }
    const already = covered()
    if (already) return already
    const { turnId, sessionId, messageId, callId } = request
    const answer = await deps.approvals.ask(
      { turnId, sessionId, messageId, callId, tool: tool.name, arguments: given },
      signal,
      covered,
    )
    if (answer.kind === 'answered' && (answer.decision === 'session' || answer.decision === 'always')) {
      deps.grant(tool.subject.id, answer.decision, sessionId)
    }
    return answer
  }

  const runRaw = async (
    request: ToolRequest,
    signal: AbortSignal,
    onState: (state: ToolCallState) => void,
  ): Promise<RawResult> => {
    const tool = offered(request)
    if (!tool) {
      return {
        outcome: 'failed',
        text: `There is no tool named ${request.name} in this chat. Use only the tools listed.`,
        badArguments: true,
      }
    }
    const given = readArguments(request.arguments)
    if (!given)
      return {
        outcome: 'failed',
        text: 'The arguments are no JSON object. Send them again as one.',
        badArguments: true,
      }
    const problem = argumentProblem(tool.schema, given)
    if (problem !== undefined) {
      return {
        outcome: 'failed',
        text: `The arguments do not fit: ${problem}. Correct them and call again.`,
        badArguments: true,
      }
    }
    onState('waiting')
    const answer = await approve(tool, request, given, signal)
    if (answer.kind === 'cancelled')
      return { outcome: 'stopped', text: 'The person stopped this turn before answering.' }
    if (answer.decision === 'deny') {
      const note = answer.note?.trim()
      return {
        outcome: 'rejected',
        text: note
          ? `The person declined this call and says: ${note}`
          : 'The person declined this call. Do not repeat it; go on without it or ask.',
        ...(note ? { note } : {}),
      }
    }
    onState('running')
    const { turnId, sessionId, messageId, callId } = request
    const context: RunContext = { turnId, sessionId, messageId, callId, signal, progress: () => undefined }
    return endedBySignal(tool.run(given, context), signal)
  }

  /** Cut to the cap, with a note for the model and the whole text kept. */
  const capped = async (raw: RawResult, sessionId: string): Promise<Pick<ToolResult, 'text' | 'fullResultSha256'>> => {
    const cap = deps.resultTokenCap()
    // Counting 50 MB would take seconds: beyond eight characters a token it is too long in every language.
    const tokens = raw.text.length > cap * 8 ? Number.POSITIVE_INFINITY : deps.countTokens(raw.text)
    if (tokens <= cap) return { text: raw.text }
    const share = Number.isFinite(tokens) ? cap / tokens : 1
    const keep = Math.floor(Math.min(raw.text.length * share, cap * 4))
    const kept = raw.text.slice(0, keep).replace(/[\uD800-\uDBFF]$/u, '')
    const fullResultSha256 = await deps.keep(new TextEncoder().encode(raw.text), 'text/plain', sessionId)
    return {
      text: `${kept}\n[cut here: ${raw.text.length - kept.length} of ${raw.text.length} characters were left out]`,
      fullResultSha256,
    }
  }

  return {
    expose,
    toolIdOf: (name, turnId) => exposed.get(turnId)?.get(name)?.subject.id ?? name,
    async run(request, signal, onState) {
      const began = deps.clock()
      let raw: RawResult
      try {
        raw = await runRaw(request, signal, onState)
      } catch (error) {
        deps.onBug(request.name, error)
        raw = { outcome: 'failed', text: `The tool failed: ${error instanceof Error ? error.message : String(error)}` }
      }
      const images = await Promise.all(
        (raw.images ?? []).map(async ({ mediaType, dataBase64 }) => ({
          mediaType,
          sha256: await deps.keep(Buffer.from(dataBase64, 'base64'), mediaType, request.sessionId),
        })),
      )
      return {
        outcome: raw.outcome,
        ...(await capped(raw, request.sessionId)),
        elapsedMs: Math.max(0, deps.clock() - began),
        ...(raw.note === undefined ? {} : { note: raw.note }),
        ...(raw.badArguments ? { badArguments: true } : {}),
        ...(images.length === 0 ? {} : { images }),
      }
    },
    endTurn(turnId) {
      deps.approvals.cancelTurn(turnId)
      exposed.delete(turnId)
    },
  }
}

/** A tool that does not hear the signal must not hold the turn: its late answer is ignored. */
function endedBySignal(running: Promise<RawResult>, signal: AbortSignal): Promise<RawResult> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve({ outcome: 'stopped', text: 'The call was stopped.' })
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    running.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
