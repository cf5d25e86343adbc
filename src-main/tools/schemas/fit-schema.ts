import { asOneObject } from './one-object'
import { plainSchema } from './plain-schema'
import { isSchema, isText, mapBelow, pointedAt, type Schema, textsIn } from './walk'

/** The first drafts said with a word what later ones say with the number. */
function numericLimits(schema: Schema): Schema {
  const fitted = { ...schema }
  for (const [flag, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof fitted[flag] !== 'boolean') continue
    if (fitted[flag] && typeof fitted[limit] === 'number') {
      fitted[flag] = fitted[limit]
      delete fitted[limit]
    } else delete fitted[flag]
  }
  return fitted
}

const isList = ({ type }: Schema): boolean => type === 'array' || (Array.isArray(type) && type.includes('array'))

/** Every list says what it holds, in one schema. */
function listedItems(schema: Schema): Schema {
  const { items } = schema
  if (Array.isArray(items)) {
    const kinds = items.filter(isSchema)
    return { ...schema, items: kinds.length === 1 ? kinds[0] : kinds.length === 0 ? {} : { anyOf: kinds } }
  }
  if (isSchema(items) || !(isList(schema) || items !== undefined)) return schema
  return { ...schema, items: {} }
}

/** `required: true` on a property is the first draft's way to say what its object requires. */
function requiredByName(schema: Schema): Schema {
  if (!isSchema(schema.properties)) {
    if (typeof schema.required !== 'boolean') return schema
    const { required: _flag, ...rest } = schema
    return rest
  }
  const flagged = Object.entries(schema.properties).flatMap(([name, one]) =>
    isSchema(one) && one.required === true ? [name] : [],
  )
  const { required, ...rest } = schema
  const names = [...new Set([...textsIn(required), ...flagged])]
  return names.length > 0 ? { ...rest, required: names } : rest
}

/** Old and loose forms in today's words; what is wrong stays wrong. */
export function modernSchema(schema: Schema): Schema {
  return mapBelow(listedItems(numericLimits(requiredByName(schema))), modernSchema)
}

/** Keywords no provider reads for the arguments of a tool. */
const FOR_VALIDATORS = ['$schema', '$id', '$comment'] as const

function pointersOf(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => (key === '$ref' && isText(value) ? [value] : pointersOf(value)))
}

const known = new WeakMap<object, Schema>()

/**
 * A tool's schema as any provider takes it: an object at the top with properties, lists that say what they hold, limits
 * as numbers. It describes what the original describes, or a little more: arguments are checked against the original.
 */
export function fitSchema(schema: unknown): Schema {
  if (!isSchema(schema)) return { type: 'object', properties: {} }
  const before = known.get(schema)
  if (before) return before
  const whole = modernSchema(schema)
  for (const keyword of FOR_VALIDATORS) delete whole[keyword]
  const flat = asOneObject(whole)
  // what pointed into a list that is gone is written out instead
  const made = pointersOf(flat).every((pointer) => pointedAt(flat, pointer)) ? flat : plainSchema(flat, whole)
  known.set(schema, made)
  return made
}
