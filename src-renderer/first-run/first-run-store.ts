import { create } from 'zustand'
import { useModels } from '../models/model-store'
import { updateSettings, useSettings } from '../settings/settings-store'
import { showError } from '../ui/toast'

/** True from the first passed test until the person starts: the connection exists by then, the screen stays. */
export const useFirstRun = create<{ going: boolean }>(() => ({ going: false }))

/** Nothing but the built-in dry run is connected, and nobody has said that is enough. */
export function useNeedsFirstRun(): boolean {
  const going = useFirstRun((state) => state.going)
  const done = useSettings((state) => state.settings?.general.firstRunDone ?? true)
  const bare = useModels((state) => state.loaded && state.connections.every(({ kind }) => kind === 'dry-run'))
  return going || (!done && bare)
}

/** Leaves the screen with this model as the one new chats take. */
export async function finishFirstRun(modelId: string): Promise<void> {
  try {
    await updateSettings({ general: { firstRunDone: true, defaultModelId: modelId } })
    useFirstRun.setState({ going: false })
  } catch (error) {
    showError(error)
  }
}
