import { crc32, deflateSync } from 'node:zlib'

/** Builders for small real pictures with texts inside; tests only. */

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export function chunk(type: string, data: Uint8Array, options: { length?: number; checksum?: number } = {}): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const head = Buffer.alloc(4)
  head.writeUInt32BE(options.length ?? data.length)
  const tail = Buffer.alloc(4)
  tail.writeUInt32BE(options.checksum ?? crc32(body))
  return Buffer.concat([head, body, tail])
}

const latin = (text: string) => Buffer.from(text, 'latin1')
const base64 = (value: unknown) => latin(Buffer.from(JSON.stringify(value), 'utf8').toString('base64'))

export const textChunk = (keyword: string, value: unknown, options: { checksum?: number } = {}) =>
  chunk('tEXt', Buffer.concat([latin(`${keyword}\0`), base64(value)]), options)

export const zTextChunk = (keyword: string, text: Uint8Array) =>
  chunk('zTXt', Buffer.concat([latin(`${keyword}\0\0`), deflateSync(text)]))

export const iTextChunk = (keyword: string, value: unknown, compressed: boolean) => {
  const text = base64(value)
  const head = Buffer.concat([latin(`${keyword}\0`), Buffer.from([compressed ? 1 : 0, 0]), latin('en\0\0')])
  return chunk('iTXt', Buffer.concat([head, compressed ? deflateSync(text) : text]))
}

/** One grey pixel with the chunks given between header and image. */
export function png(...texts: Buffer[]): Buffer {
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
  const image = chunk('IDAT', deflateSync(Buffer.from([0, 0x80])))
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), ...texts, image, chunk('IEND', Buffer.alloc(0))])
}

export const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value), 'utf8')
