import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigation } from '../app/navigation'
import { PageFrame } from '../app/page-frame'
import { CommandDialog } from './command-dialog'
import { CommandList } from './command-list'
import { ServerDialog } from './server-dialog'
import { ServerView } from './server-view'
import { ToolList } from './tool-list'
import { loadTools, useTools } from './tool-store'
import { openToolView, useToolView } from './tool-view-store'
import { ToolsSide } from './tools-side'

/** The tool centre: what can be called, on whose say, at what cost, and why not. */
export function ToolsPage() {
  const { t } = useTranslation('tools')
  const target = useNavigation((state) => state.placeTarget)
  useEffect(() => void loadTools(), [])
  useEffect(() => {
    if (target === null) return
    openToolView(target)
    useNavigation.setState({ placeTarget: null })
  }, [target])
  return (
    <PageFrame className="toolp" list={<ToolsSide />} listLabel={t('title')} listWidth={252}>
      <ToolsMain />
      <ServerDialog />
      <CommandDialog />
    </PageFrame>
  )
}

function ToolsMain() {
  const view = useToolView((state) => state.view)
  const server = useTools((state) => state.servers.find((each) => each.id === view))
  if (server) return <ServerView key={server.id} server={server} />
  return view === 'command' ? <CommandList /> : <ToolList origin={view === 'built-in' ? 'built-in' : null} />
}
