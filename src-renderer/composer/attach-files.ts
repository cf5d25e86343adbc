import { create } from 'zustand'
import { ATTACHMENT_LIMITS, MOST_ATTACHMENTS } from '../../src-main/sessions/composer-contract'
import { call } from '../api/client'
import { formatBytes } from '../i18n/format'
import { i18n } from '../i18n/i18n'
import { toBase64 } from '../ui/save-file'
import { showError, showToast } from '../ui/toast'
import { type DraftPlace, withDraft } from './draft-places'
import { changeDraft, draftOf } from './draft-store'

/** What the button says before a file is chosen. */
export const LIMITS = {
  image: formatBytes(ATTACHMENT_LIMITS.image),
  pdf: formatBytes(ATTACHMENT_LIMITS.pdf),
  text: formatBytes(ATTACHMENT_LIMITS.text),
  count: MOST_ATTACHMENTS,
}

/** By name and declared type: the host looks at the bytes. Told before anything is read: a dropped 500 MB file costs nothing. */
function limitOf(file: File): number {
  if (file.type === 'application/pdf' || /\.pdf$/i.test(file.name)) return ATTACHMENT_LIMITS.pdf
  return file.type.startsWith('image/') ? ATTACHMENT_LIMITS.image : ATTACHMENT_LIMITS.text
}

/** Files being read now. */
export const useAttaching = create<{ count: number }>(() => ({ count: 0 }))

const TEXT_NAMES =
  /\.(?:md|txt|csv|tsv|json|jsonl|ya?ml|toml|ini|log|xml|html?|css|[cm]?[jt]sx?|py|rs|go|java|kt|c|h|cpp|hpp|cs|rb|php|sh|sql|tex|r|swift|vue|svelte|diff|patch)$/i

const mediaTypeOf = (file: File) =>
  file.type || (TEXT_NAMES.test(file.name) ? 'text/plain' : 'application/octet-stream')

async function attachOne(place: DraftPlace, file: File): Promise<void> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const attachment = await call('attachments.add', {
    name: file.name || i18n.t('composer:pastedImage'),
    mediaType: mediaTypeOf(file),
    dataBase64: toBase64(bytes),
    // where it is kept is the main process's to know: a temporary chat's files never reach the disk
    ...(place.sessionId === null ? {} : { sessionId: place.sessionId }),
  })
  const { attachments } = draftOf(place.sessionId)
  if (attachments.some((each) => each.id === attachment.id)) return
  changeDraft(place.sessionId, { attachments: [...attachments, attachment] })
}

/** Adds files to a draft, one after the other; what is too large or refused is named and left out. */
export async function attachFiles(sessionId: string | null, files: readonly File[]): Promise<void> {
  const large = files.filter((file) => file.size > limitOf(file))
  for (const file of large) {
    showToast(i18n.t('composer:tooLarge', { name: file.name, limit: formatBytes(limitOf(file)) }), { tone: 'bad' })
  }
  const room = MOST_ATTACHMENTS - draftOf(sessionId).attachments.length
  const wanted = files.filter((file) => !large.includes(file))
  if (wanted.length > room) showToast(i18n.t('composer:tooMany', { count: MOST_ATTACHMENTS }), { tone: 'bad' })
  await withDraft(sessionId, async (place) => {
    for (const file of wanted.slice(0, Math.max(0, room))) {
      useAttaching.setState((state) => ({ count: state.count + 1 }))
      try {
        await attachOne(place, file)
      } catch (error) {
        showError(error)
      } finally {
        useAttaching.setState((state) => ({ count: state.count - 1 }))
      }
    }
  })
}
