import { useNavigation } from '../app/navigation'
import { attachFiles } from './attach-files'
import { flushDrafts, wireDrafts } from './draft-store'
import { wireQueues } from './queue-store'

const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

/** Drafts are written before the window goes; a file dropped anywhere attaches instead of replacing the page. */
export function wireComposer(): void {
  wireDrafts()
  wireQueues()
  window.addEventListener('pagehide', flushDrafts)
  window.addEventListener('blur', flushDrafts)
  document.addEventListener('visibilitychange', () => document.hidden && flushDrafts())
  window.addEventListener('dragover', (event) => holdsFiles(event) && event.preventDefault())
  window.addEventListener('drop', (event) => {
    if (event.defaultPrevented || !holdsFiles(event)) return
    event.preventDefault()
    const { place, sessionId } = useNavigation.getState()
    if (place === 'chats') void attachFiles(sessionId, [...(event.dataTransfer?.files ?? [])])
  })
}
