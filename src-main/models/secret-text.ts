const SECRET_HEADER = /auth|key|token|secret|password|cookie|credential|signature/i
/** Names that match the rule above and hold nothing secret. */
const PLAIN_HEADERS = new Set([
  'anthropic-dangerous-direct-browser-access',
  'idempotency-key',
  'x-stainless-retry-count',
])

/** Shown in place of a secret value. As an input it means "keep what is stored". */
export const REDACTED = '[redacted]'

export function isSecretHeader(name: string): boolean {
  return SECRET_HEADER.test(name) && !PLAIN_HEADERS.has(name.toLowerCase())
}

/** Header names in lower case, secret values replaced. */
export function redactHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].map(([name, value]) => [name, isSecretHeader(name) ? REDACTED : value]))
}

/** Removes known secrets, and what looks like a bearer token, from a text that is going to be shown. */
export function scrub(text: string, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret.length >= 4).toSorted((a, b) => b.length - a.length)
  const cleaned = known.reduce((left, secret) => left.replaceAll(secret, REDACTED), text)
  return cleaned.replaceAll(/\b(bearer\s+)[\w.~+/=-]{8,}/gi, `$1${REDACTED}`).replaceAll(/\bsk-[\w-]{12,}/g, REDACTED)
}
