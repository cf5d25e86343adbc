import { deflateSync } from 'node:zlib'

const KEY = '0'.repeat(64)

/** Trailer of a PDF that asks for a password. */
export const ENCRYPTED = `/ID [<00><00>] /Encrypt << /Filter /Standard /V 1 /R 2 /O <${KEY}> /U <${KEY}> /P -4 >> `

/** The smallest PDF of one page that says something; `extra` goes into the trailer. */
export function makePdf(text: string, extra = ''): Buffer {
  const content = deflateSync(Buffer.from(`BT /F1 24 Tf 72 720 Td (${text}) Tj ET`))
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from(
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    ),
    Buffer.concat([
      Buffer.from(`<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n`),
      content,
      Buffer.from('\nendstream'),
    ]),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'),
  ]
  let file = Buffer.from('%PDF-1.4\n')
  const offsets = objects.map((object, index) => {
    const at = file.length
    file = Buffer.concat([file, Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    return at
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const trailer = `trailer\n<< /Size 6 /Root 1 0 R ${extra}>>\nstartxref\n${file.length}\n%%EOF`
  return Buffer.concat([file, Buffer.from(`xref\n0 6\n0000000000 65535 f \n${table}${trailer}`)])
}
