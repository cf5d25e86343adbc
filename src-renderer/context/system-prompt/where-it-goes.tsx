import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LEADING_TAGS } from '../../../src-main/context/layouts-contract'
import type { SystemPrompt } from '../../../src-main/context/system-prompt/contract'
import type { Session } from '../../../src-main/sessions/contract'
import { call } from '../../api/client'
import { openSession } from '../../app/navigation'
import { formatWhen, langOf } from '../../i18n/format'
import { updateSettings, useSettings } from '../../settings/settings-store'
import { PickButton } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { Menu } from '../../ui/menu'
import { showError } from '../../ui/toast'

const SHOWN_SESSIONS = 12
const PAGE = 500

/** The places of the system prompt in the chosen layout, this prompt's marked, and the chats that use it. */
export function WhereItGoes({ prompt }: { prompt: SystemPrompt }) {
  const { t } = useTranslation(['prompts', 'context'])
  const layout = useSettings((state) => state.settings?.context.layout ?? 'documented')
  return (
    <aside className="insp where" aria-label={t('where')}>
      <div className="tabs">
        <b className="strong">{t('where')}</b>
        <span className="grow" />
        <Menu
          label={t('context:tab.layout')}
          align="end"
          trigger={<PickButton>{t(`context:tab.${layout}`)}</PickButton>}
          entries={(['documented', 'cache-first'] as const).map((name) => ({
            id: name,
            label: t(`context:tab.${name}`),
            checked: name === layout,
            onSelect: () => void updateSettings({ context: { layout: name } }).catch(showError),
          }))}
        />
      </div>
      <div className="insp-body">
        <div className="strata">
          {LEADING_TAGS[layout].map((tag) => (
            <div key={tag} className={cx('stratum b-system_prompt', tag === 'system_prompt' && 'this')}>
              <div className="t">
                <span className={cx('mono', tag === 'system_prompt' ? 'strong' : 'dim')}>{tag}</span>
                <span className="n tiny dim">
                  {tag === 'system_prompt' ? t('this') : tag === 'topic_prompt' ? t('perSession') : ''}
                </span>
              </div>
            </div>
          ))}
          <p className="tiny dim where-note">{t(layout === 'documented' ? 'whereDocumented' : 'whereCache')}</p>
        </div>
        <UsedBy prompt={prompt} />
      </div>
    </aside>
  )
}

function UsedBy({ prompt }: { prompt: SystemPrompt }) {
  const { t } = useTranslation(['prompts', 'sessions'])
  const [sessions, setSessions] = useState<Session[]>([])
  const { id, usedBySessions } = prompt
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when the number of users changes
  useEffect(() => {
    let current = true
    void call('sessions.list', { view: 'all', limit: PAGE }).then(
      (page) => current && setSessions(page.sessions.filter((session) => session.globalPromptId === id)),
      showError,
    )
    return () => {
      current = false
    }
  }, [id, usedBySessions])
  if (usedBySessions === 0) return null
  const shown = sessions.slice(0, SHOWN_SESSIONS)
  return (
    <div className="usedby">
      <div className="grp sect">{t('usedByHead', { count: usedBySessions })}</div>
      {shown.map((session) => (
        <button key={session.id} type="button" className="ses one as-button" onClick={() => openSession(session.id)}>
          <b className="cut" lang={langOf(session.title)}>
            {session.title || t('sessions:untitled')}
          </b>
          <time>{formatWhen(session.updatedAt)}</time>
        </button>
      ))}
      {usedBySessions > shown.length && (
        <p className="tiny dim list-note">{t('more', { count: usedBySessions - shown.length })}</p>
      )}
    </div>
  )
}
