/** What the bytes are, whatever the name says. `text` still has to be decoded. */
export type Sniffed =
  | { kind: 'image'; mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/bmp' | 'image/avif' }
  | { kind: 'pdf'; mediaType: 'application/pdf' }
  | { kind: 'text' }
  | { kind: 'binary'; what: string }

const startsWith = (bytes: Uint8Array, signature: readonly number[], at = 0): boolean =>
  signature.every((value, index) => bytes[at + index] === value)

const ascii = (text: string): number[] => [...text].map((character) => character.charCodeAt(0))

/** Signatures of common files that can be neither shown nor read as text (source: their format specifications). */
const BINARIES: readonly (readonly [readonly number[], string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'a ZIP archive or Office document'],
  [[0x1f, 0x8b], 'a gzip archive'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'a 7z archive'],
  [ascii('Rar!'), 'a RAR archive'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'an old Office document'],
  [[0x7f, 0x45, 0x4c, 0x46], 'a program'],
  [[0x4d, 0x5a, 0x90], 'a program'],
  [ascii('OggS'), 'an audio file'],
  [ascii('ID3'), 'an audio file'],
  [ascii('fLaC'), 'an audio file'],
  [ascii('SQLite format 3'), 'a database'],
]

export function sniff(bytes: Uint8Array): Sniffed {
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
    return { kind: 'image', mediaType: 'image/png' }
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return { kind: 'image', mediaType: 'image/jpeg' }
  if (startsWith(bytes, ascii('GIF8'))) return { kind: 'image', mediaType: 'image/gif' }
  if (startsWith(bytes, ascii('RIFF')) && startsWith(bytes, ascii('WEBP'), 8)) {
    return { kind: 'image', mediaType: 'image/webp' }
  }
  if (startsWith(bytes, ascii('ftypavi'), 4)) return { kind: 'image', mediaType: 'image/avif' }
  if (startsWith(bytes, ascii('BM')) && bytes.length > 30 && bytes[14] === 40) {
    return { kind: 'image', mediaType: 'image/bmp' }
  }
  if (startsWith(bytes, ascii('%PDF-'))) return { kind: 'pdf', mediaType: 'application/pdf' }
  if (startsWith(bytes, ascii('ftyp'), 4)) return { kind: 'binary', what: 'a video' }
  const known = BINARIES.find(([signature]) => startsWith(bytes, signature))
  if (known) return { kind: 'binary', what: known[1] }
  return { kind: 'text' }
}
