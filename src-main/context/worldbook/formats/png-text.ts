import { crc32, inflateSync } from 'node:zlib'
import { AppError } from '../../../ipc/app-error'
import { asMessage, said } from '../../../ipc/said-contract'
import { IMPORT_LIMITS } from './limits'
import type { JsonWarning } from './parse-json'

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const TEXT_TYPES = new Set(['tEXt', 'zTXt', 'iTXt'])
/** V3 wins over V1/V2; NovelAI's stands alone. */
const KEYWORDS = ['ccv3', 'chara', 'naidata']
/** Base64 is a third longer than what it stands for. */
const TEXT_LIMIT = Math.ceil((IMPORT_LIMITS.jsonBytes * 4) / 3)

export function isPng(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, index) => bytes[index] === byte)
}

interface TextChunk {
  keyword: string
  type: string
  body: Uint8Array
  intact: boolean
}

function cutShort(): AppError {
  return new AppError(
    'import.unreadable',
    'The picture is cut short or damaged: it says there is more than the file holds. Download it again.',
  )
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1')
}

/** Walks all chunks, so that a picture with a wrong length is refused as a whole, and keeps the card texts. */
function textChunks(bytes: Uint8Array): TextChunk[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found: TextChunk[] = []
  let at = SIGNATURE.length
  for (;;) {
    if (at + 12 > bytes.length) throw cutShort()
    const length = view.getUint32(at)
    const end = at + 8 + length
    if (length > 0x7fffffff || end + 4 > bytes.length) throw cutShort()
    const type = ascii(bytes, at + 4, at + 8)
    if (type === 'IEND') return found
    if (TEXT_TYPES.has(type)) {
      const data = bytes.subarray(at + 8, end)
      const zero = data.indexOf(0)
      const keyword = zero > 0 && zero < 80 ? ascii(data, 0, zero).trim().toLowerCase() : ''
      if (KEYWORDS.includes(keyword)) {
        const intact = crc32(bytes.subarray(at + 4, end)) === view.getUint32(end)
        found.push({ keyword, type, body: data.subarray(zero + 1), intact })
      }
    }
    at = end + 4
  }
}

function inflateBounded(data: Uint8Array, budget: { bytes: number }): Uint8Array {
  try {
    const text = inflateSync(data, { maxOutputLength: Math.max(1, budget.bytes) })
    budget.bytes -= text.length
    return text
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new AppError(
        'import.too_large',
        'A compressed text inside the picture grows beyond 64 MB. A real card never does: get it from another source.',
        { cause: error },
      )
    }
    throw new AppError('import.unreadable', 'A compressed text inside the picture is damaged. Download it again.', {
      cause: error,
    })
  }
}

/** Text of one chunk; zTXt and iTXt may be compressed (PNG specification, 11.3.3). */
function chunkText(chunk: TextChunk, budget: { bytes: number }): Uint8Array {
  if (chunk.type === 'tEXt') return chunk.body
  if (chunk.type === 'zTXt') return inflateBounded(chunk.body.subarray(1), budget)
  const compressed = chunk.body[0] === 1
  const language = chunk.body.indexOf(0, 2)
  const translated = language === -1 ? -1 : chunk.body.indexOf(0, language + 1)
  if (translated === -1) throw cutShort()
  const text = chunk.body.subarray(translated + 1)
  return compressed ? inflateBounded(text, budget) : text
}

/** The value is base64 by custom; some tools write the JSON as it is. */
function payload(text: Uint8Array): Uint8Array {
  const buffer = Buffer.from(text.buffer, text.byteOffset, text.byteLength)
  const first = buffer.subarray(0, 16).toString('latin1').trimStart()
  if (first.startsWith('{') || first.startsWith('[')) return buffer
  const decoded = Buffer.from(buffer.toString('latin1').trim(), 'base64')
  if (decoded.length > IMPORT_LIMITS.jsonBytes) {
    throw new AppError('import.too_large', 'The card inside the picture is larger than 64 MB. Split its worldbook.')
  }
  if (decoded.length === 0) throw new AppError('import.unreadable', 'The card inside the picture is empty.')
  return decoded
}

/**
 * The JSON of the best card text of a picture, parsed by `parse`: an undamaged copy before a damaged one, then ccv3
 * before chara before naidata. A copy that cannot be read gives way to the next.
 * @throws AppError `import.unreadable` | `import.too_large`
 */
export function readPngCard(
  bytes: Uint8Array,
  parse: (payload: Uint8Array) => unknown,
  warnings: JsonWarning[],
): { keyword: string; json: unknown } {
  const chunks = textChunks(bytes)
  if (chunks.length === 0) {
    throw new AppError(
      'import.unreadable',
      'This picture holds no character card. Image hosts and optimisers strip it: get the original file.',
    )
  }
  const rank = (chunk: TextChunk) => (chunk.intact ? 0 : KEYWORDS.length) + KEYWORDS.indexOf(chunk.keyword)
  const tried = chunks.toSorted((a, b) => rank(a) - rank(b)).slice(0, IMPORT_LIMITS.textChunks)
  const budget = { bytes: TEXT_LIMIT }
  let failure: unknown
  for (const chunk of tried) {
    try {
      const json = parse(payload(chunkText(chunk, budget)))
      if (!chunk.intact) {
        const message = said`The checksum of the picture's "${chunk.keyword}" text is wrong. It could be read; check the texts.`
        warnings.push({ code: 'png_checksum', ...asMessage(message) })
      }
      if (failure !== undefined) {
        const message = said`A better copy of the card in the picture was damaged; "${chunk.keyword}" was read instead.`
        warnings.push({ code: 'png_fallback', ...asMessage(message) })
      }
      return { keyword: chunk.keyword, json }
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'import.too_large') throw error
      failure ??= error
    }
  }
  throw failure
}
