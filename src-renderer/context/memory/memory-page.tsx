import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigation } from '../../app/navigation'
import { PageFrame } from '../../app/page-frame'
import { JobsPanel } from '../../jobs/jobs-panel'
import { SummariesPanel } from '../recent-conversations/summaries-panel'
import { ProfilePanel } from '../user-profile/profile-panel'
import { ImportDialog } from './import-dialog'
import { MemoryList } from './memory-list'
import { MemorySide } from './memory-side'
import { followMemories, openMemory, openMemoryView, useMemories } from './memory-store'
import { isMemoryView } from './memory-views'
import { ProposalsPanel } from './proposals-panel'
import { SearchPanel } from './search-panel'

/** A view's name, or the id of a memory as the inspector names it. */
function useTarget(): void {
  const target = useNavigation((state) => state.placeTarget)
  useEffect(() => {
    if (target === null) return
    if (isMemoryView(target)) openMemoryView(target)
    else void openMemory(target)
    useNavigation.setState({ placeTarget: null })
  }, [target])
}

/** Memories, and the two layers beside them. */
export function MemoryPage() {
  const { t } = useTranslation('memory')
  useEffect(followMemories, [])
  useTarget()
  return (
    <PageFrame className="memp" list={<MemorySide />} listLabel={t('title')} listWidth={252}>
      <MemoryMain />
      <ImportDialog />
    </PageFrame>
  )
}

function MemoryMain() {
  const view = useMemories((state) => state.view)
  switch (view) {
    case 'proposals':
      return <ProposalsPanel />
    case 'recent-conversations':
      return <SummariesPanel />
    case 'user-profile':
      return <ProfilePanel />
    case 'search':
      return <SearchPanel />
    case 'jobs':
      return <JobsPanel />
    default:
      return <MemoryList />
  }
}
