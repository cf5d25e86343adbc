import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session, SessionChange, SessionPatch } from '../../../src-main/sessions/contract'
import { call } from '../../api/client'
import { closeSessionSettings, openSession, useNavigation } from '../../app/navigation'
import { patchOpenSession, saveOpenSession } from '../../chat/chat-actions'
import { useTranscript } from '../../chat/transcript-store'
import { draftOf } from '../../composer/draft-store'
import { makeSession } from '../../composer/make-session'
import { formatTime } from '../../i18n/format'
import { loadSessions } from '../../sessions/session-store'
import { Dialog } from '../../ui/dialog'
import { showError } from '../../ui/toast'
import { EnhancedRow, TopicRow } from './prompt-rows'
import { BooksRow, FolderRow, IsolationRow, LayoutRow, LimitRow, SummariseRow } from './setting-rows'

/** Everything a chat decides for itself, each with where it comes from and the way back. */
export function SessionDrawer() {
  const { t } = useTranslation(['context', 'common', 'sessions'])
  const { open, field } = useNavigation((state) => state.sessionSettings)
  const sessionId = useNavigation((state) => state.sessionId)
  const session = useTranscript((state) => (state.current?.sessionId === sessionId ? state.current.session : null))
  const [savedAt, setSavedAt] = useState<string | null>(null)
  const body = useRef<HTMLDivElement>(null)
  const close = useUnborn(open, session)
  const ready = session !== null
  useEffect(() => {
    if (!open) setSavedAt(null)
    if (!open || !field || !ready) return
    const timer = setTimeout(() => {
      const row = body.current?.querySelector(`[data-field="${field}"]`)
      // the row's Reset comes first in it, and is not what one came for
      const control = row?.querySelector<HTMLElement>('input, textarea, [role="switch"]')
      const start = control ?? row?.querySelector<HTMLElement>('button')
      start?.focus()
      row?.scrollIntoView({ block: 'nearest' })
    }, 30)
    return () => clearTimeout(timer)
  }, [open, field, ready])
  const id = session?.id
  const patch = async (fields: SessionPatch, change?: SessionChange) => {
    if (id && (await patchOpenSession(id, fields, change))) setSavedAt(new Date().toISOString())
  }
  const save = async (fields: SessionPatch) => {
    if (!id) return
    await saveOpenSession(id, fields)
    setSavedAt(new Date().toISOString())
  }
  return (
    <Dialog
      shape="drawer"
      open={open}
      onOpen={(next) => !next && close()}
      title={t('drawer.title')}
      note={session?.title || t('sessions:untitled')}
      end={savedAt && <span className="tiny dim">{t('drawer.stored', { time: formatTime(savedAt) })}</span>}
    >
      {session && (
        <div ref={body} key={session.id}>
          <TopicRow session={session} patch={patch} save={save} />
          <EnhancedRow session={session} patch={patch} save={save} />
          <BooksRow session={session} patch={patch} />
          <IsolationRow session={session} patch={patch} />
          <LimitRow session={session} patch={patch} save={save} />
          <LayoutRow session={session} patch={patch} />
          <SummariseRow session={session} patch={patch} />
          <FolderRow session={session} patch={patch} save={save} />
        </div>
      )}
    </Dialog>
  )
}

/** Settings need a chat: one is made when there is none, and taken back when nothing was set in it. */
function useUnborn(open: boolean, session: Session | null): () => void {
  const madeId = useRef<string | null>(null)
  useEffect(() => {
    const { sessionId } = useNavigation.getState()
    if (!open || sessionId) return
    makeSession().then((id) => {
      madeId.current = id
    }, showError)
  }, [open])
  return () => {
    closeSessionSettings()
    const id = madeId.current
    madeId.current = null
    if (id && session?.id === id) void dropIfBare(id)
  }
}

async function dropIfBare(id: string): Promise<void> {
  // the last keys may still be on their way into the store
  await new Promise((resolve) => setTimeout(resolve, 500))
  const { session, total } = await call('sessions.get', { sessionId: id, limit: 1 })
  const set = session.topicPrompt || session.worldbookIds.length || session.workingFolder || session.isolation
  const overridden = session.enhancedPrompt !== null || session.historyLimit !== null || session.layout !== null
  const draft = draftOf(id)
  if (set || overridden || !session.summarise || total > 0 || draft.text || draft.attachments.length) return
  await call('sessions.purge', { sessionIds: [id] }).catch(showError)
  if (useNavigation.getState().sessionId === id) openSession(null)
  await loadSessions()
}
