import { expect, it } from 'vitest'
import { ENCRYPTED, makePdf as pdf } from '../../../e2e/support/make-pdf'
import { ATTACHMENT_LIMITS } from '../composer-contract'
import { decodeText } from './decode-text'
import { imageSize } from './image-size'
import { sniff } from './media-type'
import { createPdfReader } from './pdf-reader'
import { readFileContent } from './read-attachment'

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))

const png = bytes([0x89], 'PNG\r\n', [0x1a, 0x0a, 0, 0, 0, 13], 'IHDR', [0, 0, 2, 0x80, 0, 0, 1, 0xe0, 8, 6, 0, 0, 0])
const gif = bytes('GIF89a', [0x40, 1, 0xf0, 0])
const jpeg = bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc2, 0, 17, 8, 0, 100, 0, 200])
const webp = bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [10, 0, 0, 0, 0, 0, 0, 0, 0x7f, 2, 0, 0xdf, 1, 0])

it.each([
  ['image/png', png, { width: 640, height: 480 }],
  ['image/gif', gif, { width: 320, height: 240 }],
  ['image/jpeg', jpeg, { width: 200, height: 100 }],
  ['image/webp', webp, { width: 640, height: 480 }],
] as const)('knows a %s by its content and reads its size', async (mediaType, content, size) => {
  expect(sniff(content)).toEqual({ kind: 'image', mediaType })
  expect(await readFileContent(content, 'liar.pdf')).toEqual({ mediaType, ...size })
})

it('a header cut short has no size and does no harm', () => {
  expect(imageSize(png.subarray(0, 18), 'image/png')).toBeUndefined()
  expect(imageSize(jpeg.subarray(0, 9), 'image/jpeg')).toBeUndefined()
  expect(imageSize(png, 'image/avif')).toBeUndefined()
})

it.each([
  ['UTF-8', new TextEncoder().encode('潮汐 café'), '潮汐 café'],
  ['UTF-8 with a mark', bytes([0xef, 0xbb, 0xbf], 'tide'), 'tide'],
  ['UTF-16 with a mark', Buffer.from('\ufeff潮汐', 'utf16le'), '潮汐'],
  ['UTF-16 without one', Buffer.from('plain text here', 'utf16le'), 'plain text here'],
  ['UTF-16, big end first', bytes([0, 0x74, 0, 0x69, 0, 0x64, 0, 0x65]), 'tide'],
  ['GBK', bytes([0xb3, 0xb1, 0xcf, 0xab, 0xb1, 0xed]), '潮汐表'],
])('decodes %s', (_name, content, text) => {
  expect(decodeText(content)).toBe(text)
})

it('does not take bytes for text', async () => {
  const noise = Uint8Array.from({ length: 5000 }, (_, index) => (index * 7919) % 256)
  expect(decodeText(noise)).toBeUndefined()
  await expect(readFileContent(noise, 'noise.txt')).rejects.toMatchObject({ code: 'import.unreadable' })
  await expect(readFileContent(bytes([0x50, 0x4b, 3, 4]), 'a.docx')).rejects.toThrow('ZIP archive')
  await expect(readFileContent(new Uint8Array(), 'a.txt')).rejects.toThrow('is empty')
})

it('takes the kind of a text from its name, and a drawing in SVG as text', async () => {
  const content = new TextEncoder().encode('<svg onload="x"/>')
  expect((await readFileContent(content, 'a.svg')).mediaType).toBe('text/plain')
  expect((await readFileContent(content, 'a.MD')).mediaType).toBe('text/markdown')
})

it('says which limit was passed', async () => {
  const large = new Uint8Array(ATTACHMENT_LIMITS.text + 1).fill(97)
  await expect(readFileContent(large, 'a.txt')).rejects.toMatchObject({
    code: 'import.too_large',
    message: expect.stringContaining('up to 5 MB'),
  })
  const image = new Uint8Array(ATTACHMENT_LIMITS.image + 1)
  image.set(png)
  await expect(readFileContent(image, 'a.png')).rejects.toThrow('images may have up to 20 MB')
})

it('reads the text of a PDF', async () => {
  const file = await readFileContent(pdf('High water at 19:10'), 'tides')
  expect(file).toEqual({ mediaType: 'application/pdf', extractedText: 'High water at 19:10' })
})

it('says what is wrong with a PDF that is empty, encrypted or damaged', async () => {
  await expect(readFileContent(pdf(''), 'scan.pdf')).rejects.toThrow('holds no text')
  await expect(readFileContent(pdf('secret', ENCRYPTED), 'locked.pdf')).rejects.toThrow('is encrypted')
  await expect(readFileContent(bytes('%PDF-1.4 and then nothing'), 'broken.pdf')).rejects.toThrow('is damaged')
})

it('reads a PDF on a thread, and a damaged one ends nothing', async () => {
  const reader = createPdfReader()
  try {
    expect(await reader.read(pdf('Low water at noon'))).toEqual({ kind: 'text', text: 'Low water at noon' })
    expect(await reader.read(bytes('%PDF-1.4 nothing more'))).toMatchObject({ kind: 'damaged' })
    expect(await reader.read(pdf('Again'))).toEqual({ kind: 'text', text: 'Again' })
  } finally {
    await reader.close()
  }
})
