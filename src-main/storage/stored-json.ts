/**
 * What a column holds as JSON. A text nobody can read any more, or a value of another shape than the usual one, gives the
 * usual one: one damaged row must not hide the others.
 */
export function storedJson<T>(text: string, usual: T): T {
  try {
    const value: unknown = JSON.parse(text)
    if (usual === undefined) return value as T
    const fits = Array.isArray(value) === Array.isArray(usual) && typeof value === typeof usual && value !== null
    return fits ? (value as T) : usual
  } catch (error) {
    if (error instanceof SyntaxError) return usual
    throw error
  }
}

/** The same where nothing stands for what cannot be read. */
export function storedObject<T extends object>(text: string | null): T | undefined {
  if (text === null) return undefined
  const value = storedJson<Partial<T>>(text, {})
  return Object.keys(value).length > 0 ? (value as T) : undefined
}
