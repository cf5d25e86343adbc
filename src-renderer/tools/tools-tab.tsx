import { useTranslation } from 'react-i18next'
import type { Session } from '../../src-main/sessions/contract'
import type { ToolListing } from '../../src-main/tools/contract'
import { openPlace } from '../app/navigation'
import { useTranscript } from '../chat/transcript-store'
import { formatTokens } from '../i18n/format'
import { Button } from '../ui/button'
import { EmptyState } from '../ui/empty-state'
import { Icon } from '../ui/icon'
import { Approx } from '../ui/tokens-label'
import { ServerSwitches } from './server-switches'
import { SessionChoice } from './session-choice'
import { wideReason } from './tool-button'
import { useTools } from './tool-store'
import { originWords, reasonWords, sumTokens } from './tool-words'

/** What the model may call in this session, and why it may not call the others. */
export function ToolsTab({ sessionId }: { sessionId: string | null }) {
  const { t } = useTranslation('tools')
  const state = useTools()
  const session = useTranscript(({ current }) => (current?.sessionId === sessionId ? current.session : null))
  if (state.sessionId !== sessionId) {
    return (
      <div className="insp-body">
        {state.error && (
          <EmptyState icon="warn" title={t('failed')}>
            {state.error}
          </EmptyState>
        )}
      </div>
    )
  }
  const exposed = state.tools.filter((tool) => tool.available)
  const withheld = state.tools.filter((tool) => !tool.available)
  return (
    <>
      <div className="insp-body">
        <div className="sum">
          <div className="row pop-line">
            <span className="n num">{t('tab.exposed', { count: exposed.length })}</span>
            <span className="grow" />
            <span className="small mid">
              <Approx>{formatTokens(sumTokens(exposed))}</Approx> {t('tokens')}
            </span>
          </div>
          <p className="small dim">{exposed.length > 0 ? t('tab.help') : t('tab.noneHelp')}</p>
          {!session && <p className="small dim">{t('tab.begin')}</p>}
        </div>
        {session && !wideReason(state.tools) && <ServerSwitches session={session} />}
        {exposed.map((tool) => (
          <ToolRow key={tool.id} tool={tool} session={session} />
        ))}
        {withheld.length > 0 && <div className="sect tool-sect">{t('tab.withheld')}</div>}
        {withheld.map((tool) => (
          <ToolRow key={tool.id} tool={tool} session={session} />
        ))}
      </div>
      <div className="tab-foot row">
        <Button small tone="ghost" icon="tool" onClick={() => openPlace('tools')}>
          {t('tab.open')}
        </Button>
      </div>
    </>
  )
}

function ToolRow({ tool, session }: { tool: ToolListing; session: Session | null }) {
  const { t } = useTranslation('tools')
  return (
    <div className={tool.available ? 'tr tool-tr' : 'tr tool-tr no'}>
      <span className="dim">
        <Icon name="tool" size={14} />
      </span>
      <b className="mono cut" title={tool.description}>
        {tool.name}
      </b>
      <span className="row tool-tr-end">
        <span className="num small">
          <Approx>{formatTokens(tool.tokens)}</Approx>
        </span>
        {session && <SessionChoice tool={tool} session={session} />}
      </span>
      <p className="meta">
        {originWords(tool, t)} · {tool.available ? t(`policyLong.${tool.policy}`) : reasonWords(tool, t)}
      </p>
    </div>
  )
}
