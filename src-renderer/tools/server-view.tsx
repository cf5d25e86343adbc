import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { McpServer } from '../../src-main/tools/contract'
import { call } from '../api/client'
import { inWords } from '../i18n/said'
import { Mark, type MarkTone } from '../ui/badge'
import { Button } from '../ui/button'
import { Confirm } from '../ui/dialog'
import { Icon } from '../ui/icon'
import { Switch } from '../ui/toggle'
import { SignInRow } from './sign-in-row'
import { ToolDetail } from './tool-detail'
import { ToolSums } from './tool-list'
import { changeTools, toolsOfServer, useTools } from './tool-store'
import { ToolTable } from './tool-table'
import { openToolDialog, openToolView } from './tool-view-store'
import { stateOf } from './tool-words'

const TONES: Record<ReturnType<typeof stateOf>, MarkTone> = {
  off: 'plain',
  stopped: 'plain',
  starting: 'set',
  ready: 'ok',
  signIn: 'warn',
  failed: 'bad',
}

/** Why there is nothing to show. */
function noneWords(server: McpServer) {
  const state = stateOf(server)
  if (state === 'off') return 'server.disabled'
  return state === 'signIn' ? 'server.noToolsYet' : 'server.noTools'
}

/** One server: how it is doing, what it offers, what it said. */
export function ServerView({ server }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  const all = useTools((state) => state.tools)
  const tools = toolsOfServer(all, server.id)
  return (
    <>
      <ServerHead server={server} />
      <ServerFacts server={server} />
      <div className="memgrid">
        {tools.length > 0 ? (
          <ToolTable tools={tools} />
        ) : (
          <p className="small dim server-none">{t(noneWords(server))}</p>
        )}
        <ToolDetail />
      </div>
      <ServerLog server={server} />
    </>
  )
}

function ServerHead({ server }: { server: McpServer }) {
  const { t } = useTranslation(['tools', 'common'])
  const all = useTools((state) => state.tools)
  const mine = toolsOfServer(all, server.id)
  const [busy, setBusy] = useState(false)
  const [removing, setRemoving] = useState(false)
  const restart = async () => {
    setBusy(true)
    await changeTools(() => call('mcp.restart', { id: server.id }))
    setBusy(false)
  }
  const remove = async () => {
    if (await changeTools(() => call('mcp.remove', { id: server.id }))) openToolView('all')
  }
  return (
    <header className="head one">
      <div className="row">
        <h1 className="cut">{server.name}</h1>
        <Mark tone={TONES[stateOf(server)]}>{t(`state.${stateOf(server)}`)}</Mark>
        {mine.length > 0 && <ToolSums tools={mine} />}
        <span className="grow" />
        <Button small icon="redo" disabled={busy || !server.enabled} onClick={() => void restart()}>
          {busy ? t('server.testing') : server.state === 'ready' ? t('server.restart') : t('server.test')}
        </Button>
        <Button small tone="ghost" icon="edit" onClick={() => openToolDialog({ kind: 'server', server, how: 'form' })}>
          {t('common:edit')}
        </Button>
        <Button small tone="danger" className="ghost" onClick={() => setRemoving(true)}>
          {t('common:remove')}
        </Button>
      </div>
      <Confirm
        open={removing}
        onOpen={setRemoving}
        title={t('server.removeTitle', { name: server.name })}
        text={t('server.removeText')}
        action={t('common:remove')}
        danger
        onConfirm={() => void remove()}
      />
    </header>
  )
}

/** `npx -y server-files /home` or its address. */
export const addressOf = ({ transport }: Pick<McpServer, 'transport'>): string =>
  transport.kind === 'http' ? transport.url : [transport.command, ...transport.args].join(' ')

function ServerFacts({ server }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  const save = (patch: { enabled?: boolean; selectedForChat?: boolean }) =>
    void changeTools(() => call('mcp.save', { id: server.id, ...patch }))
  return (
    <div className="server-facts">
      {server.lastError && server.enabled && server.signIn !== 'needed' && (
        <p className="row danger-t small" role="alert">
          <Icon name="warn" size={14} />
          <span>{inWords(server.lastError, server.lastErrorWords)}</span>
        </p>
      )}
      <SignInRow server={server} />
      <p className="mono cut dim" title={addressOf(server)}>
        {addressOf(server)}
      </p>
      <div className="row server-switches small">
        <Switch label={t('server.enabled')} checked={server.enabled} onValue={(enabled) => save({ enabled })} />
        <span>{t('server.enabled')}</span>
        <Switch
          label={t('server.selected')}
          checked={server.selectedForChat}
          onValue={(selectedForChat) => save({ selectedForChat })}
        />
        <span>{t('server.selected')}</span>
        <span className="dim cut">{server.selectedForChat ? '' : t('server.selectedHelp')}</span>
      </div>
      {server.prompts && server.prompts.length > 0 && (
        <div className="row server-prompts small">
          <span className="dim">{t('server.prompts')}</span>
          {server.prompts.map((prompt) => (
            <Button
              key={prompt.name}
              small
              title={prompt.description}
              onClick={() => openToolDialog({ kind: 'prompt', server, prompt: prompt.name })}
            >
              {prompt.name}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

function ServerLog({ server }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  const [lines, setLines] = useState<readonly string[]>([])
  const [open, setOpen] = useState(stateOf(server) === 'failed')
  const tail = server.stderrTail?.at(-1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: new words or another state mean a longer log
  useEffect(() => {
    if (open)
      call('mcp.log', { id: server.id }).then(
        (log) => setLines(log.lines),
        () => setLines([]),
      )
  }, [open, server.id, server.state, tail])
  return (
    <details className="server-log small" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {t('server.log')} {!open && tail && <span className="mono dim cut">{tail}</span>}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre className="raw-text" tabIndex={0}>
        {lines.length > 0 ? lines.join('\n') : t('server.noLog')}
      </pre>
    </details>
  )
}
