import { useTranslation } from 'react-i18next'
import type { McpServer } from '../../src-main/tools/contract'
import { IconButton } from '../ui/button'
import { cx } from '../ui/class-names'
import { Icon, type IconName } from '../ui/icon'
import { Menu } from '../ui/menu'
import { toolsOfServer, useTools } from './tool-store'
import { openToolDialog, openToolView, useToolView } from './tool-view-store'
import { stateOf } from './tool-words'

/** The left column: all tools, the built-in ones, commands, and the servers with their state. */
export function ToolsSide() {
  const { t } = useTranslation('tools')
  const { tools, servers, commands } = useTools()
  return (
    <>
      <div className="side-top">
        <b className="strong side-name">{t('title')}</b>
        <span className="grow" />
        <AddMenu />
      </div>
      <div className="side-list">
        <ViewRow view="all" icon="tool" name={t('view.all')} count={tools.length} />
        <ViewRow
          view="built-in"
          icon="strata"
          name={t('view.built-in')}
          count={tools.filter((tool) => tool.origin === 'built-in').length}
        />
        <ViewRow view="command" icon="bolt" name={t('view.command')} count={commands.length} />
        <div className="grp sect">{t('side.servers')}</div>
        {servers.map((server) => (
          <ServerRow key={server.id} server={server} count={toolsOfServer(tools, server.id).length} />
        ))}
        {servers.length === 0 && <p className="small dim list-note">{t('side.noServers')}</p>}
      </div>
    </>
  )
}

function AddMenu() {
  const { t } = useTranslation('tools')
  return (
    <Menu
      label={t('add.label')}
      align="end"
      trigger={<IconButton icon="plus" label={t('add.label')} />}
      entries={[
        {
          id: 'paste',
          icon: 'copy',
          label: t('add.paste'),
          onSelect: () => openToolDialog({ kind: 'server', server: null, how: 'paste' }),
        },
        {
          id: 'form',
          icon: 'server',
          label: t('add.form'),
          onSelect: () => openToolDialog({ kind: 'server', server: null, how: 'form' }),
        },
        {
          id: 'command',
          icon: 'bolt',
          label: t('add.command'),
          onSelect: () => openToolDialog({ kind: 'command', command: null }),
        },
      ]}
    />
  )
}

function ViewRow({ view, icon, name, count }: { view: string; icon: IconName; name: string; count: number }) {
  const current = useToolView((state) => state.view === view)
  return (
    <button
      type="button"
      className="ses one view-row"
      aria-current={current ? 'true' : undefined}
      onClick={() => openToolView(view)}
    >
      <b className="row cut">
        <span className="dim">
          <Icon name={icon} size={14} />
        </span>
        <span className="cut">{name}</span>
      </b>
      <span className="tiny dim num">{count}</span>
    </button>
  )
}

function ServerRow({ server, count }: { server: McpServer; count: number }) {
  const { t } = useTranslation('tools')
  const current = useToolView((state) => state.view === server.id)
  const state = stateOf(server)
  return (
    <button
      type="button"
      className="ses one view-row"
      aria-current={current ? 'true' : undefined}
      onClick={() => openToolView(server.id)}
    >
      <b className="row cut">
        <span className={cx('state-dot', state)} aria-hidden="true" />
        <span className="cut">{server.name}</span>
      </b>
      <span className={cx('tiny num', state === 'failed' ? 'danger-t' : 'dim')}>
        {state === 'ready' ? count : t(`state.${state}`)}
      </span>
    </button>
  )
}
