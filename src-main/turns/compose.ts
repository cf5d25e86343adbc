import { type Assembled, assemble } from '../context/assemble/assemble'
import { ledgerOf, notCountedIn } from '../context/assemble/ledger'
import { project } from '../context/assemble/project'
import { appPrefix } from '../context/assemble/templates'
import { usageOf } from '../context/assemble/usage'
import type { TurnInput } from '../context/block-source'
import { answerInTime, collectBlocks } from '../context/collect-blocks'
import type { AbsentBlock, AbsentCode, ContextBlock, ContextUsage, Span } from '../context/contract'
import type { ProjectedRequest, RequestTool, WireMessage } from '../context/request-contract'
import { asDetail, type Said } from '../ipc/said-contract'
import { needsOf, rulesOf } from '../models/target-rules'
import type { Message } from '../sessions/contract'
import { fitSchema } from '../tools/schemas/fit-schema'
import { plainSchema } from '../tools/schemas/plain-schema'
import type { ExposedTools } from '../tools/tool-gate'
import type { ModelTarget, TurnDeps } from './ports'
import { withoutImages } from './tool-images'

/** Everything gathered for a user turn. Frozen: every round of a tool loop composes from the same value. */
export interface Collected {
  turn: TurnInput
  blocks: readonly ContextBlock[]
  tools: ExposedTools
  /** Milliseconds. */
  collectMs: number
}

/** One request, ready to leave, with its ledger. */
export interface Composed {
  request: ProjectedRequest
  ledger: readonly Span[]
  usage: ContextUsage
  assembled: Assembled
  absent: AbsentBlock[]
  /** Milliseconds. */
  assembleMs: number
}

/** The policy leaves out a server that is slow to start by itself, and then still has all the other tools. */
const LEAST_TOOLS_MS = 3000

function absentTools(reason: AbsentCode, detail?: Said): ExposedTools {
  return { tools: [], withheld: false, absent: { block: 'tools', reason, ...asDetail(detail) } }
}

/** The impure half: asks every room and the tool policy at once. With a turn's id its tools can be called afterwards. */
export async function collectTurn(
  deps: Pick<TurnDeps, 'sources' | 'tools'>,
  turn: TurnInput,
  target: ModelTarget,
  turnId?: string,
): Promise<Collected> {
  const began = performance.now()
  const timeoutMs = turn.settings.context.sourceTimeoutSeconds * 1000
  const expose = () => deps.tools.expose(turn, target.model.capabilities, turnId)
  const [blocks, tools] = await Promise.all([
    collectBlocks(deps.sources, turn, timeoutMs),
    turn.overrides.blocksOff?.includes('tools')
      ? absentTools('what_if')
      : answerInTime(expose, absentTools, Math.max(timeoutMs, LEAST_TOOLS_MS)),
  ])
  return { turn, blocks, tools, collectMs: performance.now() - began }
}

/** What the tool list costs: the JSON of one definition, as providers bill it. */
export function toolText(tool: RequestTool): string {
  return JSON.stringify({ name: tool.name, description: tool.description, parameters: tool.schema })
}

function textsOf(messages: readonly WireMessage[], tools: readonly RequestTool[]): string[] {
  const texts = tools.map(toolText)
  for (const message of messages)
    for (const part of message.parts) for (const piece of part.pieces) texts.push(piece.text)
  return texts
}

/** What Gemini reads is what is counted, recorded and sent. */
function withPlainSchemas(exposed: ExposedTools): ExposedTools {
  const tools = exposed.tools.map((tool) => ({ ...tool, schema: plainSchema(fitSchema(tool.schema)) }))
  return { ...exposed, tools }
}

/** The pure half, plus one wait for exact token counts. `branch` grows over the rounds of a turn, the blocks do not. */
export async function composeRound(
  collected: Collected,
  target: ModelTarget,
  branch: readonly Message[] = collected.turn.branch,
): Promise<Composed> {
  const began = performance.now()
  const { turn, blocks } = collected
  const tools = rulesOf(target).plainSchemas ? withPlainSchemas(collected.tools) : collected.tools
  const assembled = assemble({
    turn: branch === turn.branch ? turn : { ...turn, branch },
    blocks,
    needs: needsOf(target),
  })
  const { messages: projected, trace } = project(assembled.entries, target.profile, {
    appPrefix: appPrefix(turn.language, turn.settings.context.templates),
    cache: assembled.cache,
  })
  const messages = target.model.capabilities.vision ? projected : withoutImages(projected)
  const request: ProjectedRequest = {
    messages,
    tools: tools.tools,
    ...(tools.tools.length > 0 ? { toolChoice: 'auto' as const } : {}),
    maxOutputTokens: turn.reservedOutput,
    trace,
  }
  await turn.counter.prime(textsOf(messages, tools.tools))
  const ledger = ledgerOf(messages, tools.tools, (text) => turn.counter.count(text), toolText)
  const { contextWindow, maxInputTokens } = turn
  const usage = usageOf(
    ledger,
    {
      reserved: turn.reservedOutput,
      ...(contextWindow === undefined ? {} : { window: contextWindow }),
      ...(maxInputTokens === undefined ? {} : { maxInput: maxInputTokens }),
    },
    turn.counter.quality,
    notCountedIn(messages),
  )
  const absent = tools.absent ? [...assembled.absent, tools.absent] : assembled.absent
  return { request, ledger, usage, assembled, absent, assembleMs: performance.now() - began }
}
