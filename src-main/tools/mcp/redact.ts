/** Shorter values would blank out ordinary words. */
const LEAST_SECRET = 6

/** Replaces the values a person keeps secret, wherever a server repeats them. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const known = secrets.filter((secret) => secret.length >= LEAST_SECRET).sort((a, b) => b.length - a.length)
  // A header says `Bearer KEY`: the key alone is a secret too.
  const parts = known.flatMap((secret) => secret.split(/\s+/).filter((part) => part.length >= 2 * LEAST_SECRET))
  const all = [...new Set([...known, ...parts])]
  return (text) => all.reduce((left, secret) => left.replaceAll(secret, '•••'), text)
}
