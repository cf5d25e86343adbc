import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session } from '../../src-main/sessions/contract'
import type { ToolListing } from '../../src-main/tools/contract'
import { openPane, openPlace } from '../app/navigation'
import { useTranscript } from '../chat/transcript-store'
import { formatTokens } from '../i18n/format'
import { Button } from '../ui/button'
import { cx } from '../ui/class-names'
import { Icon } from '../ui/icon'
import { Popover } from '../ui/popover'
import { Switch } from '../ui/toggle'
import { Approx } from '../ui/tokens-label'
import { ServerSwitches } from './server-switches'
import { chooseTool } from './session-choice'
import { useTools } from './tool-store'
import { reasonWords, sumTokens } from './tool-words'

/** In the composer's foot: how many tools go with this message, and which. */
export function ToolButton({ sessionId }: { sessionId: string | null }) {
  const { t } = useTranslation('tools')
  const state = useTools()
  const session = useTranscript(({ current }) => (current?.sessionId === sessionId ? current.session : null))
  if (state.sessionId === undefined) return null
  const exposed = state.tools.filter((tool) => tool.available)
  return (
    <Popover
      label={t('button.title')}
      side="top"
      className="flush tool-pop"
      width={380}
      trigger={<Trigger tools={state.tools} exposed={exposed.length} />}
    >
      <ToolPopover tools={state.tools} session={session} />
    </Popover>
  )
}

/** Every tool held back for one reason that is the session's own, not the tools'. */
const WIDE = ['isolated', 'temporary', 'model_without_tools'] as const
export function wideReason(tools: readonly ToolListing[]): (typeof WIDE)[number] | undefined {
  const [first] = tools
  const reason = WIDE.find((each) => each === first?.reason)
  return reason && tools.every((tool) => tool.reason === reason) ? reason : undefined
}

type TriggerProps = ComponentProps<'button'> & { tools: readonly ToolListing[]; exposed: number }

function Trigger({ tools, exposed, ...rest }: TriggerProps) {
  const { t } = useTranslation('tools')
  const wide = wideReason(tools)
  const withheld = wide === 'isolated' || wide === 'temporary'
  const words = withheld ? t('button.withheld') : wide ? t('button.unable') : t('button.count', { count: exposed })
  return (
    <button type="button" className={cx('pick tool-btn', withheld && 'withheld')} aria-label={words} {...rest}>
      <Icon name={withheld ? 'lock' : 'tool'} size={14} />
      <span className="cut">{words}</span>
    </button>
  )
}

function ToolPopover({ tools, session }: { tools: readonly ToolListing[]; session: Session | null }) {
  const { t } = useTranslation('tools')
  const exposed = tools.filter((tool) => tool.available)
  const wide = wideReason(tools)
  return (
    <>
      <div className="tool-pop-head">
        <div className="row">
          <b className="strong">{wide ? t('button.withheld') : t('tab.exposed', { count: exposed.length })}</b>
          <span className="grow" />
          {!wide && (
            <span className="small mid">
              <Approx>{formatTokens(sumTokens(exposed))}</Approx> {t('tokens')}
            </span>
          )}
        </div>
        <p className="small dim">{wide ? t(`wide.${wide}`) : session ? t('button.help') : t('tab.begin')}</p>
      </div>
      {!wide && session && <ServerSwitches session={session} />}
      {!wide && (
        <ul className="tool-pop-list">
          {tools.map((tool) => (
            <li key={tool.id} className={tool.available ? '' : 'off'}>
              <span className="grow tool-pop-name">
                <span className="mono cut" title={tool.description}>
                  {tool.name}
                </span>
                {!tool.available && <span className="tiny dim cut">{reasonWords(tool, t)}</span>}
              </span>
              <span className="num small dim">
                <Approx>{formatTokens(tool.tokens)}</Approx>
              </span>
              {session && <QuickSwitch tool={tool} session={session} />}
            </li>
          ))}
        </ul>
      )}
      <div className="tool-pop-foot row">
        <Button small tone="ghost" onClick={() => openPane('tools')}>
          {t('button.why')}
        </Button>
        <span className="grow" />
        <Button small tone="ghost" onClick={() => openPlace('tools')}>
          {t('tab.open')}
        </Button>
      </div>
    </>
  )
}

/** Reasons a switch in the session can do something about. */
const SWITCHABLE: ReadonlySet<string | undefined> = new Set([undefined, 'tool_disabled', 'server_not_selected'])

function QuickSwitch({ tool, session }: { tool: ToolListing; session: Session }) {
  const { t } = useTranslation('tools')
  const next = () => {
    if (tool.available) return session.toolChoices[tool.id] === 'on' ? null : 'off'
    return session.toolChoices[tool.id] === 'off' && tool.enabled ? null : 'on'
  }
  return (
    <Switch
      label={t('button.switch', { tool: tool.name })}
      checked={tool.available}
      disabled={!SWITCHABLE.has(tool.reason)}
      onValue={() => void chooseTool(session, tool.id, next())}
    />
  )
}
