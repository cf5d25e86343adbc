import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { isLoopback, MIN_REMOTE_TOKEN } from './request-guard'

export interface ServeOptions {
  port: number
  host: string
  data: string | undefined
  token: string
  allowedHosts: readonly string[]
}

/** Something in the command line that a person can put right. */
export class UsageError extends Error {}

export const USAGE = `Usage: npm run serve -- [--port 0] [--host 127.0.0.1] [--data DIR] [--token T] [--allow-remote] [--allow-host NAME:PORT]
A host that is not loopback needs --allow-remote and a token of at least ${MIN_REMOTE_TOKEN} characters.`

/** Throws `UsageError` on unknown options, a bad port, or a remote host without its two conditions. */
export function readServeOptions(args: readonly string[]): ServeOptions {
  const values = parse(args)
  const port = Number(values.port)
  if (!/^\d+$/.test(values.port) || port > 65_535) throw new UsageError(`--port ${values.port} is not a port number.`)
  if (!isLoopback(values.host)) {
    if (!values['allow-remote']) {
      throw new UsageError(`--host ${values.host} is reachable from other machines. Add --allow-remote if you mean it.`)
    }
    if ((values.token ?? '').length < MIN_REMOTE_TOKEN) {
      throw new UsageError(`--allow-remote needs --token with at least ${MIN_REMOTE_TOKEN} characters.`)
    }
  }
  if (values.token !== undefined && !/^[\x21-\x7e]+$/.test(values.token)) {
    throw new UsageError('--token may hold only visible ASCII characters, and at least one.')
  }
  return {
    port,
    host: values.host,
    data: values.data,
    token: values.token ?? randomBytes(24).toString('base64url'),
    allowedHosts: values['allow-host'] ?? [],
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '0' },
        host: { type: 'string', default: '127.0.0.1' },
        data: { type: 'string' },
        token: { type: 'string' },
        'allow-remote': { type: 'boolean', default: false },
        'allow-host': { type: 'string', multiple: true },
      },
    }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
