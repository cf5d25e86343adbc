export type Schema = Record<string, unknown>

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isText = (value: unknown): value is string => typeof value === 'string'

export const isNumber = (value: unknown): value is number => typeof value === 'number'

export const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : [])

/** Keywords that hold schemas by name; a name in there is no keyword, whatever it is called. */
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const SINGLE = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
])

/** A copy with every schema right below changed; what is no schema there stays. */
export function mapBelow(schema: Schema, change: (below: Schema) => Schema): Schema {
  const one = (value: unknown): unknown => (isSchema(value) ? change(value) : value)
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (MAPS.has(keyword) && isSchema(value)) {
        return [keyword, Object.fromEntries(Object.entries(value).map(([name, below]) => [name, one(below)]))]
      }
      if (LISTS.has(keyword) && Array.isArray(value)) return [keyword, value.map(one)]
      return [keyword, SINGLE.has(keyword) ? one(value) : value]
    }),
  )
}

/** A step of a pointer as it stands in the schema: names with a `%` of their own are not always escaped. */
function stepName(step: string): string {
  const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The part of a schema that `#` or `#/a/b` points at. */
export function pointedAt(root: Schema, pointer: unknown): Schema | undefined {
  if (!isText(pointer) || !/^#($|\/)/.test(pointer)) return undefined
  let node: unknown = root
  for (const step of pointer.slice(1).split('/').slice(1)) {
    const name = stepName(step)
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return undefined
    node = (node as Schema)[name]
  }
  return isSchema(node) ? node : undefined
}

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
