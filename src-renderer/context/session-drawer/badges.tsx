import { useTranslation } from 'react-i18next'
import type { Session } from '../../../src-main/sessions/contract'
import { openSessionSettings } from '../../app/navigation'
import { Badge } from '../../ui/badge'
import { LinkButton } from '../../ui/button'
import { Popover } from '../../ui/popover'
import { Tip } from '../../ui/tooltip'
import { Withheld } from './withheld'

export function TopicBadge({ session }: { session: Session }) {
  const { t } = useTranslation('context')
  if (!session.topicPrompt.trim()) return null
  return (
    <Tip text={t('badge.topicTip')}>
      <Badge icon="prompt" label={t('badge.topic')} onClick={() => openSessionSettings('topicPrompt')} />
    </Tip>
  )
}

export function BooksBadge({ session }: { session: Session }) {
  const { t } = useTranslation('context')
  const count = session.worldbookIds.length
  if (count === 0) return null
  return <Badge icon="book" label={t('badge.book')} count={count} onClick={() => openSessionSettings('worldbookIds')} />
}

/** A lock with the list of what is withheld; open where a book is bound and nothing is. */
export function IsolationBadge({ session }: { session: Session }) {
  const { t } = useTranslation('context')
  const bound = session.worldbookIds.length > 0
  if (!bound) return null
  if (!session.isolation) {
    return <Badge icon="unlock" label={t('badge.notIsolated')} onClick={() => openSessionSettings('isolation')} />
  }
  return (
    <Popover
      label={t('badge.isolatedTitle')}
      align="end"
      width={360}
      trigger={<Badge icon="lock" label={t('badge.isolated')} on />}
    >
      <p className="strong">{t('badge.isolatedTitle')}</p>
      <p className="small mid badge-text">{t('badge.isolatedText')}</p>
      <Withheld session={session} />
      <LinkButton onClick={() => openSessionSettings('isolation')}>{t('badge.openSettings')}</LinkButton>
    </Popover>
  )
}
