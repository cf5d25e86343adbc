/** A field of something that may be anything. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

export const textField = (value: unknown, name: string): string => {
  const found = field(value, name)
  return typeof found === 'string' ? found : ''
}

export const listField = (value: unknown, name: string): unknown[] => {
  const found = field(value, name)
  return Array.isArray(found) ? found : []
}
