const decode = (bytes: Uint8Array, encoding: string): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** Without a mark: in UTF-16 text of Latin letters every other byte is zero, and always on the same side. */
function guessedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const sample = bytes.subarray(0, 4096)
  let even = 0
  let odd = 0
  sample.forEach((value, index) => {
    if (value !== 0) return
    if (index % 2 === 0) even += 1
    else odd += 1
  })
  const half = sample.length / 2
  if (odd > half * 0.4 && even < half * 0.05) return 'utf-16le'
  if (even > half * 0.4 && odd < half * 0.05) return 'utf-16be'
  return undefined
}

/** More than a few control characters: no text anybody wrote. */
function looksBinary(text: string): boolean {
  const sample = text.slice(0, 8192)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is counted
  const controls = sample.match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g)?.length ?? 0
  return controls > 0 && controls > sample.length * 0.005
}

/**
 * Text of a file in UTF-8, UTF-16 (with or without a mark), or, as the best remaining guess, GB18030 (which holds GBK).
 * Undefined when it is no text.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decode(bytes, 'utf-16le')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decode(bytes, 'utf-16be')
  const wide = guessedUtf16(bytes)
  const encodings = wide ? [wide] : ['utf-8', 'gb18030']
  for (const encoding of encodings) {
    const text = decode(bytes, encoding)
    if (text !== undefined && !looksBinary(text)) return text
  }
  return undefined
}
