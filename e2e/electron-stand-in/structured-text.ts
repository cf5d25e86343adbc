/**
 * Tagged JSON standing for the structured clone of Electron's IPC; the same code runs on both sides. It is injected
 * into pages as text, so it must not use anything from outside its own body.
 */
export function structuredText() {
  type Tagged = { $: string; v?: unknown; k?: string; n?: string }

  const toBase64 = (bytes: Uint8Array) => {
    let text = ''
    for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
    return btoa(text)
  }
  const fromBase64 = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

  const encodeNumber = (value: number): unknown => {
    if (Object.is(value, -0)) return { $: 'n', v: '-0' }
    return Number.isFinite(value) ? value : { $: 'n', v: String(value) }
  }

  const encodeObject = (value: object): unknown => {
    if (value instanceof Promise) throw new Error('An object could not be cloned.')
    if (value instanceof Date) return { $: 'd', v: value.getTime() }
    if (value instanceof Map) return { $: 'm', v: [...value].map((pair) => pair.map(encode)) }
    if (value instanceof Set) return { $: 's', v: [...value].map(encode) }
    if (value instanceof Error) return { $: 'e', n: value.name, v: value.message }
    if (value instanceof ArrayBuffer) return { $: 'ab', v: toBase64(new Uint8Array(value)) }
    if (ArrayBuffer.isView(value)) {
      const kind = value.constructor.name === 'Buffer' ? 'Uint8Array' : value.constructor.name
      return { $: 'ta', k: kind, v: toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) }
    }
    if (Array.isArray(value)) return value.map(encode)
    const plain = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, encode(inner)]))
    return '$' in plain ? { $: 'o', v: plain } : plain
  }

  const encode = (value: unknown): unknown => {
    if (value === undefined) return { $: 'u' }
    if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
    if (typeof value === 'number') return encodeNumber(value)
    if (typeof value === 'bigint') return { $: 'b', v: String(value) }
    if (typeof value === 'object') return encodeObject(value)
    throw new Error('An object could not be cloned.')
  }

  const decodeArray = (value: unknown) => (value as unknown[]).map(decode)
  const decodeFields = (value: object) =>
    Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, decode(inner)]))

  const decodeTyped = ({ k, v }: Tagged): unknown => {
    const bytes = fromBase64(String(v))
    if (k === 'Uint8Array') return bytes
    const types = globalThis as unknown as Record<string, new (buffer: ArrayBuffer) => unknown>
    const Type = types[String(k)]
    if (!Type) throw new Error(`There is no ${k}.`)
    return new Type(bytes.buffer)
  }

  const decoders: Record<string, (tagged: Tagged) => unknown> = {
    u: () => undefined,
    n: ({ v }) => Number(v),
    b: ({ v }) => BigInt(String(v)),
    d: ({ v }) => new Date(Number(v)),
    m: ({ v }) => new Map((v as unknown[]).map((pair) => decodeArray(pair) as [unknown, unknown])),
    s: ({ v }) => new Set(decodeArray(v)),
    e: ({ v, n }) => Object.assign(new Error(String(v)), { name: n }),
    ab: ({ v }) => fromBase64(String(v)).buffer,
    ta: decodeTyped,
    o: ({ v }) => decodeFields(v as object),
  }

  const decode = (value: unknown): unknown => {
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map(decode)
    const decoder = '$' in value ? decoders[String(value.$)] : undefined
    return decoder ? decoder(value as Tagged) : decodeFields(value)
  }

  return {
    encode: (value: unknown): string => JSON.stringify(encode(value)),
    decode: (text: string): unknown => decode(JSON.parse(text)),
  }
}
