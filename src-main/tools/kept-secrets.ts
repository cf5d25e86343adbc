import { HIDDEN } from './secret-places'

/** The entries of an environment, or headers. */
export type Fields = Record<string, string>

/** The key store, as this room uses it: one value per owner and name. */
export interface SecretStore {
  put(owner: string, name: string, value: string): Promise<void>
  get(owner: string, name: string): Promise<string | undefined>
  /** Without a name all of the owner's. */
  remove(owner: string, name?: string): void
}

/** What has places for secrets: an environment, headers, an argument list, an address. */
export type Places<T> = (value: T, replace: (place: string, secret: string) => string) => T

/** The entries with these names are the places of an environment. */
export const placesNamed =
  (names: readonly string[]): Places<Fields> =>
  (fields, replace) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, names.includes(name) ? replace(name, value) : value]),
    )

/** What may be shown and stored: dots where secrets stand. */
export const masked = <T>(value: T, places: Places<T>): T => places(value, () => HIDDEN)

/** Keeps what is new, leaves what came back as dots, and forgets what is gone. `old` is what was stored before. */
export async function keepSecrets<T>(
  store: SecretStore,
  owner: string,
  given: { value: T; places: Places<T> },
  old?: { value: T; places: Places<T> },
): Promise<void> {
  const before = old ? secretsIn(old.value, old.places) : new Map<string, string>()
  const found = secretsIn(given.value, given.places)
  for (const [place, secret] of found) {
    // One of before secrets were kept apart stands in the old value still.
    const real = secret === HIDDEN ? before.get(place) : secret
    if (real !== undefined && real !== HIDDEN && (real !== '' || secret === '')) await store.put(owner, place, real)
  }
  for (const place of before.keys()) if (!found.has(place)) store.remove(owner, place)
}

function secretsIn<T>(value: T, places: Places<T>): Map<string, string> {
  const found = new Map<string, string>()
  places(value, (place, secret) => {
    found.set(place, secret)
    return secret
  })
  return found
}

/** The value as it is used, and every secret in it. */
export async function withKept<T>(
  store: SecretStore,
  owner: string,
  value: T,
  places: Places<T>,
): Promise<{ value: T; secrets: string[] }> {
  const kept = new Map<string, string>()
  for (const [place, secret] of secretsIn(value, places)) {
    const real = secret === HIDDEN || secret === '' ? await store.get(owner, place) : secret
    if (real !== undefined) kept.set(place, real)
  }
  return { value: places(value, (place) => kept.get(place) ?? ''), secrets: [...kept.values()] }
}
