import { AppError } from '../../ipc/app-error'
import { phrase, said } from '../../ipc/said-contract'
import { ATTACHMENT_LIMITS } from '../composer-contract'
import { decodeText } from './decode-text'
import { imageSize } from './image-size'
import { sniff } from './media-type'
import { type PdfReading, readPdfText } from './pdf-text'

const MEGABYTE = 1_000_000

export interface ReadFile {
  mediaType: string
  extractedText?: string
  width?: number
  height?: number
}

type ReadPdf = (bytes: Uint8Array) => Promise<PdfReading>

function checkSize(bytes: Uint8Array, kind: keyof typeof ATTACHMENT_LIMITS, name: string): void {
  const limit = ATTACHMENT_LIMITS[kind]
  if (bytes.length <= limit) return
  const words = { image: 'images', pdf: 'PDF files', text: 'text files' }[kind]
  throw new AppError(
    'import.too_large',
    said`"${name}" has ${(bytes.length / MEGABYTE).toFixed(1)} MB; ${phrase(words)} may have up to ${limit / MEGABYTE} MB. Attach a smaller one.`,
    { details: { bytes: bytes.length, limit } },
  )
}

const TEXT_TYPES: Record<string, string> = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  htm: 'text/html',
  json: 'application/json',
  xml: 'application/xml',
  svg: 'image/svg+xml',
}

/** Of texts the name may say more; of everything else only the bytes count. */
function textType(name: string): string {
  const type = TEXT_TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'text/plain'
  // a drawing in SVG is sent as the text it is
  return type === 'image/svg+xml' ? 'text/plain' : type
}

/**
 * Looks at the bytes: their type, the text in them, the size of a picture.
 * @throws import.too_large past the limit; import.unreadable for what is neither image, PDF nor text
 */
export async function readFileContent(
  bytes: Uint8Array,
  name: string,
  readPdf: ReadPdf = readPdfText,
): Promise<ReadFile> {
  if (bytes.length === 0) throw new AppError('import.unreadable', said`"${name}" is empty. Attach a file with content.`)
  const sniffed = sniff(bytes)
  switch (sniffed.kind) {
    case 'image':
      checkSize(bytes, 'image', name)
      return { mediaType: sniffed.mediaType, ...imageSize(bytes, sniffed.mediaType) }
    case 'pdf':
      checkSize(bytes, 'pdf', name)
      return { mediaType: sniffed.mediaType, extractedText: await pdfText(bytes, name, readPdf) }
    case 'binary':
      throw new AppError(
        'import.unreadable',
        said`"${name}" is ${phrase(sniffed.what)}. Images, PDF and text files can be attached.`,
      )
    case 'text': {
      checkSize(bytes, 'text', name)
      const text = decodeText(bytes)
      if (text === undefined) {
        throw new AppError(
          'import.unreadable',
          said`"${name}" is neither an image, a PDF nor a text in UTF-8, UTF-16 or GBK. Convert it and attach it again.`,
        )
      }
      return { mediaType: textType(name), extractedText: text }
    }
  }
}

async function pdfText(bytes: Uint8Array, name: string, readPdf: ReadPdf): Promise<string> {
  const reading = await readPdf(bytes)
  switch (reading.kind) {
    case 'locked':
      throw new AppError(
        'import.unreadable',
        said`"${name}" is encrypted. Save a copy without a password and attach that.`,
      )
    case 'damaged':
      throw new AppError(
        'import.unreadable',
        said`"${name}" is damaged: no page could be read. Open it in a PDF reader and save it again.`,
        { cause: new Error(reading.reason) },
      )
    case 'text':
      if (reading.text !== '') return reading.text
      throw new AppError(
        'import.unreadable',
        said`"${name}" holds no text, only pictures (a scan?). Attach its pages as images, or run text recognition first.`,
      )
  }
}
