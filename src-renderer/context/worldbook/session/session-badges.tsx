import { useTranslation } from 'react-i18next'
import type { Session } from '../../../../src-main/sessions/contract'
import { openPane } from '../../../app/navigation'
import { Badge } from '../../../ui/badge'
import { LinkButton } from '../../../ui/button'
import { Popover } from '../../../ui/popover'
import { IsolationSwitch, isIsolated } from './isolation-switch'
import { WorldbookBinding } from './worldbook-binding'

/** In the chat header: how many books are bound, and the way to bind them. */
export function WorldbookBadge({ session }: { session: Session }) {
  const { t } = useTranslation('worldbook')
  const count = session.worldbookIds.length
  return (
    <Popover
      label={t('binding.title')}
      align="end"
      width={360}
      trigger={<Badge icon="book" label={t('binding.badge')} {...(count ? { count } : {})} />}
    >
      <h2 className="strong">{t('binding.title')}</h2>
      <p className="small mid popover-text">{count ? t('binding.help') : t('binding.helpNone')}</p>
      <WorldbookBinding session={session} />
      {count > 0 && <LinkButton onClick={() => openPane('worldbook')}>{t('binding.trace')}</LinkButton>}
    </Popover>
  )
}

/** The lock in the chat header; its popover lists what is withheld. Stands wherever it could do something. */
export function IsolationBadge({ session }: { session: Session }) {
  const { t } = useTranslation('worldbook')
  if (!session.isolation && session.worldbookIds.length === 0) return null
  const on = isIsolated(session)
  return (
    <Popover
      label={t('isolation.title')}
      align="end"
      width={400}
      trigger={
        <Badge
          icon={on ? 'lock' : 'unlock'}
          label={on ? t('isolation.badgeOn') : t('isolation.badgeOff')}
          on={on}
          aria-pressed={on}
        />
      }
    >
      <IsolationSwitch session={session} />
    </Popover>
  )
}
