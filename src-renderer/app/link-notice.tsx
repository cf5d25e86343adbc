import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { onLink } from '../api/client'
import type { LinkState } from '../api/transport'
import { Icon } from '../ui/icon'

/** Says when events no longer arrive. Nothing is shown while all is well. */
export function LinkNotice() {
  const { t } = useTranslation()
  const [link, setLink] = useState<LinkState>('open')
  useEffect(() => onLink(setLink), [])
  if (link !== 'lost' && link !== 'refused') return null
  return (
    <div className="link-notice" role="alert">
      <Icon name="warn" size={14} />
      {link === 'lost' ? t('error.lost') : t('error.refused')}
    </div>
  )
}
