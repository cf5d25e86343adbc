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

/** For models that read no images: those of tool results become a note. The stored answer keeps them. */
export function withoutToolImages(messages: readonly WireMessage[]): WireMessage[] {
  return messages.map((message) =>
    message.role === 'tool' ? { ...message, parts: message.parts.map(withNote) } : message,
  )
}
