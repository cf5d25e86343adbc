import { createHash } from 'node:crypto'

/**
 * What two texts must share to be one memory: width, white space, the case of the first letter and a final full stop
 * do not count. Everything else does: "US" is not "us", and 2³ is not 23.
 */
export function normalText(text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/[\uFF01-\uFF5E]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.。]+$/, '')
  const [first = '', second = ''] = plain
  // "NASA launched" keeps its capitals; "The user" and "the user" are one.
  const lowered = second === second.toUpperCase() && /\p{L}/u.test(second) ? first : first.toLowerCase()
  return lowered + plain.slice(first.length)
}

export function normalHash(text: string): string {
  return createHash('sha256').update(normalText(text)).digest('base64url')
}
