import type { McpServer } from '../contract'

/** Shown instead of a secret; sent back unchanged it means "keep what is stored". */
export const HIDDEN = '•••'

export interface SaveServer {
  id?: string | undefined
  name: string
  transport:
    | {
        kind: 'stdio'
        command: string
        args?: string[] | undefined
        env?: Record<string, string> | undefined
        cwd?: string | undefined
      }
    | { kind: 'http'; url: string; headers?: Record<string, string> | undefined }
  secretNames?: string[] | undefined
  selectedForChat?: boolean | undefined
  enabled?: boolean | undefined
}

/** The entries of an environment, or headers. */
export type Fields = Record<string, string>
export const fieldsOf = (transport: McpServer['transport']): Fields =>
  transport.kind === 'stdio' ? transport.env : transport.headers
export const withFields = (transport: McpServer['transport'], fields: Fields): McpServer['transport'] =>
  transport.kind === 'stdio' ? { ...transport, env: fields } : { ...transport, headers: fields }

/** Whether no sign-in is wanted: a program on this machine, or a server that knows the person by a header. */
export const knowsUs = (transport: McpServer['transport']): boolean =>
  transport.kind === 'stdio' || Object.keys(transport.headers).some((name) => name.toLowerCase() === 'authorization')

export const addressOf = (transport: McpServer['transport']): string => (transport.kind === 'http' ? transport.url : '')

/** Absent fields are empty ones. */
export function completed(transport: SaveServer['transport']): McpServer['transport'] {
  if (transport.kind === 'http') return { kind: 'http', url: transport.url.trim(), headers: transport.headers ?? {} }
  const { command, args = [], env = {}, cwd } = transport
  return { kind: 'stdio', command: command.trim(), args, env, ...(cwd === undefined ? {} : { cwd }) }
}

/** What may be shown. */
export function hidden(fields: Fields, secretNames: readonly string[]): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, secretNames.includes(name) ? HIDDEN : value]),
  )
}

/** What may be stored. */
export function withoutSecrets(fields: Fields, secretNames: readonly string[]): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, secretNames.includes(name) ? '' : value]),
  )
}
