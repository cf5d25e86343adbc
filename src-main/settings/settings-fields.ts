import { AppError } from '../ipc/app-error'
import { said } from '../ipc/said-contract'

export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Two settings are maps of the user's own keys: a patch replaces them whole, so that a key can be removed. */
export const WHOLE: ReadonlySet<string> = new Set(['general.shortcuts', 'context.templates'])

/** `base` with the fields of `patch` put over it, group by group. */
export function mergeFields(base: Fields, patch: Fields, path = ''): Fields {
  const merged: Fields = { ...base }
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue
    const here = path === '' ? name : `${path}.${name}`
    const before = merged[name]
    merged[name] = isFields(value) && isFields(before) && !WHOLE.has(here) ? mergeFields(before, value, here) : value
  }
  return merged
}

/** The fields in which a value differs from the default: what is worth storing. Undefined when none does. */
export function changedFields(value: Fields, defaults: Fields): Fields | undefined {
  const changed: Fields = {}
  for (const [name, own] of Object.entries(value)) {
    const byDefault = defaults[name]
    if (JSON.stringify(own) === JSON.stringify(byDefault)) continue
    const inner = isFields(own) && isFields(byDefault) ? changedFields(own, byDefault) : own
    changed[name] = inner ?? own
  }
  return Object.keys(changed).length > 0 ? changed : undefined
}

export const pathText = (path: readonly PropertyKey[]): string => path.map(String).join('.')

/** Takes one value out; an empty path takes nothing. */
export function withoutPath(fields: Fields, path: readonly string[]): Fields {
  const [name, ...rest] = path
  if (name === undefined || !(name in fields)) return fields
  const { [name]: inner, ...others } = fields
  if (rest.length === 0 || !isFields(inner)) return others
  const left = withoutPath(inner, rest)
  return Object.keys(left).length > 0 ? { ...others, [name]: left } : others
}

/** @throws bad_input when the path names no setting */
export function requirePath(defaults: Fields, path: string): string[] {
  const names = path.split('.')
  let at: unknown = defaults
  for (const name of names) {
    if (!isFields(at) || !Object.hasOwn(at, name)) {
      throw new AppError('bad_input', said`There is no setting named \`${path}\`.`, { details: { path } })
    }
    at = at[name]
  }
  return names
}
