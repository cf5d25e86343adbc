import { AppError } from '../ipc/app-error'
import { type Said, said } from '../ipc/said-contract'

/** What the way itself sets for each request; a value of ours would break it. */
const SET_BY_THE_APP = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const CONTROL = /[^\P{Cc}\t]/u
/** HTTP carries one byte a character. */
const BEYOND_A_BYTE = /[^\0-\u00ff]/u

function problemOf(name: string, value: string): Said | undefined {
  if (!NAME.test(name)) return said`"${name}" is no header a request can carry.`
  if (SET_BY_THE_APP.has(name.toLowerCase())) {
    return said`The header "${name}" is set for each request by the app itself. Remove it here.`
  }
  if (CONTROL.test(value)) {
    return said`The header "${name}" cannot be sent: its value holds a line break or another control character. Write it on one line.`
  }
  const odd = BEYOND_A_BYTE.exec(value)?.[0]
  if (odd === undefined) return undefined
  return said`The header "${name}" cannot be sent: its value holds "${odd}". Headers take Latin letters, digits and usual signs only.`
}

/** The value as it is stored, without white space around it. Throws `bad_input` for what no request can carry. */
export function cleanHeader(name: string, raw: string): string {
  const value = raw.trim()
  const problem = problemOf(name, value)
  if (problem !== undefined) throw new AppError('bad_input', problem, { details: { path: `headers.${name}` } })
  return value
}
