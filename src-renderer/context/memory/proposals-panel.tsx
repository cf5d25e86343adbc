import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../i18n/format'
import { useSettings } from '../../settings/settings-store'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { openMemoryView } from './memory-store'
import { ProposalChoices, ProposalList } from './proposal-list'
import { loadProposals, useProposals } from './proposal-store'

/** What extraction found in chats and nobody has decided yet. */
export function ProposalsPanel() {
  const { t } = useTranslation(['memory', 'common'])
  const { proposals, loaded, error } = useProposals()
  useEffect(() => void loadProposals(), [])
  return (
    <>
      <header className="head one">
        <div className="row">
          <h1>{t('view.proposals')}</h1>
          <span className="small dim num">
            {t('propose.count', { count: proposals.length, shown: formatNumber(proposals.length) })}
          </span>
          <span className="grow" />
          <ProposalChoices proposals={proposals} />
        </div>
      </header>
      <div className="memgrid">
        <div className="proposals-body">
          {error && proposals.length === 0 ? (
            <EmptyState
              icon="warn"
              title={t('propose.failed')}
              action={<Button onClick={() => void loadProposals()}>{t('common:retry')}</Button>}
            >
              {error}
            </EmptyState>
          ) : loaded && proposals.length === 0 ? (
            <NoProposals />
          ) : (
            <>
              <p className="small dim">{t('propose.help')}</p>
              <ProposalList proposals={proposals} sourced />
            </>
          )}
        </div>
      </div>
    </>
  )
}

/** Empty because nothing was found, or because nothing is looked for: not the same. */
function NoProposals() {
  const { t } = useTranslation('memory')
  const mode = useSettings((state) => state.settings?.memory.extraction)
  return (
    <EmptyState
      icon="check"
      title={t('suggest.none')}
      action={<Button onClick={() => openMemoryView('search')}>{t('propose.settings')}</Button>}
    >
      {t(mode === 'off' ? 'propose.off' : 'propose.none')}
    </EmptyState>
  )
}
