import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js'

/** A schema beyond this is refused: it would cost more than most windows hold. */
export const MOST_SCHEMA_CHARACTERS = 64_000

const ajv = new Ajv2020({
  strict: false,
  validateFormats: false,
  allErrors: false,
  validateSchema: false,
  addUsedSchema: false,
})
const compiled = new WeakMap<object, ValidateFunction | 'invalid'>()

/** Why a schema cannot be offered; undefined = it can. */
export function schemaProblem(schema: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return 'Its schema is not an object.'
  let size: number
  try {
    size = JSON.stringify(schema).length
  } catch {
    return 'Its schema refers to itself and cannot be written as JSON.'
  }
  if (size > MOST_SCHEMA_CHARACTERS)
    return `Its schema has ${size} characters; at most ${MOST_SCHEMA_CHARACTERS} are offered to a model.`
  return undefined
}

/** Models send arguments as an object, as JSON text, or as JSON text of JSON text. */
export function readArguments(given: unknown): Record<string, unknown> | undefined {
  let value = given
  for (let depth = 0; typeof value === 'string' && depth < 2; depth += 1) {
    if (value.trim() === '') return {}
    try {
      value = JSON.parse(value)
    } catch {
      return undefined
    }
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

/** What does not fit, in words for the model; undefined = fits. A schema that does not compile checks nothing. */
export function argumentProblem(schema: unknown, given: Record<string, unknown>): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined
  let validate = compiled.get(schema)
  if (validate === undefined) {
    try {
      const { $schema: _dialect, $id: _id, ...bare } = schema as Record<string, unknown>
      validate = ajv.compile(bare)
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

/** A list that may arrive as an array, as JSON text of an array, or as words between commas (never one letter a row). */
export function readList(given: unknown): string[] {
  if (given === undefined || given === null) return []
  if (Array.isArray(given))
    return given.flatMap((entry) => (typeof entry === 'string' ? [entry.trim()] : [])).filter(Boolean)
  if (typeof given !== 'string') return []
  const text = given.trim()
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
