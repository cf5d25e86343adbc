import type { DragEvent } from 'react'
import { moveFolder, patchSessions } from './session-actions'

/** What a dragged row carries: ids as JSON. */
export const DRAG_SESSIONS = 'application/x-strata-sessions'
export const DRAG_FOLDER = 'application/x-strata-folder'

/** What makes a row take dropped chats and folders; null = out of every folder. */
export function dropTarget(folderId: string | null, setOver: (over: boolean) => void) {
  const fits = ({ dataTransfer: { types } }: DragEvent) => types.includes(DRAG_SESSIONS) || types.includes(DRAG_FOLDER)
  return {
    onDragOver(event: DragEvent) {
      if (!fits(event)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'move'
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      if (!fits(event)) return
      event.preventDefault()
      setOver(false)
      const folder = event.dataTransfer.getData(DRAG_FOLDER)
      if (folder) {
        if (folder !== folderId) void moveFolder(folder, folderId)
        return
      }
      const ids: unknown = JSON.parse(event.dataTransfer.getData(DRAG_SESSIONS))
      if (Array.isArray(ids)) void patchSessions(ids.map(String), { folderId, pinned: false })
    },
  }
}
