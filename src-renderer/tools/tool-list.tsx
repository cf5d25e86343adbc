import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ToolListing, ToolOrigin } from '../../src-main/tools/contract'
import { useNavigation } from '../app/navigation'
import { formatTokens, langOf } from '../i18n/format'
import { useSessions } from '../sessions/session-store'
import { Button } from '../ui/button'
import { EmptyState } from '../ui/empty-state'
import { SearchField } from '../ui/field'
import { Approx } from '../ui/tokens-label'
import { ToolDetail } from './tool-detail'
import { useTools } from './tool-store'
import { ToolTable } from './tool-table'
import { openToolDialog } from './tool-view-store'
import { sumTokens } from './tool-words'

/** Every tool, or those of one origin. */
export function ToolList({ origin }: { origin: ToolOrigin | null }) {
  const { t } = useTranslation('tools')
  const { tools, error } = useTools()
  const [query, setQuery] = useState('')
  const mine = origin ? tools.filter((tool) => tool.origin === origin) : tools
  const wanted = query.trim().toLowerCase()
  const shown = mine.filter((tool) =>
    `${tool.name}\n${tool.server}\n${tool.description}`.toLowerCase().includes(wanted),
  )
  return (
    <>
      <header className="head one">
        <div className="row">
          <h1>{t(`view.${origin === 'built-in' ? 'built-in' : 'all'}`)}</h1>
          <ToolSums tools={mine} />
          <span className="grow" />
          <JudgedFor />
        </div>
      </header>
      <div className="bar-row">
        <SearchField label={t('list.search')} value={query} onValue={setQuery} />
        <span className="grow" />
        <Button small icon="plus" onClick={() => openToolDialog({ kind: 'server', server: null, how: 'paste' })}>
          {t('add.server')}
        </Button>
        <Button small icon="plus" onClick={() => openToolDialog({ kind: 'command', command: null })}>
          {t('add.command')}
        </Button>
      </div>
      <div className="memgrid">
        {error && tools.length === 0 ? (
          <EmptyState icon="warn" title={t('failed')}>
            {error}
          </EmptyState>
        ) : (
          <ToolTable tools={shown} />
        )}
        <ToolDetail />
      </div>
    </>
  )
}

export function ToolSums({ tools }: { tools: readonly ToolListing[] }) {
  const { t } = useTranslation('tools')
  const exposed = tools.filter((tool) => tool.available)
  return (
    <span className="small dim num">
      {t('list.sums', { exposed: exposed.length, count: tools.length })} ·{' '}
      <Approx>{formatTokens(sumTokens(exposed))}</Approx> {t('tokens')}
    </span>
  )
}

/** States and reasons hold for one session: say which. */
function JudgedFor() {
  const { t } = useTranslation('tools')
  const sessionId = useNavigation((state) => state.sessionId)
  const title = useSessions((state) => state.sessions.find((each) => each.id === sessionId)?.title)
  return (
    <span className="small dim cut judged">
      {sessionId && title ? (
        <>
          {t('list.judged')} <span lang={langOf(title)}>{title}</span>
        </>
      ) : (
        t('list.general')
      )}
    </span>
  )
}
