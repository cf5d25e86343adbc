import { useTranslation } from 'react-i18next'
import type { Session } from '../../../src-main/sessions/contract'
import { releaseIsolated } from '../../chat/chat-actions'
import { Button } from '../../ui/button'

/** What was written under isolation stays with its chat until a person lets it go. Shown where there is any. */
export function ReleaseIsolated({ session }: { session: Session }) {
  const { t } = useTranslation('context')
  const count = session.isolatedMessages
  if (count === undefined) return null
  return (
    <div className="drawer-release">
      <p className="help">{t('drawer.marked', { count })}</p>
      <p className="help">{t('drawer.releaseHelp')}</p>
      <Button small onClick={() => void releaseIsolated(session.id)}>
        {t('drawer.release')}
      </Button>
    </div>
  )
}
