import { useTranslation } from 'react-i18next'
import type { Session } from '../../../../src-main/sessions/contract'
import { patchOpenSession } from '../../../chat/chat-actions'
import { updateSettings, useSettings } from '../../../settings/settings-store'
import { Mark } from '../../../ui/badge'
import { Checkbox } from '../../../ui/field'
import { showError } from '../../../ui/toast'
import { Switch } from '../../../ui/toggle'
import { WithheldList } from './withheld-list'

/** On, and in force: without a bound book the switch does nothing. */
export const isIsolated = (session: Pick<Session, 'isolation' | 'worldbookIds'>): boolean =>
  session.isolation && session.worldbookIds.length > 0

/** The switch with its explanation, what is or would be withheld, and the setting that lets the time in. */
export function IsolationSwitch({ session }: { session: Session }) {
  const { t } = useTranslation(['worldbook', 'common'])
  const letTime = useSettings((state) => state.settings?.isolation.sendTime ?? false)
  const bound = session.worldbookIds.length > 0
  const on = isIsolated(session)
  return (
    <div className="isolation">
      <div className="row isolation-top">
        <span className="l">{t('isolation.title')}</span>
        {session.isolation && <Mark tone={bound ? 'set' : 'warn'}>{bound ? t('isolation.on') : t('isolation.idle')}</Mark>}
        <span className="grow" />
        <Switch
          checked={session.isolation}
          label={t('isolation.title')}
          aria-describedby={`isolation-${session.id}`}
          onValue={(isolation) => void patchOpenSession(session.id, { isolation })}
        />
      </div>
      <p id={`isolation-${session.id}`} className={bound ? 'help' : 'help warn-t'}>
        {bound ? t('isolation.help') : t('isolation.needsBook')}
      </p>
      <p className="help">{on ? t('isolation.withheldNow') : t('isolation.wouldWithhold')}</p>
      <WithheldList session={session} />
      <Checkbox
        className="small isolation-time"
        label={
          <>
            {t('isolation.letTime')} <span className="dim">{t('isolation.letTimeScope')}</span>
          </>
        }
        checked={letTime}
        onValue={(sendTime) => void updateSettings({ isolation: { sendTime } }).catch(showError)}
      />
    </div>
  )
}
