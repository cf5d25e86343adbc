import { asOneObject } from './one-object'
import { isNumber, isSchema, isText, pointedAt, type Schema, textsIn } from './walk'

/** What Gemini reads of a schema, and as what; every other keyword or kind of value makes it refuse the whole request. */
const KEPT: Readonly<Record<string, (value: unknown) => boolean>> = {
  title: isText,
  description: isText,
  pattern: isText,
  default: () => true,
  minItems: isNumber,
  maxItems: isNumber,
  minLength: isNumber,
  maxLength: isNumber,
  minimum: isNumber,
  maximum: isNumber,
}
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: ['date-time', 'enum'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
}
/** Schemas that refer to themselves or to many others end here. */
const MOST_DEPTH = 12
const MOST_SCHEMAS = 2000
const MOST_JOINS = 4

interface Walk {
  root: Schema
  depth: number
  left: { count: number }
}

function told(schema: Schema, words: string): Schema {
  return { ...schema, description: [schema.description, words].filter(isText).filter(Boolean).join(' ') }
}

function kindOf(schema: Schema): string {
  if (isSchema(schema.properties)) return 'object'
  if ('items' in schema || 'prefixItems' in schema) return 'array'
  const [value] = Array.isArray(schema.enum) ? schema.enum : []
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value === 'boolean' ? 'boolean' : 'string'
}

/** Fixed values: a list where they are texts and none is empty; Gemini knows no other lists, so others are told. */
function withValues(plain: Schema, schema: Schema): Schema {
  const given = 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : []
  const values = given.filter((value) => value !== null)
  if (values.length === 0) return plain
  if (plain.type === 'string' && values.every((value) => isText(value) && value !== ''))
    return { ...plain, enum: values }
  return told(plain, `One of: ${values.map((value) => JSON.stringify(value)).join(', ')}.`)
}

function withLimits(plain: Schema, schema: Schema): Schema {
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema
  const words = [
    typeof above === 'number' ? `More than ${above}.` : '',
    typeof below === 'number' ? `Less than ${below}.` : '',
  ].filter(Boolean)
  return words.length > 0 ? told(plain, words.join(' ')) : plain
}

/**
 * Follows a pointer and joins what must hold together, so that one schema is left to write. `joins`: how many lists this
 * one stands in, because a list may point back at itself.
 */
function resolved(schema: Schema, walk: Walk, joins = 0): Schema {
  let one = schema
  for (let hops = 0; hops < MOST_DEPTH && '$ref' in one; hops += 1) {
    const { $ref, ...own } = one
    one = { ...pointedAt(walk.root, $ref), ...own }
  }
  const { $ref: _rest, ...whole } = one
  if (!Array.isArray(whole.allOf)) return whole
  const within = joins < MOST_JOINS ? whole.allOf.filter(isSchema) : []
  const parts = within.map((part) => resolved(part, walk, joins + 1))
  if ([whole, ...parts].some((part) => isSchema(part.properties))) return asOneObject(whole, walk.root)
  const { allOf: _parts, ...own } = whole
  return Object.assign({}, ...parts, own)
}

function plainParts(schema: Schema, type: string, walk: Walk): Schema {
  if (type === 'array') {
    const kinds = Array.isArray(schema.prefixItems) ? schema.prefixItems.filter(isSchema) : []
    const items = kinds.length > 0 ? (kinds.length === 1 ? kinds[0] : { anyOf: kinds }) : schema.items
    return { items: plain(isSchema(items) ? items : {}, walk) }
  }
  if (type !== 'object' || !isSchema(schema.properties)) return {}
  const properties = Object.fromEntries(
    Object.entries(schema.properties).map(([name, below]) => [name, plain(isSchema(below) ? below : {}, walk)]),
  )
  const required = textsIn(schema.required).filter((name) => Object.hasOwn(properties, name))
  return { properties, ...(required.length > 0 ? { required } : {}) }
}

function ofType(schema: Schema, type: string, walk: Walk): Schema {
  const kept = Object.fromEntries(
    Object.entries(schema).filter(([keyword, value]) => Object.hasOwn(KEPT, keyword) && KEPT[keyword]?.(value)),
  )
  const format = isText(schema.format) && FORMATS[type]?.includes(schema.format) ? { format: schema.format } : {}
  return withLimits(withValues({ type, ...kept, ...format, ...plainParts(schema, type, walk) }, schema), schema)
}

function plain(given: Schema, { root, depth, left }: Walk): Schema {
  left.count -= 1
  if (depth >= MOST_DEPTH || left.count < 0) return { type: 'string', description: 'Anything, as JSON.' }
  const walk = { root, depth: depth + 1, left }
  const schema = resolved(given, walk)
  const choices = [schema.anyOf, schema.oneOf].find(Array.isArray)?.filter(isSchema) ?? []
  const types = Array.isArray(schema.type) ? textsIn(schema.type) : isText(schema.type) ? [schema.type] : []
  const nullable =
    types.includes('null') || schema.nullable === true || choices.some(({ type }) => type === 'null')
      ? { nullable: true }
      : {}
  const kinds = types.filter((type) => type !== 'null')
  const alternatives = choices.filter(({ type }) => type !== 'null')
  if (alternatives.length > 1) {
    const words = isText(schema.description) ? { description: schema.description } : {}
    return { anyOf: alternatives.map((one) => plain(one, walk)), ...words, ...nullable }
  }
  const [only] = alternatives
  if (only) {
    const { anyOf: _any, oneOf: _one, ...own } = schema
    return { ...plain({ ...only, ...own }, walk), ...nullable }
  }
  if (kinds.length > 1) {
    const { description, ...rest } = schema
    const words = isText(description) ? { description } : {}
    return { anyOf: kinds.map((type) => ofType(rest, type, walk)), ...words, ...nullable }
  }
  return { ...ofType(schema, kinds[0] ?? kindOf(schema), walk), ...nullable }
}

const known = new WeakMap<object, Schema>()

/** A fitted schema in the subset that Gemini reads: nothing pointed at, no fixed values but lists of texts. */
export function plainSchema(schema: Schema, root: Schema = schema): Schema {
  const before = known.get(schema)
  if (before) return before
  const walk = { root, depth: 0, left: { count: MOST_SCHEMAS } }
  const made = { properties: {}, ...plain(schema, walk) }
  known.set(schema, made)
  return made
}
