import type { ParseKeys } from 'i18next'
import { type ComponentType, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { ContextTab } from '../context/context-tab/context-tab'
import { SentTab } from '../context/request-inspector/sent-tab'
import { IconButton } from '../ui/button'
import { Tabs } from '../ui/tabs'
import { ErrorBoundary } from './error-boundary'
import { lazyPart } from './lazy-part'
import { type PaneTab, togglePane, useNavigation, widthKeyOf } from './navigation'
import { PaneSash } from './pane-sash'
import { shortcutLabel } from './shortcuts'

export interface PaneTabEntry {
  id: PaneTab
  /** In `app.json`. */
  titleKey: ParseKeys<'app'>
  /** Scrolls inside itself: its root is `.insp-body`, a foot may stand below. */
  Body: ComponentType<{ sessionId: string | null }>
}

/** The tabs of the right pane, left to right. A room puts its tab here with one line. */
export const PANE_TABS: readonly PaneTabEntry[] = [
  { id: 'context', titleKey: 'pane.context', Body: ContextTab },
  { id: 'sent', titleKey: 'pane.sent', Body: SentTab },
  {
    id: 'worldbook',
    titleKey: 'pane.worldbook',
    Body: lazyPart(() => import('../context/worldbook/trace/trace-tab'), 'WorldbookTab'),
  },
  {
    id: 'memory',
    titleKey: 'pane.memory',
    Body: lazyPart(() => import('../context/memory/memory-tab'), 'MemoryTab'),
  },
  { id: 'tools', titleKey: 'pane.tools', Body: lazyPart(() => import('../tools/tools-tab'), 'ToolsTab') },
]

export function RightPane() {
  const { t } = useTranslation('app')
  const { paneOpen, paneTab, sessionId } = useNavigation()
  const width = useNavigation((state) => state[widthKeyOf(state.paneTab)])
  const current = PANE_TABS.find((tab) => tab.id === paneTab) ?? PANE_TABS[0]
  if (!paneOpen || !current) return null
  return (
    <aside className="insp" aria-label={t('pane.label')} style={{ width }}>
      <PaneSash />
      <Tabs
        label={t('pane.label')}
        value={current.id}
        onValue={(tab) => useNavigation.setState({ paneTab: tab })}
        tabs={PANE_TABS.map((tab) => ({ value: tab.id, label: t(tab.titleKey) }))}
        end={
          <IconButton icon="x" label={t('pane.close')} shortcut={shortcutLabel('pane.right')} onClick={togglePane} />
        }
      >
        <ErrorBoundary resetKey={`${current.id}:${sessionId}`}>
          <Suspense fallback={null}>
            <current.Body sessionId={sessionId} />
          </Suspense>
        </ErrorBoundary>
      </Tabs>
    </aside>
  )
}
