import { z } from 'zod'
import { AppError } from '../../ipc/app-error'
import { said } from '../../ipc/said-contract'
import type { McpServer } from '../contract'

/** Names that look like secrets are kept in the key store without being asked. */
const SECRET_NAME = /key|token|secret|password|authorization|credential/i

const MOST_NAME = 100

const entrySchema = z.object({
  command: z.string().optional(),
  args: z.array(z.union([z.string(), z.number(), z.boolean()]).transform(String)).optional(),
  env: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).optional(),
  cwd: z.string().optional(),
  url: z.string().optional(),
  serverUrl: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  disabled: z.boolean().optional(),
})

export interface ReadServer {
  name: string
  transport: McpServer['transport']
  secretNames: string[]
  enabled: boolean
}

export const secretNamesIn = (fields: Readonly<Record<string, string>>): string[] =>
  Object.keys(fields).filter((name) => SECRET_NAME.test(name))

function transportOf(entry: z.output<typeof entrySchema>): McpServer['transport'] | string {
  const url = entry.url ?? entry.serverUrl
  if (entry.command !== undefined && entry.command.trim() !== '') {
    const { args = [], env = {}, cwd } = entry
    return { kind: 'stdio', command: entry.command.trim(), args, env, ...(cwd === undefined ? {} : { cwd }) }
  }
  if (url === undefined) return 'It has neither a command nor a url.'
  if (!/^https?:\/\//.test(url)) return 'Its url does not begin with http:// or https://.'
  return { kind: 'http', url, headers: entry.headers ?? {} }
}

/** The usual `{"mcpServers": {"name": {command, args, env} | {url, headers}}}`, with or without the outer key. */
export function readServersJson(json: string): { servers: ReadServer[]; skipped: { name: string; reason: string }[] } {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (cause) {
    const where = cause instanceof Error ? cause.message : ''
    throw new AppError('import.unreadable', said`This is no JSON: ${where}. Paste the whole text, braces included.`, {
      cause,
    })
  }
  const root = value as { mcpServers?: unknown; servers?: unknown }
  const map = root?.mcpServers ?? root?.servers ?? value
  if (typeof map !== 'object' || map === null || Array.isArray(map)) {
    throw new AppError(
      'import.unreadable',
      'No servers were found. Expected {"mcpServers": {"name": {"command": "…", "args": […]}}}.',
    )
  }
  const servers: ReadServer[] = []
  const skipped: { name: string; reason: string }[] = []
  for (const [name, raw] of Object.entries(map)) {
    const parsed = entrySchema.safeParse(raw)
    if (name.trim() === '' || name.length > MOST_NAME) {
      skipped.push({ name: name.slice(0, MOST_NAME), reason: 'Its name is empty or too long.' })
      continue
    }
    const transport = parsed.success ? transportOf(parsed.data) : 'Its fields have the wrong shape.'
    if (typeof transport === 'string' || !parsed.success) {
      skipped.push({ name, reason: typeof transport === 'string' ? transport : 'Its fields have the wrong shape.' })
      continue
    }
    const fields = transport.kind === 'stdio' ? transport.env : transport.headers
    servers.push({ name, transport, secretNames: secretNamesIn(fields), enabled: parsed.data.disabled !== true })
  }
  if (servers.length === 0 && skipped.length === 0) throw new AppError('import.unreadable', 'The JSON names no server.')
  return { servers, skipped }
}
