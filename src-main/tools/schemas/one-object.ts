import { isSame, isSchema, isText, pointedAt, type Schema, textsIn } from './walk'

/** An object written as one list of properties. */
interface Flat {
  properties: Map<string, unknown>
  required: Set<string>
  notes: string[]
}

/** Deep enough for what people write, and an end for what points at itself. */
const MOST_DEPTH = 8

const valuesOf = (schema: unknown): unknown[] | undefined => {
  if (!isSchema(schema)) return undefined
  if ('const' in schema) return [schema.const]
  return Array.isArray(schema.enum) ? schema.enum : undefined
}

/** One property that two alternatives describe: their values together, else either description. */
function either(one: unknown, other: unknown): unknown {
  if (isSame(one, other)) return one
  const [values, more] = [valuesOf(one), valuesOf(other)]
  if (isSchema(one) && isSchema(other) && values && more) {
    const { const: _const, ...rest } = one
    return { ...rest, enum: [...values, ...more.filter((value) => !values.some((known) => isSame(known, value)))] }
  }
  const known = isSchema(one) && Array.isArray(one.anyOf) && Object.keys(one).length === 1 ? one.anyOf : [one]
  return known.some((alternative) => isSame(alternative, other)) ? one : { anyOf: [...known, other] }
}

function add(into: Flat, from: Flat): void {
  for (const [name, schema] of from.properties) {
    into.properties.set(name, into.properties.has(name) ? either(into.properties.get(name), schema) : schema)
  }
  into.notes.push(...from.notes)
}

const namesOf = (flat: Flat): string =>
  [...(flat.required.size > 0 ? flat.required : flat.properties.keys())].join(', ')

/** Lists of which one holds: what all of them need is needed, and a note says what each is. */
function addAlternatives(into: Flat, alternatives: readonly Flat[]): void {
  const [first, ...others] = alternatives
  if (!first) return
  for (const alternative of alternatives) add(into, alternative)
  for (const name of first.required) if (others.every(({ required }) => required.has(name))) into.required.add(name)
  const told = [...new Set(alternatives.map(namesOf))].filter(Boolean)
  if (told.length > 1) into.notes.push(`Give one of these: ${told.map((names) => `(${names})`).join(' or ')}.`)
}

function flatten(schema: Schema, root: Schema, depth: number): Flat {
  const flat: Flat = { properties: new Map(), required: new Set(textsIn(schema.required)), notes: [] }
  if (isSchema(schema.properties))
    for (const [name, one] of Object.entries(schema.properties)) flat.properties.set(name, one)
  if (depth >= MOST_DEPTH) return flat
  const below = (value: unknown): Flat[] => {
    const list = Array.isArray(value) ? value.filter(isSchema) : []
    return list.map((one) => flatten(one, root, depth + 1))
  }
  const target = pointedAt(root, schema.$ref)
  for (const part of [...(target ? [flatten(target, root, depth + 1)] : []), ...below(schema.allOf)]) {
    add(flat, part)
    for (const name of part.required) flat.required.add(name)
  }
  addAlternatives(flat, below(schema.anyOf))
  addAlternatives(flat, below(schema.oneOf))
  if (isSchema(schema.not)) {
    const never = textsIn(schema.not.required)
    if (never.length > 0) flat.notes.push(`Do not give ${never.join(', ')}${never.length > 1 ? ' together' : ''}.`)
  }
  return flat
}

const TAKEN_IN = new Set(['$ref', 'anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', 'type', 'properties', 'required'])

/**
 * The same arguments as one object with a list of properties, which is all that most providers read at the top. What
 * only a choice between lists could say is told in the description.
 */
export function asOneObject(schema: Schema, root: Schema = schema): Schema {
  const { properties, required, notes } = flatten(schema, root, 0)
  const rest = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !TAKEN_IN.has(keyword)))
  const words = [isText(schema.description) ? schema.description : '', ...new Set(notes)].filter(Boolean).join(' ')
  const needed = [...required].filter((name) => properties.has(name))
  return {
    type: 'object',
    ...rest,
    ...(words === '' ? {} : { description: words }),
    properties: Object.fromEntries(properties),
    ...(needed.length > 0 ? { required: needed } : {}),
  }
}
