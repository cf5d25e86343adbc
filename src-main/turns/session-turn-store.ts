import type { Session } from '../sessions/contract'
import type { SessionStore } from '../sessions/session-store'
import type { WriteDatabase } from '../storage/database'
import type { NewMessage, TurnStore } from './ports'

/** What the preview of a first message stands on. */
const UNBORN: Session = {
  id: '',
  title: '',
  titleSource: 'auto',
  temporary: false,
  folderId: null,
  tagIds: [],
  pinned: false,
  archived: false,
  createdAt: '',
  updatedAt: '',
  messageCount: 0,
  snippet: '',
  globalPromptId: null,
  topicPrompt: '',
  enhancedPrompt: null,
  worldbookIds: [],
  isolation: false,
  modelId: null,
  historyLimit: null,
  layout: null,
  toolChoices: {},
  workingFolder: null,
  summarise: true,
}

const rowOf = ({ attachmentIds, parts, ...row }: NewMessage) => ({
  ...row,
  parts,
  text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
  attachments: attachmentIds,
})

/**
 * The sessions room as turns see it. Records of temporary chats live in a database in memory, like the chats themselves:
 * `passing` has the turns' tables and is gone with the process.
 */
export function sessionTurnStore(
  store: SessionStore,
  databases: { kept: WriteDatabase; passing: WriteDatabase },
  defaultGlobalPromptId: () => string | null,
): TurnStore {
  const databaseOf = (sessionId: string): WriteDatabase =>
    store.isTemporary(sessionId) ? databases.passing : databases.kept
  return {
    getSession: (sessionId) => store.getSession(sessionId),
    newSession: () => ({ ...UNBORN, globalPromptId: defaultGlobalPromptId() }),
    getMessage: (messageId) => store.getMessage(messageId),
    branchOf: (sessionId) => store.branchOf(sessionId),
    branchTo: (sessionId, messageId) => store.branchTo(sessionId, messageId),
    insertMessage: (row) => store.insertMessage(rowOf(row)),
    insertMessages: (rows) => store.insertMessages(rows.map(rowOf)),
    updateMessage: (messageId, { turnId: _turnId, ...patch }) => store.updateMessage(messageId, patch),
    keepMessage: (messageId, { turnId: _turnId, ...patch }, grown) => store.keepMessage(messageId, patch, grown),
    setAutoTitle: (sessionId, title, source) => {
      store.setModelTitle(sessionId, title, source)
    },
    attachments: (ids) => store.attachments(ids),
    queueOf: (sessionId) => store.queueOf(sessionId),
    requireQueued: (id) => store.requireQueued(id),
    holdQueued: (id, why) => store.holdQueued(id, why),
    readAttachment: (sha256) => store.readAttachment(sha256),
    databaseOf,
    databaseOfMessage(messageId) {
      const message = store.getMessage(messageId)
      return message ? databaseOf(message.sessionId) : databases.kept
    },
  }
}
