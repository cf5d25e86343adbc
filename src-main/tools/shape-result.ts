import { storageError } from '../storage/storage-error'
import type { RawResult } from './tool'
import type { ToolResult } from './tool-gate'

/** What providers take as one image, and as images of one result. */
const MOST_IMAGE_BYTES = 5 * 1024 * 1024
const MOST_IMAGES = 8
/** Nobody's tokeniser makes more of a token than this; counting more of a 50 MB text would take seconds. */
const MOST_CHARACTERS_PER_TOKEN = 8

export interface ResultLimits {
  /** Tokens the model gets of one result. */
  cap: number
  countTokens: (text: string) => number
  /** Keeps bytes by hash. */
  keep: (bytes: Uint8Array, mediaType: string) => Promise<string>
}

/** The front of a text that fits into `cap` tokens, never half a character. */
export function cutToTokens(text: string, cap: number, countTokens: (text: string) => number): string {
  let kept = text.slice(0, cap * MOST_CHARACTERS_PER_TOKEN)
  if (kept.length === text.length && countTokens(kept) <= cap) return text
  for (let tokens = countTokens(kept); tokens > cap && kept !== ''; tokens = countTokens(kept)) {
    kept = kept.slice(0, Math.floor((kept.length * cap * 0.98) / tokens))
  }
  return kept.replace(/[\uD800-\uDBFF]$/u, '')
}

/** What the bytes are, whatever the tool says: a server refuses a request whose image is none. */
export function imageType(bytes: Uint8Array): string | undefined {
  const starts = (...head: number[]) => head.every((byte, at) => bytes[at] === byte)
  if (starts(0x89, 0x50, 0x4e, 0x47)) return 'image/png'
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (starts(0x47, 0x49, 0x46, 0x38)) return 'image/gif'
  const isWebp = starts(0x52, 0x49, 0x46, 0x46) && String.fromCharCode(...bytes.subarray(8, 12)) === 'WEBP'
  return isWebp ? 'image/webp' : undefined
}

async function keepImages(
  given: NonNullable<RawResult['images']>,
  keep: ResultLimits['keep'],
): Promise<{ images: { sha256: string; mediaType: string }[]; notes: string[] }> {
  const images: { sha256: string; mediaType: string }[] = []
  const notes: string[] = []
  for (const { mediaType, dataBase64 } of given) {
    const bytes = Buffer.from(dataBase64, 'base64')
    const size = `${Math.ceil(bytes.length / 1024)} kB`
    const real = imageType(bytes)
    if (real === undefined) notes.push(`[${mediaType}, ${size}: no image this app can show a model]`)
    else if (bytes.length > MOST_IMAGE_BYTES) notes.push(`[${real}, ${size}: too large to be shown]`)
    else if (images.length >= MOST_IMAGES) notes.push(`[${real}, ${size}: left out, ${MOST_IMAGES} are shown]`)
    else {
      const sha256 = await keptOrNot(keep(bytes, real))
      if (sha256 === undefined) notes.push(`[${real}, ${size}: the disk had no room for it]`)
      else images.push({ mediaType: real, sha256 })
    }
  }
  return { images, notes }
}

/** A full disk costs the copy, not the answer that waits for the result. */
async function keptOrNot(keeping: Promise<string>): Promise<string | undefined> {
  try {
    return await keeping
  } catch (error) {
    if (storageError(error)) return undefined
    throw error
  }
}

/** Text cut to the cap with a note and kept whole, images checked and kept, foreign text labelled as data. */
export async function shapeResult(
  raw: RawResult,
  label: string | undefined,
  { cap, countTokens, keep }: ResultLimits,
): Promise<Pick<ToolResult, 'text' | 'fullResultSha256' | 'images'>> {
  const { images, notes } = await keepImages(raw.images ?? [], keep)
  const whole = [raw.text, ...notes].filter((text) => text !== '').join('\n')
  const kept = cutToTokens(whole, cap, countTokens)
  const lines = label === undefined ? [kept] : [label, kept]
  if (kept.length < whole.length) {
    lines.push(`[cut here: ${whole.length - kept.length} of ${whole.length} characters were left out]`)
  }
  const fullResultSha256 =
    kept.length < whole.length ? await keptOrNot(keep(new TextEncoder().encode(whole), 'text/plain')) : undefined
  return {
    text: lines.join('\n'),
    ...(fullResultSha256 === undefined ? {} : { fullResultSha256 }),
    ...(images.length === 0 ? {} : { images }),
  }
}
