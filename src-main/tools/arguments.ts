import { Ajv } from 'ajv'
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js'
import { type Said, said } from '../ipc/said-contract'
import { modernSchema } from './schemas/fit-schema'

/** A schema beyond this is refused: it would cost more than most windows hold. */
export const MOST_SCHEMA_CHARACTERS = 64_000

const lenient = {
  strict: false,
  validateFormats: false,
  validateSchema: false,
  addUsedSchema: false,
  logger: false,
} as const
const ajv = new Ajv2020(lenient)
/** Generators of schemas still write its lists of `items`. */
const draft7 = new Ajv(lenient)
// A server's regular expression can take minutes over a short text: patterns are the server's own to check.
ajv.removeKeyword('pattern').removeKeyword('patternProperties')
const compiled = new WeakMap<object, ValidateFunction | 'invalid'>()

const problems = new WeakMap<object, { problem: Said | undefined }>()

/** Why a schema cannot be offered; undefined = it can. One bad schema would make a provider refuse the whole request. */
export function schemaProblem(schema: unknown): Said | undefined {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return 'Its schema is not an object.'
  const known = problems.get(schema)
  if (known) return known.problem
  let problem: Said | undefined
  try {
    problem = problemOf(schema)
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError || error instanceof URIError)) throw error
    problem = 'Its schema refers to itself, or is nested too deep to be written as JSON.'
  }
  problems.set(schema, { problem })
  return problem
}

function problemOf(schema: object): Said | undefined {
  const text = JSON.stringify(schema)
  if (text.length > MOST_SCHEMA_CHARACTERS)
    return said`Its schema has ${text.length} characters; at most ${MOST_SCHEMA_CHARACTERS} are offered to a model.`
  const { $schema: _dialect, $id: _id, ...bare } = schema as Record<string, unknown>
  const types = Array.isArray(bare.type) ? bare.type : [bare.type ?? 'object']
  if (!types.includes('object')) return 'Its schema is not of type object.'
  if (!ajv.validateSchema(bare) && !draft7.validateSchema(bare) && !ajv.validateSchema(modernSchema(bare))) {
    const [first] = ajv.errors ?? []
    return said`Its schema is invalid: ${first?.instancePath || 'it'} ${first?.message ?? 'does not fit JSON Schema'}.`
  }
  return pointersOf(schema).some((pointer) => !resolves(schema, pointer))
    ? 'Its schema points to a part that is not there.'
    : undefined
}

/** Every `$ref` of a schema. Its size is bounded by now, and so is its depth. */
function pointersOf(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value] : pointersOf(value),
  )
}

/** A place inside the same schema, `#` or `#/…`: nothing is fetched. */
function resolves(schema: object, pointer: string): boolean {
  if (!pointer.startsWith('#')) return false
  let node: unknown = schema
  for (const step of pointer.slice(1).split('/').slice(1)) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return false
    node = (node as Record<string, unknown>)[name]
  }
  return true
}

/** Models send arguments as an object, as JSON text, or as JSON text of JSON text. What is no JSON stays text. */
export function parsedArguments(given: unknown): unknown {
  let value = given
  for (let depth = 0; typeof value === 'string' && depth < 2; depth += 1) {
    if (value.trim() === '') return {}
    try {
      value = JSON.parse(value)
    } catch {
      return value
    }
  }
  return value
}

/** Drafts older than the validators are read as they are offered. */
function compiles(schema: object): ValidateFunction | undefined {
  try {
    return ajv.compile(schema)
  } catch {
    return undefined
  }
}

/** What does not fit, in words for the model; undefined = fits. A schema that does not compile checks nothing. */
export function argumentProblem(schema: unknown, given: Record<string, unknown>): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined
  let validate = compiled.get(schema)
  if (validate === undefined) {
    try {
      const { $schema: _dialect, $id: _id, ...bare } = schema as Record<string, unknown>
      validate = compiles(bare) ?? ajv.compile(modernSchema(bare))
    } catch {
      validate = 'invalid'
    }
    compiled.set(schema, validate)
  }
  if (validate === 'invalid' || validate(given)) return undefined
  const [first] = validate.errors ?? []
  return first
    ? `${first.instancePath === '' ? 'the arguments' : first.instancePath} ${first.message ?? 'do not fit'}`
    : 'the arguments do not fit'
}

const LEAST_LETTERS = 3

/** A text that fell apart into its letters is one text again; any other list stays what it is. */
export function rejoined(list: readonly unknown[]): unknown {
  const isLetter = (entry: unknown) => typeof entry === 'string' && [...entry].length === 1
  return list.length >= LEAST_LETTERS && list.every(isLetter) ? list.join('') : list
}

/** A list that may arrive as an array, as JSON text of an array, or as words between commas (never one letter a row). */
export function readList(given: unknown): string[] {
  if (given === undefined || given === null) return []
  const whole = Array.isArray(given) ? rejoined(given) : given
  if (Array.isArray(whole))
    return whole.flatMap((entry) => (typeof entry === 'string' ? [entry.trim()] : [])).filter(Boolean)
  if (typeof whole !== 'string') return []
  const text = whole.trim()
  if (text.startsWith('[')) {
    try {
      return readList(JSON.parse(text))
    } catch {
      // Not JSON after all: read it as words.
    }
  }
  return text
    .split(/[,，、;；\n]/u)
    .map((word) => word.trim())
    .filter(Boolean)
}

/** A number that may arrive as text; undefined when it is neither. */
export function readNumber(given: unknown): number | undefined {
  const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
