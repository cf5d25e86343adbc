import type { ElicitRequestFormParams, ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import type { RunningCall } from './call-tool'
import { formProblem, MOST_FORMS, readForm } from './elicitation'

interface AskingServer {
  name: string
  redact: (text: string) => string
  /** Milliseconds a person has for one form. */
  personMs: number
}

const isForm = (params: ElicitRequestParams): params is ElicitRequestFormParams => params.mode !== 'url'

/**
 * A server's question to the person, in the call it was last given: the protocol does not say which one it belongs to. A
 * server that asks without a call, too often, or for what no form can show is told no without anybody being disturbed.
 */
export async function answerForm(
  params: ElicitRequestParams,
  running: ReadonlySet<RunningCall>,
  server: AskingServer,
  signal: AbortSignal,
): Promise<ElicitResult> {
  const call = [...running].at(-1)
  const form = isForm(params) ? readForm(params, server.name) : undefined
  if (!call || !form || !isForm(params) || call.forms >= MOST_FORMS) return { action: 'decline' }
  call.forms += 1
  call.pause()
  try {
    const ends = AbortSignal.any([call.signal, signal, AbortSignal.timeout(server.personMs)])
    const shown = { ...form, message: server.redact(form.message) }
    const said = await call.ask(shown, (content) => formProblem(params, content), ends)
    if (said.kind === 'cancelled' || said.cancel) return { action: 'cancel' }
    return said.decision === 'deny' ? { action: 'decline' } : { action: 'accept', content: said.form ?? {} }
  } finally {
    call.goOn()
  }
}
