import { argumentProblem, parsedArguments, rejoined } from './arguments'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const propertiesOf = (schema: unknown): Record<string, unknown> =>
  isRecord(schema) && isRecord(schema.properties) ? schema.properties : {}

/** The one argument a bare value can only be meant for: the only one that is needed, else the only one there is. */
function onlyArgument(schema: unknown): string | undefined {
  const names = Object.keys(propertiesOf(schema))
  const needed = isRecord(schema) && Array.isArray(schema.required) ? schema.required : []
  const [only, ...others] = needed.length > 0 ? needed : names
  return others.length === 0 && typeof only === 'string' && names.includes(only) ? only : undefined
}

function typesOf(property: unknown): ReadonlySet<unknown> {
  if (!isRecord(property)) return new Set()
  return new Set(Array.isArray(property.type) ? property.type : [property.type])
}

/** JSON text where a list, a figure or an object is wanted; a lone value where a list is; letters where a text is. */
function mended(property: unknown, value: unknown): unknown {
  const types = typesOf(property)
  if (types.has(undefined) || types.size === 0) return value
  if (types.has('string')) {
    if (typeof value === 'number' || typeof value === 'boolean') return types.size === 1 ? String(value) : value
    return Array.isArray(value) && !types.has('array') ? rejoined(value) : value
  }
  const read = typeof value === 'string' ? parsedArguments(value) : value
  if (!types.has('array')) return read
  return Array.isArray(read) ? read : [read]
}

/**
 * Arguments whose parts came as JSON text, as a lone value or as single letters, in the shape the schema asks for.
 * undefined when that does not make them fit.
 */
export function mendArguments(schema: unknown, asked: unknown): Record<string, unknown> | undefined {
  // Text that is no JSON is more often JSON that was cut off than an argument.
  if (typeof asked === 'string') return undefined
  const [lone, ...more] = Array.isArray(asked) ? asked : [asked]
  const value = more.length === 0 && isRecord(lone) ? lone : asked
  const only = onlyArgument(schema)
  const given = isRecord(value) ? value : only === undefined ? undefined : { [only]: value }
  if (!given) return undefined
  const properties = propertiesOf(schema)
  const fitting = Object.fromEntries(
    Object.entries(given).map(([name, each]) => [name, mended(properties[name], each)]),
  )
  return argumentProblem(schema, fitting) === undefined ? fitting : undefined
}
