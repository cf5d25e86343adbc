/** `id-1`, `id-2`, …: ids a test can name beforehand. */
export function idSequence(prefix = 'id'): () => string {
  let last = 0
  return () => {
    last += 1
    return `${prefix}-${last}`
  }
}
