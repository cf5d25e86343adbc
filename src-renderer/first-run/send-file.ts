import { UPLOAD_PIECE } from '../../src-main/transfer/contract'
import { call } from '../api/client'
import { toBase64 } from '../ui/save-file'

/** Sends a file in pieces, so that neither the window nor the host holds it as one text. Answers with its upload's id. */
export async function sendFile(file: File): Promise<string> {
  const { uploadId } = await call('transfer.begin', { fileName: file.name.slice(-500), bytes: file.size })
  for (let offset = 0; offset < file.size; offset += UPLOAD_PIECE) {
    const piece = await file.slice(offset, offset + UPLOAD_PIECE).arrayBuffer()
    await call('transfer.append', { uploadId, offset, dataBase64: toBase64(new Uint8Array(piece)) })
  }
  return uploadId
}

/** Lets the host forget a file; one that is gone already is nothing to tell about. */
export function discardFile(uploadId: string): void {
  call('transfer.discard', { uploadId }).catch(() => undefined)
}
