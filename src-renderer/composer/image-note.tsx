import { useTranslation } from 'react-i18next'
import type { Attachment } from '../../src-main/sessions/composer-contract'
import { useTranscript } from '../chat/transcript-store'
import { useModels } from '../models/model-store'
import { useSettings } from '../settings/settings-store'
import { Icon } from '../ui/icon'

/** Says before sending that the chosen model reads no images. */
export function ImageNote({
  sessionId,
  attachments,
}: {
  sessionId: string | null
  attachments: readonly Attachment[]
}) {
  const { t } = useTranslation('composer')
  const chosen = useTranscript((state) =>
    state.current?.sessionId === sessionId ? state.current.session.modelId : null,
  )
  const fallback = useSettings((state) => state.settings?.general.defaultModelId ?? null)
  const model = useModels((state) => state.models.find((each) => each.id === (chosen ?? fallback)))
  if (!model || model.capabilities.vision) return null
  if (!attachments.some((attachment) => attachment.mediaType.startsWith('image/'))) return null
  return (
    <p className="image-note warn-t small" role="status">
      <Icon name="warn" size={14} />
      {t('noImages', { model: model.name })}
    </p>
  )
}
