import type { Emit } from '../app-contract'
import type { Handlers } from '../ipc/contract'
import type { WriteDatabase } from '../storage/database'
import { listSnippets, removeSnippet, saveSnippet } from './composer-rows'
import type { Session, sessionCalls } from './contract'
import { listFolders, removeFolder, saveFolder } from './folder-rows'
import type { SessionStore } from './session-store'
import { listTags, removeTag, saveTag } from './tag-rows'

export interface SessionHandlerDeps {
  store: SessionStore
  database: WriteDatabase
  ids: () => string
  emit: Emit
  /** The prompt new sessions point at when the caller names none. */
  defaultGlobalPromptId: () => string | null
}

export function sessionHandlers(deps: SessionHandlerDeps): Handlers<typeof sessionCalls> {
  return { ...chatHandlers(deps), ...filingHandlers(deps), ...composerHandlers(deps) }
}

type Chat = Extract<keyof typeof sessionCalls, `sessions.${string}` | `messages.${string}`>

function chatHandlers({ store, defaultGlobalPromptId }: SessionHandlerDeps): Pick<Handlers<typeof sessionCalls>, Chat> {
  return {
    'sessions.create': ({ greetings = [], ...input }) => {
      const globalPromptId = input.globalPromptId === undefined ? defaultGlobalPromptId() : input.globalPromptId
      const session = store.createSession(defined({ ...input, globalPromptId }))
      return greet(store, session, greetings)
    },
    'sessions.list': (input) => store.listSessions(input),
    'sessions.get': ({ sessionId, limit, before }) => store.branchPage(sessionId, { limit, before }),
    'sessions.update': ({ sessionId, patch, change }) => store.changeSession(sessionId, patch, change),
    'sessions.fork': ({ sessionId, messageId }) => store.fork(sessionId, messageId),
    'sessions.release-isolated': ({ sessionId }) => ({
      released: store.releaseIsolated(sessionId),
      session: store.requireSession(sessionId),
    }),
    'sessions.remove': ({ sessionIds }) => ({ removed: store.bin(sessionIds).length }),
    'sessions.restore': ({ sessionIds }) => ({ restored: store.restore(sessionIds).length }),
    'sessions.purge': ({ sessionIds }) => ({ purged: store.purge(sessionIds).length }),
    'sessions.search': (input) => store.search(input),
    'sessions.find': ({ sessionId, query }) => store.findInSession(sessionId, query),
    'messages.get': ({ messageId }) => store.requireMessage(messageId),
    'messages.edit': ({ messageId, text }) => store.editMessage(messageId, text),
    'messages.select': ({ messageId }) => store.selectMessage(messageId),
    'messages.remove': ({ messageId }) => ({ removed: store.removeMessage(messageId) }),
    'messages.delivered': ({ id }) => ({ delivered: store.isDelivered(id) }),
    'messages.append': ({ sessionId, text, attachments, id, fromDraft }) => {
      store.requireSession(sessionId)
      const parentId = store.leafOf(sessionId)?.id ?? null
      const row = { sessionId, parentId, role: 'user', text, attachments, replyWanted: false } as const
      return store.insertMessage({ ...row, id, fromDraft })
    },
  }
}

/** A chat that begins with the assistant: the greetings are versions of one answer, the first of them shown. */
function greet(store: SessionStore, session: Session, greetings: readonly string[]): Session {
  const [first] = greetings
    .filter((text) => text.trim() !== '')
    .map((text) => store.insertMessage({ sessionId: session.id, parentId: null, role: 'assistant', text }))
  if (!first) return session
  store.selectMessage(first.id)
  store.showInList(session.id, first.text)
  return store.requireSession(session.id)
}

type Filing = Extract<keyof typeof sessionCalls, `folders.${string}` | `tags.${string}`>

function filingHandlers({ database, ids, emit }: SessionHandlerDeps): Pick<Handlers<typeof sessionCalls>, Filing> {
  const moved = (sessionIds: string[]) => {
    if (sessionIds.length > 0) emit('sessions.changed', { ids: sessionIds })
  }
  return {
    'folders.list': () => listFolders(database),
    'folders.save': (input) => {
      const folder = saveFolder(database, { ...input, id: input.id ?? ids() }, input.id === undefined)
      emit('folders.changed', { ids: [folder.id] })
      return folder
    },
    'folders.remove': ({ id }) => {
      moved(removeFolder(database, id))
      emit('folders.changed', { ids: [id] })
      return { removed: 1 }
    },
    'tags.list': () => listTags(database),
    'tags.save': (input) => {
      const tag = saveTag(database, { ...input, id: input.id ?? ids() }, input.id === undefined)
      emit('tags.changed', { ids: [tag.id] })
      return tag
    },
    'tags.remove': ({ id }) => {
      moved(removeTag(database, id))
      emit('tags.changed', { ids: [id] })
      return { removed: 1 }
    },
  }
}

type Composer = Exclude<keyof typeof sessionCalls, Chat | Filing>

function composerHandlers(deps: SessionHandlerDeps): Pick<Handlers<typeof sessionCalls>, Composer> {
  const { store, database, ids, emit } = deps
  return {
    'attachments.add': ({ name, dataBase64, sessionId, temporary }) => {
      if (sessionId !== undefined) store.requireSession(sessionId)
      return store.addAttachment({ name, bytes: Buffer.from(dataBase64, 'base64'), sessionId, temporary })
    },
    'attachments.read': async ({ sha256 }) => {
      const bytes = await store.readAttachment(sha256)
      const mediaType = store.mediaTypeOf(sha256) ?? 'application/octet-stream'
      return { mediaType, dataBase64: Buffer.from(bytes).toString('base64') }
    },
    'drafts.get': ({ sessionId }) => store.getDraft(sessionId),
    'drafts.save': ({ sessionId, ...draft }) => ({ saved: true, ...store.saveDraft(sessionId, draft) }),
    'snippets.list': () => listSnippets(database),
    'snippets.save': ({ id, name, text }) => {
      const snippet = saveSnippet(database, { id: id ?? ids(), name, text }, id === undefined)
      emit('snippets.changed', { ids: [snippet.id] })
      return snippet
    },
    'snippets.remove': ({ id }) => {
      removeSnippet(database, id)
      emit('snippets.changed', { ids: [id] })
      return { removed: 1 }
    },
  }
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** Leaves out fields that are undefined, so that defaults apply. */
function defined<T extends object>(input: T): Partial<Defined<T>> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Partial<Defined<T>>
}
