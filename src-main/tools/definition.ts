import { createHash } from 'node:crypto'
import { isAbsolute } from 'node:path'
import type { CommandTool, McpServer } from './contract'

/** How a tool is reached, with dots where secrets stand. */
export type ToolTransport =
  | McpServer['transport']
  | { kind: 'command'; argv: string[]; env: Record<string, string>; workingFolder: string | null }

/** What a person allows when they allow a tool: its own words, not those a person put in their place. */
export interface ToolDefinition {
  name: string
  description: string
  schema: unknown
  transport: ToolTransport
}

/** The same value whatever order its keys came in. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, each]) => [key, ordered(each)]),
  )
}

/** A schema may be nested deeper than this thread can follow: then it is offered to nobody, and any mark will do. */
export function canonicalJson(value: unknown): string {
  try {
    return JSON.stringify(ordered(value)) ?? 'null'
  } catch (error) {
    if (error instanceof RangeError) return '"too deep"'
    throw error
  }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

interface Offered {
  name: string
  description: string
  schema: unknown
}

/** Lists of servers live long and are asked for at every turn: each tool of one is read once. */
const offeredHashes = new WeakMap<object, string>()

function offeredHash(offered: Offered): string {
  const known = offeredHashes.get(offered)
  if (known !== undefined) return known
  const { name, description, schema } = offered
  const made = hash(canonicalJson({ name, description, schema }))
  offeredHashes.set(offered, made)
  return made
}

export const transportHash = (transport: ToolTransport): string => hash(canonicalJson(transport))

/** Equal for equal definitions, hex. */
export const fingerprintOf = (offered: Offered, transport: string): string =>
  hash(`${offeredHash(offered)} ${transport}`)

export const fingerprintOfDefinition = ({ transport, ...offered }: ToolDefinition): string =>
  fingerprintOf(offered, transportHash(transport))

/** Found from the folder it runs in: in another folder it is another program. */
const isFoundFromFolder = (program: string): boolean => /[/\\]/.test(program) && !isAbsolute(program)

/** Of a command whose secrets are dots already. */
export const commandTransport = ({ argv, env, workingFolder }: CommandTool): ToolTransport => ({
  kind: 'command',
  argv,
  env,
  workingFolder: isFoundFromFolder(argv[0] ?? '') ? workingFolder : null,
})
