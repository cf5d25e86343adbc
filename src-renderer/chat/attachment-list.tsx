import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Attachment } from '../../src-main/sessions/composer-contract'
import { call } from '../api/client'
import { formatBytes, formatTokens } from '../i18n/format'
import { Chip } from '../ui/badge'
import { Dialog } from '../ui/dialog'
import { ZoomImage } from './zoom-image'

const SHOWN_IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const images = new Map<string, Promise<string>>()

/** A data URL, read once per hash. */
export function imageUrl(sha256: string): Promise<string> {
  const known = images.get(sha256)
  if (known) return known
  const reading = call('attachments.read', { sha256 }).then(
    ({ mediaType, dataBase64 }) => `data:${mediaType};base64,${dataBase64}`,
  )
  images.set(sha256, reading)
  if (images.size > 60) images.delete(images.keys().next().value ?? '')
  return reading
}

export function AttachmentList({ attachments }: { attachments: readonly Attachment[] }) {
  return (
    <div className="att-list">
      {attachments.map((attachment) =>
        SHOWN_IMAGES.includes(attachment.mediaType) ? (
          <Thumbnail key={attachment.id} attachment={attachment} />
        ) : (
          <FileChip key={attachment.id} attachment={attachment} />
        ),
      )}
    </div>
  )
}

function Thumbnail({ attachment }: { attachment: Attachment }) {
  const [url, setUrl] = useState('')
  useEffect(() => {
    let current = true
    void imageUrl(attachment.sha256).then(
      (read) => current && setUrl(read),
      () => undefined, // the name stays readable without its picture
    )
    return () => {
      current = false
    }
  }, [attachment.sha256])
  if (!url) return <FileChip attachment={attachment} />
  return <ZoomImage src={url} alt={attachment.name} className="thumb" />
}

/** `14 KB · ≈ 3.52k tokens`, or that nobody can count it. */
export function useAttachmentNote(attachment: Attachment): string {
  const { t } = useTranslation(['chat', 'common', 'app'])
  const tokens =
    attachment.tokens === undefined
      ? t('attachment.notCounted')
      : `≈ ${t('common:tokens', { count: attachment.tokens, shown: formatTokens(attachment.tokens) })}`
  return `${formatBytes(attachment.bytes)} · ${tokens}`
}

interface FileChipProps {
  attachment: Attachment
  onRemove?: () => void
}

/** A file by name; with extracted text, a click shows what the model gets. */
export function FileChip({ attachment, onRemove }: FileChipProps) {
  const { t } = useTranslation(['chat', 'common', 'app'])
  const [open, setOpen] = useState(false)
  const note = useAttachmentNote(attachment)
  const text = attachment.extractedText
  return (
    <>
      <Chip
        icon={attachment.mediaType.startsWith('image/') ? 'image' : 'file'}
        note={note}
        removeLabel={t('attachment.remove', { name: attachment.name })}
        onRemove={onRemove}
      >
        {text === undefined ? (
          attachment.name
        ) : (
          <button type="button" className="plain-button" title={t('attachment.showText')} onClick={() => setOpen(true)}>
            {attachment.name}
          </button>
        )}
      </Chip>
      {text !== undefined && open && (
        <Dialog open onOpen={setOpen} title={attachment.name} note={note} width={720}>
          <pre className="extracted">{text.slice(0, 200_000)}</pre>
        </Dialog>
      )}
    </>
  )
}
