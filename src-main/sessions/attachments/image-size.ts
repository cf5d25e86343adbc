export interface ImageSize {
  width: number
  height: number
}

/** Pixels, read from the header alone. Undefined: cut off, or a format whose header does not say it plainly. */
export function imageSize(bytes: Uint8Array, mediaType: string): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const size = SIZES[mediaType]?.(view)
    return size && size.width > 0 && size.height > 0 ? size : undefined
  } catch (error) {
    // a header cut short reads past the end
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const SIZES: Record<string, (view: DataView) => ImageSize | undefined> = {
  'image/png': (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  'image/gif': (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  'image/bmp': (view) => ({ width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) }),
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
}

/** Start-of-frame markers carry the size; every other segment is skipped by its length. */
function jpegSize(view: DataView): ImageSize | undefined {
  let at = 2
  while (at < view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2)
  }
  return undefined
}

function webpSize(view: DataView): ImageSize | undefined {
  const chunk = String.fromCharCode(view.getUint8(12), view.getUint8(13), view.getUint8(14), view.getUint8(15))
  if (chunk === 'VP8X') {
    const read24 = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536 + 1
    return { width: read24(24), height: read24(27) }
  }
  if (chunk === 'VP8L') {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (chunk === 'VP8 ') {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  }
  return undefined
}
