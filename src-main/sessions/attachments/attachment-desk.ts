import type { WriteDatabase } from '../../storage/database'
import type { Attachment } from '../composer-contract'
import { isoTime } from '../iso-time'
import { findAttachment, insertAttachment, isNamed, type NamedFiles, removeLooseAttachments } from './attachment-rows'
import type { BlobStore } from './blob-store'
import type { PdfReader } from './pdf-reader'
import { readFileContent } from './read-attachment'

export interface AttachmentPlace {
  database: WriteDatabase
  blobs: BlobStore
}

export interface AttachmentOptions {
  ids: () => string
  now: () => number
  /** Without it, and for images, tokens are unknown. */
  countTokens?: ((text: string) => number) | undefined
  pdf: Pick<PdfReader, 'read'>
}

/** Reads, stores by hash, and remembers under the given name. The same file under the same name is one attachment. */
export async function addAttachment(
  place: AttachmentPlace,
  file: { name: string; bytes: Uint8Array },
  options: AttachmentOptions,
): Promise<Attachment> {
  const content = await readFileContent(file.bytes, file.name, options.pdf.read)
  const sha256 = await place.blobs.put(file.bytes)
  const known = findAttachment(place.database, sha256, file.name)
  if (known) return known
  const attachment: Attachment = {
    id: options.ids(),
    sha256,
    name: file.name,
    bytes: file.bytes.length,
    ...content,
  }
  if (content.extractedText !== undefined && options.countTokens) {
    attachment.tokens = options.countTokens(content.extractedText)
  }
  insertAttachment(place.database, attachment, isoTime(options.now()))
  return attachment
}

/** After messages are gone: their attachments that nothing else names go too, with the file of the last name. */
export async function releaseFiles(place: AttachmentPlace, named: NamedFiles): Promise<string[]> {
  const hashes = removeLooseAttachments(place.database, named.attachmentIds)
  return removeUnnamed(place, [...hashes, ...named.hashes])
}

/** At start: attachments added but never sent, and files whose rows never came to be. */
export async function sweepFiles(place: AttachmentPlace): Promise<string[]> {
  removeLooseAttachments(place.database)
  return removeUnnamed(place, await place.blobs.list())
}

async function removeUnnamed(place: AttachmentPlace, hashes: readonly string[]): Promise<string[]> {
  const unnamed = [...new Set(hashes)].filter((sha256) => !isNamed(place.database, sha256))
  for (const sha256 of unnamed) await place.blobs.remove(sha256)
  return unnamed
}
