import { foldText, toNfc } from './fold'

export type ParsedKey =
  | { kind: 'blank' }
  | { kind: 'literal'; exact: string; folded: string; broken?: string }
  | { kind: 'pattern'; source: string; flags: string }

const SLASHED = /^\/([\s\S]+)\/([a-zA-Z]*)$/
const PATTERN_SYNTAX = /[\\|[\](){}*+?^$]/

/** Flags only from `gimsuy`, none twice; a slash inside must be escaped. Anything else is literal text, as in SillyTavern. */
function slashed(text: string): { source: string; flags: string } | undefined {
  const [, source, flags] = SLASHED.exec(text) ?? []
  if (source === undefined || flags === undefined) return undefined
  if (!/^[gimsuy]*$/.test(flags) || new Set(flags).size !== flags.length) return undefined
  if (/(?:^|[^\\])(?:\\\\)*\//.test(source)) return undefined
  return { source, flags: flags.replace('g', '') }
}

function compileError(source: string, flags: string): string | undefined {
  try {
    new RegExp(source, flags)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The text a literal key stands for: trimmed, composed. NUL cannot occur in a key (it parts the terms sent to the worker). */
export function exactKey(raw: string): string {
  return toNfc(raw.trim().replaceAll('\u0000', ''))
}

export function parseKey(raw: string, regexKeys: boolean, caseSensitive: boolean): ParsedKey {
  const exact = exactKey(raw)
  if (exact === '') return { kind: 'blank' }
  const literal = { kind: 'literal', exact, folded: foldText(exact) } as const
  const form = exact.startsWith('/') ? slashed(exact) : undefined
  const pattern =
    form ?? (regexKeys && PATTERN_SYNTAX.test(exact) ? { source: exact, flags: caseSensitive ? '' : 'i' } : undefined)
  if (!pattern) return literal
  const broken = compileError(pattern.source, pattern.flags)
  return broken === undefined ? { kind: 'pattern', ...pattern } : { ...literal, broken }
}
