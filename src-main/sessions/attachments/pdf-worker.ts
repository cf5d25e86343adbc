import { serveThread } from '../../ipc/serve-thread'
import { PDF_ROOM, type PdfReading, readPdfText } from './pdf-text'

serveThread<Uint8Array, PdfReading>(PDF_ROOM, readPdfText)
