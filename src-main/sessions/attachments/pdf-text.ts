/** The thread that reads them. */
export const PDF_ROOM = 'attachment-pdf'

/** What a PDF says, or why it says nothing. A value, not an error: it crosses from a thread. */
export type PdfReading = { kind: 'text'; text: string } | { kind: 'locked' } | { kind: 'damaged'; reason: string }

/** The text of every page, in order, an empty line between them; '' for a scan. Takes tens of milliseconds a page. */
export async function readPdfText(bytes: Uint8Array): Promise<PdfReading> {
  try {
    const { extractText, getDocumentProxy } = await import('unpdf')
    // the reader takes the buffer over, so it gets a copy
    const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
    const pages = await extractText(document, { mergePages: false })
    const text = pages.text
      .map((page) => page.trim())
      .filter((page) => page !== '')
      .join('\n\n')
    await document.cleanup()
    return { kind: 'text', text }
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') return { kind: 'locked' }
    return { kind: 'damaged', reason: error instanceof Error ? error.message : String(error) }
  }
}
