import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Attachment, Snippet } from '../sessions/composer-contract'
import type { Folder, MessagePart, Session, Tag } from '../sessions/contract'
import type { SessionStore } from '../sessions/session-store'
import { FORMAT, VERSION, type WrittenItem } from './strata-format'

export interface ExportPrompt {
  id: string
  name: string
  text: string
  createdAt: string
  updatedAt: string
}

export interface ExportSource {
  store: SessionStore
  folders: readonly Folder[]
  tags: readonly Tag[]
  prompts: readonly ExportPrompt[]
  /** Set for an export of everything: all folders, tags and prompts go along, and these. */
  everything?: { snippets: readonly Snippet[]; settings: Record<string, unknown> }
}

type MessageItem = Extract<WrittenItem, { type: 'message' }>
type Stored = ReturnType<SessionStore['messageBatches']> extends Generator<(infer M)[]> ? M : never

/** The sessions and everything they name, line by line. A session that is not there is left out. */
export async function* jsonLines(
  source: ExportSource,
  sessionIds: readonly string[],
  exportedAt: string,
): AsyncGenerator<string> {
  yield `{"format":"${FORMAT}","version":${VERSION},"exportedAt":${JSON.stringify(exportedAt)},"items":[\n`
  let isFirst = true
  for await (const item of items(source, sessionIds)) {
    yield `${isFirst ? '' : ',\n'}${JSON.stringify(item)}`
    isFirst = false
  }
  yield '\n]}\n'
}

async function* items(source: ExportSource, sessionIds: readonly string[]): AsyncGenerator<WrittenItem> {
  const sessions = sessionIds.flatMap((id) => source.store.getSession(id) ?? [])
  yield* shared(source, sessions)
  const written = new Set<string>()
  for (const session of sessions) {
    yield* files(source.store, session.id, written)
    yield sessionItem(session)
    for (const batch of source.store.messageBatches(session.id)) {
      for (const message of batch) yield messageItem(message, session.isolation)
      // a large export lets others have their turn
      await nextTurn()
    }
  }
}

function* shared(source: ExportSource, sessions: readonly Session[]): Generator<WrittenItem> {
  const folderIds = new Set<string>()
  for (const session of sessions) {
    for (let id = session.folderId; id !== null && !folderIds.has(id); ) {
      folderIds.add(id)
      const at: string = id
      id = source.folders.find((folder) => folder.id === at)?.parentId ?? null
    }
  }
  const tagIds = new Set(sessions.flatMap((session) => session.tagIds))
  const promptIds = new Set(sessions.map((session) => session.globalPromptId))
  const { everything } = source
  for (const folder of source.folders) if (everything || folderIds.has(folder.id)) yield { type: 'folder', ...folder }
  for (const tag of source.tags) if (everything || tagIds.has(tag.id)) yield { type: 'tag', ...tag }
  for (const { id, name, text, createdAt, updatedAt } of source.prompts) {
    if (everything || promptIds.has(id)) yield { type: 'prompt', id, name, text, createdAt, updatedAt }
  }
  if (!everything) return
  for (const snippet of everything.snippets) yield { type: 'snippet', ...snippet }
  if (Object.keys(everything.settings).length > 0) yield { type: 'settings', values: everything.settings }
}

/** Each file's bytes once, then the attachments that name them. */
async function* files(store: SessionStore, sessionId: string, written: Set<string>): AsyncGenerator<WrittenItem> {
  const attachments = new Map<string, Attachment>()
  const hashes = new Set<string>()
  for (const batch of store.messageBatches(sessionId)) {
    for (const message of batch) {
      for (const attachment of message.attachments) {
        attachments.set(attachment.id, attachment)
        hashes.add(attachment.sha256)
      }
      for (const sha256 of toolFiles(message.parts)) hashes.add(sha256)
    }
  }
  for (const sha256 of hashes) {
    if (written.has(sha256)) continue
    written.add(sha256)
    const bytes = await store.readAttachment(sha256).catch(() => undefined)
    if (bytes) yield { type: 'blob', sha256, dataBase64: Buffer.from(bytes).toString('base64') }
  }
  for (const attachment of attachments.values()) {
    if (written.has(attachment.id)) continue
    written.add(attachment.id)
    yield { type: 'attachment', ...attachment }
  }
}

function toolFiles(parts: readonly MessagePart[]): string[] {
  return parts.flatMap((part) => {
    if (part.type !== 'tool') return []
    return [...(part.fullResultSha256 ? [part.fullResultSha256] : []), ...(part.images ?? []).map((i) => i.sha256)]
  })
}

function sessionItem(session: Session): WrittenItem {
  const { temporary: _t, messageCount: _m, snippet: _s, isolatedMessages: _i, ...kept } = session
  return { type: 'session', ...kept }
}

function messageItem(message: Stored, ofIsolated: boolean): MessageItem {
  const { sessionId: _session, parts, attachments, ...kept } = message
  const [only] = parts
  const isPlain = parts.length === 1 && only?.type === 'text' && only.text === message.text
  return {
    type: 'message',
    ...kept,
    ...(ofIsolated ? { isolated: message.isolated === true } : {}),
    ...(isPlain ? {} : { parts }),
    ...(attachments.length > 0 ? { attachments: attachments.map((attachment) => attachment.id) } : {}),
  }
}
