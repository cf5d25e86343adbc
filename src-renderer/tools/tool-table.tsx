import { useTranslation } from 'react-i18next'
import type { ToolListing, ToolPolicy } from '../../src-main/tools/contract'
import { formatTokens } from '../i18n/format'
import { Mark } from '../ui/badge'
import { cx } from '../ui/class-names'
import { EmptyState } from '../ui/empty-state'
import { Select } from '../ui/field'
import { Switch } from '../ui/toggle'
import { Approx } from '../ui/tokens-label'
import { setTool, useTools } from './tool-store'
import { openTool, useToolView } from './tool-view-store'
import { originWords, reasonWords } from './tool-words'

const POLICIES = ['ask', 'allow', 'deny'] as const satisfies readonly ToolPolicy[]

/** One line a tool: on or off, what it costs, on whose say it runs, and whether this session has it. */
export function ToolTable({ tools }: { tools: readonly ToolListing[] }) {
  const { t } = useTranslation('tools')
  if (tools.length === 0) return <EmptyState icon="tool" title={t('list.nothing')} />
  return (
    <div className="tscroll">
      <table className="grid tgrid" aria-label={t('title')}>
        <thead>
          <tr>
            <th scope="col">
              <span className="vh">{t('column.on')}</span>
            </th>
            <th scope="col">{t('column.tool')}</th>
            <th scope="col">{t('column.state')}</th>
            <th scope="col">{t('column.policy')}</th>
            <th scope="col" className="r">
              {t('column.tokens')}
            </th>
          </tr>
        </thead>
        <tbody>
          {tools.map((tool) => (
            <ToolRow key={tool.id} tool={tool} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ToolRow({ tool }: { tool: ToolListing }) {
  const { t } = useTranslation('tools')
  const current = useToolView((state) => state.toolId === tool.id)
  const policy = useTools((state) => state.policies[tool.id] ?? tool.policy)
  const reason = reasonWords(tool, t)
  return (
    <tr aria-selected={current} className={cx(!tool.available && 'dis')}>
      <td>
        <Switch
          label={t('list.switch', { tool: tool.name })}
          checked={tool.enabled}
          onValue={(enabled) => void setTool(tool.id, { enabled })}
        />
      </td>
      <td>
        <button
          type="button"
          className="plain tool-cell"
          aria-expanded={current}
          onClick={() => openTool(current ? null : tool.id)}
        >
          <span className="row">
            <b className="mono cut">{tool.name}</b>
            <span className="tiny dim cut">{originWords(tool, t)}</span>
            {tool.ownDescription !== undefined && <Mark tone="set">{t('list.rewritten')}</Mark>}
            {tool.changed && <Mark tone="warn">{t('list.changed')}</Mark>}
          </span>
          <span className="small mid cut">{tool.description}</span>
        </button>
      </td>
      <td title={reason}>
        <Mark tone={tool.available ? 'ok' : tool.reason === 'server_down' ? 'bad' : 'plain'}>
          {tool.available ? t('list.exposed') : t(`reasonShort.${tool.reason ?? 'tool_disabled'}`)}
        </Mark>
      </td>
      <td>
        <Select
          aria-label={t('list.policy', { tool: tool.name })}
          value={policy}
          onValue={(next) => void setTool(tool.id, { policy: next })}
          options={POLICIES.map((each) => ({ value: each, label: t(`policy.${each}`) }))}
        />
      </td>
      <td className="r num">
        <Approx>{formatTokens(tool.tokens)}</Approx>
      </td>
    </tr>
  )
}
