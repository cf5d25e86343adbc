/** True for every way in which SQLite says that a file is not what it wrote. */
export function isDamageError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^SQLITE_(CORRUPT|NOTADB)/.test(code)
}
