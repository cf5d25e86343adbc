import { z } from 'zod'
import type { AbsentCode } from '../context/contract'
import { type CallMap, call } from '../ipc/contract'
import type { Words } from '../ipc/said-contract'
import type { TurnEvents } from '../turns/contract'

export type ToolOrigin = 'built-in' | 'mcp' | 'command'
export type ToolPolicy = 'ask' | 'allow' | 'deny'

/** Why a configured tool is not available in this session. Codes are fixed; words live in the catalogue. */
export type ToolReason =
  | Extract<AbsentCode, 'isolated' | 'temporary'>
  | 'memory_off'
  | 'memory_write_off'
  | 'active_retrieval_off'
  | 'top_k_is_zero'
  | 'server_not_selected'
  | 'server_down'
  | 'tool_disabled'
  | 'always_denied'
  | 'model_without_tools'
  | 'holds_isolated'

export interface ToolListing {
  id: string
  origin: ToolOrigin
  server?: string
  name: string
  description: string
  /** The tool's own words, where `description` was rewritten. */
  ownDescription?: string
  /** JSON Schema of the arguments, as the model sees it. */
  schema: unknown
  /** What the person set for all sessions, whatever this one makes of it. */
  enabled: boolean
  configured: boolean
  available: boolean
  reason?: ToolReason
  reasonDetail?: string
  reasonWords?: Words
  policy: ToolPolicy
  /** It was allowed, and is no longer what was allowed: it asks until a person accepts the change. */
  changed?: ApprovalScope
  tokens: number
}

/** How far a permission reached that a changed tool has lost. */
export type ApprovalScope = 'session' | 'always'

/** One line of a difference. `gap` stands for unchanged lines that are left out. */
export interface DefinitionLine {
  kind: 'same' | 'added' | 'removed' | 'gap'
  text: string
  /** Where in the text the difference lies, UTF-16 offsets; absent = all of it. */
  marks?: [number, number][] | undefined
}

/** What became of a tool since it was allowed or, without a scope, since this turn began. */
export interface ToolChange {
  scope?: ApprovalScope
  allowedAt?: string
  lines: DefinitionLine[]
  /** The whole of both, line by line. */
  before: string
  after: string
}

export interface McpPrompt {
  name: string
  description?: string
  arguments?: { name: string; description?: string; required: boolean }[]
}

export interface McpServer {
  id: string
  name: string
  transport:
    | { kind: 'stdio'; command: string; args: string[]; env: Record<string, string>; cwd?: string }
    | { kind: 'http'; url: string; headers: Record<string, string> }
  /** Names of env entries or headers whose values are kept as secrets and shown as `•••`. */
  secretNames: string[]
  selectedForChat: boolean
  enabled: boolean
  state: 'stopped' | 'starting' | 'ready' | 'failed'
  lastError?: string
  lastErrorWords?: Words
  /** `needed`: it answers only who has signed in; `waiting`: for a person at `signInPage`. */
  signIn?: 'needed' | 'waiting' | 'done'
  signInPage?: string
  toolCount?: number
  stderrTail?: string[]
  prompts?: readonly McpPrompt[]
}

/** One thing a server asks a person for. */
export interface FormField {
  name: string
  label: string
  type: 'string' | 'number' | 'integer' | 'boolean' | 'array'
  required: boolean
  description?: string
  /** `email`, `uri`, `date`, `date-time` or the server's own. */
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  initial?: string | number | boolean | string[]
  /** One of them; several for an array. */
  options?: { value: string; label: string }[]
}

/** What a server wants to know from the person while one of its tools runs. The model sees none of it. */
export interface ToolForm {
  server: string
  message: string
  fields: FormField[]
}

/** A user-defined local command. The argv is a template, never a shell string. */
export interface CommandTool {
  id: string
  name: string
  description: string
  /** JSON Schema of type object. */
  schema: unknown
  /** `{name}` in an element is replaced by that argument. */
  argv: string[]
  workingFolder: string | null
  env: Record<string, string>
  /** Entries of `env` that are kept as secrets and shown as `•••`. Likely secrets in `argv` are shown so too. */
  secretNames: string[]
  timeoutSeconds: number
  outputLimitBytes: number
  enabled: boolean
}

const mcpTransport = z.union([
  z.strictObject({
    kind: z.literal('stdio'),
    command: z.string().min(1).max(4000),
    args: z.array(z.string().max(20_000)).max(200).optional(),
    env: z.record(z.string(), z.string()).optional(),
    cwd: z.string().max(4000).optional(),
  }),
  z.strictObject({
    kind: z.literal('http'),
    url: z.string().max(4000),
    headers: z.record(z.string(), z.string()).optional(),
  }),
])

export const toolCalls = {
  'tools.list': call<ToolListing[]>()(z.strictObject({ sessionId: z.string().optional() })),
  'tools.set': call<ToolListing>()(
    z.strictObject({
      toolId: z.string(),
      enabled: z.boolean().optional(),
      policy: z.enum(['ask', 'allow', 'deny']).optional(),
      /** What the model reads instead of the tool's own description; '' = the original. */
      description: z.string().max(20_000).optional(),
    }),
  ),
  /** Asks the background model for better words; nothing is changed until `tools.set`. */
  'tools.propose-description': call<{ description: string }>()(z.strictObject({ toolId: z.string() })),
  'tools.answer': call<{ accepted: boolean }>()(
    z.strictObject({
      requestId: z.string(),
      decision: z.enum(['once', 'session', 'always', 'deny']),
      note: z.string().max(20_000).optional(),
      /** The answer to `ask_user`. */
      answer: z.string().max(100_000).optional(),
      /** What a server's form was filled in with; `deny` declines it. */
      form: z
        .record(z.string(), z.union([z.string().max(100_000), z.number(), z.boolean(), z.array(z.string())]))
        .optional(),
      /** With `deny`: the form was put away without a choice. */
      cancel: z.boolean().optional(),
    }),
  ),
  /** Approvals waiting now, for a window that (re)connects. */
  'tools.pending': call<TurnEvents['turn.approval'][]>()(z.strictObject({})),
  'commands.list': call<CommandTool[]>()(z.strictObject({})),
  /** Of a command that exists, only what is named is changed. */
  'commands.save': call<CommandTool>()(
    z.strictObject({
      id: z.string().optional(),
      name: z
        .string()
        .regex(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/, 'Use letters, digits, _ and -, at most 64, starting with a letter.')
        .optional(),
      description: z.string().max(20_000).optional(),
      schema: z.unknown().optional(),
      argv: z.array(z.string().max(20_000)).min(1).max(200).optional(),
      workingFolder: z.string().max(4000).nullable().optional(),
      env: z.record(z.string(), z.string()).optional(),
      /** Absent = names that look like secrets. */
      secretNames: z.array(z.string()).max(200).optional(),
      timeoutSeconds: z.number().min(1).max(3600).optional(),
      outputLimitBytes: z.number().int().min(100).max(50_000_000).optional(),
      enabled: z.boolean().optional(),
    }),
  ),
  'commands.remove': call<{ removed: number }>()(z.strictObject({ id: z.string() })),
  /** Runs it once with the given arguments, outside any chat; they are read and checked as a model's are. */
  'commands.test': call<{ outcome: string; output: string; elapsedMs: number }>()(
    z.strictObject({ id: z.string(), arguments: z.unknown() }),
  ),
  /** The system's Shortcuts on macOS, with the commands that would run them; an empty list with a reason elsewhere. */
  'commands.shortcuts': call<{
    names: string[]
    reason?: string
    commands: { name: string; description: string; argv: string[] }[]
  }>()(z.strictObject({})),
  'mcp.list': call<McpServer[]>()(z.strictObject({})),
  /** Of a server that exists, only what is named is changed. */
  'mcp.save': call<McpServer>()(
    z.strictObject({
      id: z.string().optional(),
      name: z.string().min(1).max(100).optional(),
      transport: mcpTransport.optional(),
      /** Absent = names that look like secrets. */
      secretNames: z.array(z.string()).max(200).optional(),
      selectedForChat: z.boolean().optional(),
      enabled: z.boolean().optional(),
    }),
  ),
  /** The usual `{"mcpServers": {…}}` text, pasted or read from a file. */
  'mcp.import': call<{ servers: McpServer[]; skipped: { name: string; reason: string }[] }>()(
    z.strictObject({ json: z.string().max(2_000_000), dryRun: z.boolean().optional() }),
  ),
  'mcp.remove': call<{ removed: number }>()(z.strictObject({ id: z.string() })),
  'mcp.restart': call<McpServer>()(z.strictObject({ id: z.string() })),
  /** Begins a sign-in: the page for the person's browser, null when the server asks for none. */
  'mcp.sign-in': call<{ page: string | null; server: McpServer }>()(z.strictObject({ id: z.string() })),
  'mcp.stop-sign-in': call<McpServer>()(z.strictObject({ id: z.string() })),
  'mcp.sign-out': call<McpServer>()(z.strictObject({ id: z.string() })),
  'mcp.log': call<{ lines: string[] }>()(z.strictObject({ id: z.string() })),
  'mcp.prompt': call<{ text: string }>()(
    z.strictObject({ id: z.string(), prompt: z.string(), arguments: z.record(z.string(), z.string()).optional() }),
  ),
} satisfies CallMap

export interface ToolEvents {
  'tools.changed': { ids: string[] }
  'mcp.changed': { ids: string[] }
}
