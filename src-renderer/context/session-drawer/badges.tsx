import { useTranslation } from 'react-i18next'
import type { Session } from '../../../src-main/sessions/contract'
import { openSessionSettings } from '../../app/navigation'
import { patchOpenSession } from '../../chat/chat-actions'
import { Badge } from '../../ui/badge'
import { LinkButton } from '../../ui/button'
import { Popover } from '../../ui/popover'
import { Switch } from '../../ui/toggle'
import { Tip } from '../../ui/tooltip'
import { useBooks } from '../worldbook/book-store'
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

/** A lock whose popover holds the switch and the list of what is, or would be, withheld. Stands where a book is bound. */
export function IsolationBadge({ session }: { session: Session }) {
  const { t } = useTranslation('context')
  const { books, loaded } = useBooks()
  if (session.worldbookIds.length === 0) return null
  const on = session.isolation
  const gone = loaded && !books.some((book) => session.worldbookIds.includes(book.id))
  return (
    <Popover
      label={t(on ? 'badge.isolatedTitle' : 'badge.notIsolatedTitle')}
      align="end"
      width={360}
      trigger={<Badge icon={on ? 'lock' : 'unlock'} label={t(on ? 'badge.isolated' : 'badge.notIsolated')} on={on} />}
    >
      <div className="row">
        <p className="strong">{t(on ? 'badge.isolatedTitle' : 'badge.notIsolatedTitle')}</p>
        <span className="grow" />
        <Switch
          checked={on}
          label={t('drawer.isolation')}
          onValue={(isolation) => void patchOpenSession(session.id, { isolation })}
        />
      </div>
      <p className="small mid badge-text">{t(on ? 'badge.isolatedText' : 'badge.notIsolatedText')}</p>
      {on && gone && <p className="small badge-text">{t('badge.isolatedGone')}</p>}
      <Withheld session={session} />
      <LinkButton onClick={() => openSessionSettings('isolation')}>{t('badge.openSettings')}</LinkButton>
    </Popover>
  )
}
