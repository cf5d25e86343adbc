import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../i18n/format'
import { type Approval, useApproval } from '../tools/approval-store'
import { FullResult, ResultImages } from '../tools/tool-result'
import { useTools } from '../tools/tool-store'
import { Mark, type MarkTone } from '../ui/badge'
import { LinkButton } from '../ui/button'
import { cx } from '../ui/class-names'
import { Icon } from '../ui/icon'
import { ApprovalFoot, asksUser, InterruptedFoot, QuestionFoot } from './approval-foot'
import type { LiveToolPart } from './live-answers'
import { ServerFormFoot } from './server-form-foot'
import { ChangedFoot, ChangeOrigin, Difference } from './tool-change'

const TONES: Record<LiveToolPart['state'], MarkTone> = {
  waiting: 'warn',
  queued: 'plain',
  running: 'plain',
  completed: 'ok',
  failed: 'bad',
  rejected: 'bad',
  timed_out: 'bad',
  stopped: 'plain',
  interrupted: 'warn',
}

interface ToolCardProps {
  messageId: string
  part: LiveToolPart
  /** Whether its answer is still being written. */
  live: boolean
}

/** What a call that was cut off came to: one that ran may have done its work, one that waited has not begun. */
function endOf(state: LiveToolPart['state']): LiveToolPart['state'] {
  if (state === 'running') return 'interrupted'
  return state === 'queued' || state === 'waiting' ? 'stopped' : state
}

/** One tool call: its arguments, its result, and the question whether it may run. */
export function ToolCard({ messageId, part, live }: ToolCardProps) {
  const { t } = useTranslation(['chat', 'common', 'app'])
  const approval = useApproval(messageId, part.callId)
  const state = approval ? (approval.interrupted ? 'interrupted' : 'waiting') : live ? part.state : endOf(part.state)
  const [open, setOpen] = useState(false)
  const origin = useOrigin(part.toolId)
  const change = approval?.changed
  return (
    <section
      className={cx('toolc', change && 'tool-changed')}
      aria-label={t('tool.label', { tool: part.name, state: t(`tool.state.${state}`) })}
    >
      <header>
        <Icon name={change ? 'warn' : 'tool'} />
        {change ? (
          <span className="column">
            <b className="strong">{t(change.scope ? 'change.title' : 'change.titleInTurn', { tool: part.name })}</b>
            <ChangeOrigin change={change} origin={origin} />
          </span>
        ) : (
          <>
            <b className="strong cut">{part.name}</b>
            {origin && <span className="dim cut">{origin}</span>}
          </>
        )}
        <span className="grow" />
        {part.elapsedMs !== undefined && <span className="tiny dim num">{(part.elapsedMs / 1000).toFixed(1)} s</span>}
        <Mark tone={TONES[state]}>{t(`tool.state.${state}`)}</Mark>
      </header>
      {change && <Difference change={change} />}
      {!(approval && asksUser(approval)) && <ToolArguments value={approval?.arguments ?? part.arguments} />}
      {state === 'running' && part.progress && <p className="tool-note small mid cut">{part.progress}</p>}
      {part.note && <p className="tool-note small mid">{part.note}</p>}
      {part.result !== undefined && (
        <div className="tool-result">
          <button type="button" className="tool-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
            <Icon name={open ? 'down' : 'right'} size={14} />
            <span>{t('tool.result')}</span>
            <span className="dim num">{formatBytes(part.result.length)}</span>
            {!open && <span className="cut dim">{part.result.slice(0, 120)}</span>}
          </button>
          {open && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
            <pre tabIndex={0}>{part.result}</pre>
          )}
          {open && part.fullResultSha256 && <FullResult sha256={part.fullResultSha256} />}
        </div>
      )}
      {part.images && part.images.length > 0 && <ResultImages images={part.images} tool={part.name} />}
      {approval && <Foot approval={approval} />}
    </section>
  )
}

function Foot({ approval }: { approval: Approval }) {
  if (approval.form) return <ServerFormFoot approval={approval} form={approval.form} />
  if (approval.interrupted) return <InterruptedFoot approval={approval} />
  if (asksUser(approval)) return <QuestionFoot approval={approval} />
  return approval.changed ? (
    <ChangedFoot approval={approval} change={approval.changed} />
  ) : (
    <ApprovalFoot approval={approval} />
  )
}

/** The name of the server behind a tool, where there is one. */
function useOrigin(toolId: string): string {
  const [kind, serverId] = toolId.split('/')
  return useTools((state) => (kind === 'mcp' ? (state.servers.find((each) => each.id === serverId)?.name ?? '') : ''))
}

function ToolArguments({ value }: { value: unknown }) {
  const rows: [string, string][] =
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([name, each]) => [name, typeof each === 'string' ? each : JSON.stringify(each)])
      : value === undefined || value === ''
        ? []
        : [['', typeof value === 'string' ? value : JSON.stringify(value)]]
  if (rows.length === 0) return null
  return (
    <dl>
      {rows.map(([name, text]) => (
        <ArgumentRow key={name} name={name} text={text} />
      ))}
    </dl>
  )
}

const LONG = 160

function ArgumentRow({ name, text }: { name: string; text: string }) {
  const { t } = useTranslation(['chat', 'common', 'app'])
  const [open, setOpen] = useState(false)
  const long = text.length > LONG || text.includes('\n')
  const lines = text.split('\n').length
  return (
    <>
      <dt className="cut">{name}</dt>
      {!long || open ? (
        <dd className="mono arg-text">
          {text}
          {long && <LinkButton onClick={() => setOpen(false)}>{t('common:hide')}</LinkButton>}
        </dd>
      ) : (
        <dd className="cut">
          {t('tool.lines', { count: lines })}, {formatBytes(new TextEncoder().encode(text).length)} ·{' '}
          <LinkButton onClick={() => setOpen(true)}>{t('common:show')}</LinkButton>
        </dd>
      )}
    </>
  )
}
