/** Characters. */
export const MOST_TOOL_NAME = 64

/** What every provider takes: Gemini wants a letter first, OpenAI no more than 64 characters. */
export function isPlainToolName(name: string): boolean {
  return name.length <= MOST_TOOL_NAME && /^[a-zA-Z][a-zA-Z0-9_-]*$/.test(name)
}

/** Eight hexadecimal digits (FNV-1a, 32 bits) that stay the same over restarts. */
export function nameHash(text: string): string {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

/** Cuts a name that is too long, with a hash of all of it, so that two long names stay two. */
export function cutToolName(name: string): string {
  return name.length <= MOST_TOOL_NAME ? name : `${name.slice(0, MOST_TOOL_NAME - 9)}_${nameHash(name)}`
}

/**
 * A name every provider takes, the same for the same text. What cannot be written in its letters becomes `_`; where
 * nothing would be left, a hash stands for the text.
 */
export function plainToolName(name: string): string {
  if (isPlainToolName(name)) return name
  const written = name.replaceAll(/[^a-zA-Z0-9_-]+/g, '_')
  if (!/[a-zA-Z0-9]/.test(written)) return `tool_${nameHash(name)}`
  return cutToolName(/^[a-zA-Z]/.test(written) ? written : `tool_${written.replace(/^[_-]+/, '')}`)
}
