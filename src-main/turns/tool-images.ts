import { defuse } from '../context/assemble/borders'
import { frame } from '../context/assemble/render-block'
import type { RequestPart, WireMessage } from '../context/request-contract'

function withNote(part: RequestPart): RequestPart {
  if (part.type !== 'tool-result' || !part.images?.length) return part
  const { images, ...rest } = part
  const what = images.length === 1 ? '1 image was' : `${images.length} images were`
  const border = part.pieces.some((piece) => piece.text !== '') ? '\n' : ''
  const note = frame('history', 'tool-images', `${border}[${what} returned; this model reads no images]`)
  return { ...rest, pieces: [...part.pieces, note] }
}

/** A picture of an earlier message, from when another model answered. */
function asNote(part: RequestPart, index: number): RequestPart {
  if (part.type !== 'image') return part
  const border = index > 0 ? '\n' : ''
  const text = `${border}[image ${JSON.stringify(part.name)} left out; this model reads no images]`
  return { type: 'text', pieces: [frame('history', 'images', defuse(text, 'any'))] }
}

const holdsImage = (part: RequestPart): boolean =>
  part.type === 'image' || (part.type === 'tool-result' && (part.images?.length ?? 0) > 0)

/** For models that read no images: those of tool results and earlier messages become a note. What is stored keeps them. */
export function withoutImages(messages: readonly WireMessage[]): readonly WireMessage[] {
  if (!messages.some(({ parts }) => parts.some(holdsImage))) return messages
  return messages.map((message) =>
    message.parts.some(holdsImage) ? { ...message, parts: message.parts.map(withNote).map(asNote) } : message,
  )
}
