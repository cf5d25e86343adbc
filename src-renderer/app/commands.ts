import { regenerateLast, stopRunning } from '../chat/chat-actions'
import { focusComposer } from '../composer/composer-focus'
import { newChat, newTemporaryChat, openNeighbour } from '../sessions/session-actions'
import {
  archiveChat,
  binChat,
  exportJson,
  exportMarkdown,
  forkChat,
  nextTheme,
  pinChat,
  searchChats,
} from './chat-commands'
import { openSessionSettings, openSettings, showSent, toggleList, togglePane, useNavigation } from './navigation'
import type { CommandId } from './shortcuts'

const set = useNavigation.setState

/** What each command does. False = it had nothing to do here, and the key keeps its usual meaning. */
export const RUN: Record<CommandId, () => unknown> = {
  'chat.new': newChat,
  'chat.temporary': newTemporaryChat,
  'palette.open': () => set((state) => ({ layer: state.layer === 'palette' ? null : 'palette' })),
  'chat.find': () => set({ place: 'chats', findOpen: true }),
  'settings.open': () => openSettings(),
  'pane.left': toggleList,
  'pane.right': togglePane,
  'chat.model': () => set({ place: 'chats', headerMenu: 'model' }),
  'chat.prompt': () => set({ place: 'chats', headerMenu: 'prompt' }),
  'request.preview': () => showSent(null),
  'chat.regenerate': regenerateLast,
  'chat.stop': stopRunning,
  'chat.next': () => openNeighbour(1),
  'chat.previous': () => openNeighbour(-1),
  'chat.settings': () => openSessionSettings(),
  'composer.focus': focusComposer,
  'chat.search': searchChats,
  'chat.fork': forkChat,
  'chat.pin': pinChat,
  'chat.archive': archiveChat,
  'chat.bin': binChat,
  'chat.markdown': exportMarkdown,
  'chat.json': exportJson,
  'chats.import': () => openSettings('backups'),
  'look.theme': nextTheme,
  'help.shortcuts': () => set((state) => ({ layer: state.layer === 'shortcuts' ? null : 'shortcuts' })),
}

export function runCommand(id: CommandId): boolean {
  return RUN[id]() !== false
}
