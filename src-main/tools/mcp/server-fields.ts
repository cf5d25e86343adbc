import type { McpServer } from '../contract'
import { type Fields, type Places, placesNamed } from '../kept-secrets'
import { replaceInArguments, replaceInUrl } from '../secret-places'

export interface SaveServer {
  id?: string | undefined
  name?: string | undefined
  transport?:
    | {
        kind: 'stdio'
        command: string
        args?: string[] | undefined
        env?: Record<string, string> | undefined
        cwd?: string | undefined
      }
    | { kind: 'http'; url: string; headers?: Record<string, string> | undefined }
    | undefined
  secretNames?: string[] | undefined
  selectedForChat?: boolean | undefined
  enabled?: boolean | undefined
}

export const fieldsOf = (transport: McpServer['transport']): Fields =>
  transport.kind === 'stdio' ? transport.env : transport.headers
/** Whether no sign-in is wanted: a program on this machine, or a server that knows the person by a header. */
export const knowsUs = (transport: McpServer['transport']): boolean =>
  transport.kind === 'stdio' || Object.keys(transport.headers).some((name) => name.toLowerCase() === 'authorization')

export const addressOf = (transport: McpServer['transport']): string => (transport.kind === 'http' ? transport.url : '')

/** Absent fields are empty ones. */
export function completed(transport: NonNullable<SaveServer['transport']>): McpServer['transport'] {
  if (transport.kind === 'http') return { kind: 'http', url: transport.url.trim(), headers: transport.headers ?? {} }
  const { command, args = [], env = {}, cwd } = transport
  return { kind: 'stdio', command: command.trim(), args, env, ...(cwd === undefined ? {} : { cwd }) }
}

/** Where a server's secrets stand: what is named so, and what looks like one in its arguments or its address. */
export function serverPlaces(secretNames: readonly string[]): Places<McpServer['transport']> {
  const named = placesNamed(secretNames)
  return (transport, replace) =>
    transport.kind === 'stdio'
      ? { ...transport, env: named(transport.env, replace), args: replaceInArguments(transport.args, replace) }
      : { ...transport, headers: named(transport.headers, replace), url: replaceInUrl(transport.url, replace) }
}
