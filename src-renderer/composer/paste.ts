import type { ClipboardEvent } from 'react'
import { i18n } from '../i18n/i18n'
import { showToast } from '../ui/toast'
import { attachFiles } from './attach-files'
import { changeDraft, draftOf } from './draft-store'

/** Longer pastes become a file: a field that holds them would stutter with every key. */
export const PASTE_AS_FILE_CHARS = 12_000

/** Pasted files attach; long texts attach as a file, with a way to have them as text. */
export function pasteInto(sessionId: string | null, event: ClipboardEvent<HTMLTextAreaElement>): void {
  const files = [...event.clipboardData.files]
  const text = event.clipboardData.getData('text/plain')
  // a spreadsheet cell comes as text and as a picture: the text is meant
  if (files.length > 0 && !text) {
    event.preventDefault()
    void attachFiles(sessionId, files)
    return
  }
  if (text.length <= PASTE_AS_FILE_CHARS) return
  event.preventDefault()
  const name = `${i18n.t('composer:pastedText')}.txt`
  void attachFiles(sessionId, [new File([text], name, { type: 'text/plain' })])
  showToast(i18n.t('composer:pastedAsFile'), {
    action: {
      label: i18n.t('composer:insertAsText'),
      run: () => {
        const { text: before, attachments } = draftOf(sessionId)
        const at = attachments.findLastIndex((each) => each.name === name)
        changeDraft(sessionId, { text: before + text, attachments: attachments.filter((_, index) => index !== at) })
      },
    },
  })
}
