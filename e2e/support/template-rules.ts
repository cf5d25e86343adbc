import type { Protocol } from './model-answers'

/** What a model's chat template insists on. */
export type TemplateRule = 'none' | 'one-leading-system' | 'strict-alternation' | 'no-system'

interface ChatMessage {
  role: string
  tool_calls?: unknown
}

/** The server's refusal, in the words such servers use; undefined when the messages are fine. */
export function refusal(rule: TemplateRule, protocol: Protocol, body: unknown): string | undefined {
  const roles = rolesOf(body)
  if (protocol === 'anthropic') return anthropicRefusal(roles)
  switch (rule) {
    case 'none':
      return undefined
    case 'one-leading-system':
      return roles.lastIndexOf('system') > 0 ? 'System message must be at the beginning.' : undefined
    case 'no-system':
      return roles.includes('system') ? 'System role not supported' : alternation(roles)
    case 'strict-alternation':
      return roles.lastIndexOf('system') > 0
        ? 'System message must be at the beginning.'
        : alternation(roles.filter((role) => role !== 'system'))
  }
}

function alternation(roles: readonly string[]): string | undefined {
  const turns = roles.filter((role) => role !== 'tool')
  const broken = turns.some((role, at) => role !== (at % 2 === 0 ? 'user' : 'assistant'))
  return broken ? 'Conversation roles must alternate user/assistant/user/assistant/...' : undefined
}

/** A system in mid-conversation follows a user or tool message, and an assistant or the end follows it. */
function anthropicRefusal(roles: readonly string[]): string | undefined {
  const misplaced = roles.some((role, at) => {
    if (role !== 'system') return false
    const next = roles[at + 1]
    return roles[at - 1] !== 'user' || (next !== undefined && next !== 'assistant')
  })
  return misplaced
    ? 'messages: a system message must follow a user message and precede an assistant message'
    : undefined
}

/** Who speaks in what order. A call of a tool is no turn of its own to a template: it counts with its results. */
function rolesOf(body: unknown): string[] {
  if (typeof body !== 'object' || body === null || !('messages' in body) || !Array.isArray(body.messages)) return []
  return body.messages.flatMap((message: unknown) => {
    if (!isMessage(message)) return []
    return [message.tool_calls === undefined ? message.role : 'tool']
  })
}

function isMessage(value: unknown): value is ChatMessage {
  return typeof value === 'object' && value !== null && 'role' in value && typeof value.role === 'string'
}
