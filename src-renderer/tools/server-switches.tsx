import { useTranslation } from 'react-i18next'
import type { Session } from '../../src-main/sessions/contract'
import type { McpServer } from '../../src-main/tools/contract'
import { Switch } from '../ui/toggle'
import { chooseTool } from './session-choice'
import { toolsOfServer, useTools } from './tool-store'
import { stateOf } from './tool-words'

/** Where a chat keeps its choice of a whole server. */
const placeOf = (server: McpServer): string => `mcp/${server.id}`

/** One switch for each server that is not switched off for all: every tool of it, for this chat only. */
export function ServerSwitches({ session }: { session: Session }) {
  const { t } = useTranslation('tools')
  const servers = useTools((state) => state.servers).filter((server) => server.enabled)
  if (servers.length === 0) return null
  return (
    <section aria-label={t('session.servers')} className="server-choices">
      <div className="sect">{t('session.servers')}</div>
      <ul>
        {servers.map((server) => (
          <ServerRow key={server.id} server={server} session={session} />
        ))}
      </ul>
    </section>
  )
}

function ServerRow({ server, session }: { server: McpServer; session: Session }) {
  const { t } = useTranslation('tools')
  const tools = useTools((state) => state.tools)
  const choice = session.toolChoices[placeOf(server)]
  const wanted = choice === 'on' || (server.selectedForChat && choice !== 'off')
  // what holds for all chats needs no choice of its own
  const choose = (on: boolean) =>
    void chooseTool(session, placeOf(server), on === server.selectedForChat ? null : on ? 'on' : 'off')
  return (
    <li className="row">
      <span className="cut">{server.name}</span>
      <span className="tiny dim cut">
        {server.state === 'ready'
          ? t('button.count', { count: toolsOfServer(tools, server.id).length })
          : t(`state.${stateOf(server)}`)}
      </span>
      <span className="grow" />
      <Switch label={t('session.switch', { server: server.name })} checked={wanted} onValue={choose} />
    </li>
  )
}
