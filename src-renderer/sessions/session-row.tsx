import { memo, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session } from '../../src-main/sessions/contract'
import { openSession, useNavigation } from '../app/navigation'
import { useRunning } from '../chat/running-store'
import { readAhead } from '../chat/transcript-store'
import { useLeftText } from '../context/text-editor/use-left-text'
import { formatDateTime, formatWhen, langOf } from '../i18n/format'
import { useSettings } from '../settings/settings-store'
import { useApprovals } from '../tools/approval-store'
import { cx } from '../ui/class-names'
import { Icon } from '../ui/icon'
import { ContextMenu, type MenuEntry } from '../ui/menu'
import { DRAG_SESSIONS } from './folder-drag'
import { removeSessions, renameSession } from './session-actions'
import { useSessions } from './session-store'
import { TagDot } from './tag-line'

/** Marks that say nothing in one line of plain words. */
const MARKUP = /[*`#>|]+ ?|~~/g

interface SessionRowProps {
  session: Session
  depth: number
  /** The one row of the list that Tab reaches. */
  tabStop: boolean
  onSelect(id: string, mode: 'one' | 'range'): void
  menu(session: Session): readonly MenuEntry[]
}

/** One chat: title, time, tags and the newest words. */
export const SessionRow = memo(function SessionRow({ session, depth, tabStop, onSelect, menu }: SessionRowProps) {
  const { t } = useTranslation(['sessions', 'common', 'app'])
  const current = useNavigation((state) => state.sessionId === session.id && state.place === 'chats')
  const renaming = useSessions((state) => state.renaming === session.id)
  const selected = useSessions((state) => state.selected.has(session.id))
  const turnId = useRunning((state) => state.bySession[session.id]?.turnId)
  const unread = Boolean(session.unread) && !current
  const asks = useApprovals((state) => Object.values(state.byCall).some((approval) => approval.turnId === turnId))
  if (renaming) return <RenameField session={session} depth={depth} />
  const title = session.title || t('untitled')
  return (
    <ContextMenu label={title} entries={() => menu(session)}>
      <button
        type="button"
        className={cx('ses', selected && 'selected', unread && 'unread')}
        style={depth ? { marginLeft: depth * 12, width: `calc(100% - ${depth * 12}px)` } : undefined}
        aria-current={current ? 'true' : undefined}
        tabIndex={tabStop ? 0 : -1}
        data-session={session.id}
        data-row={session.id}
        draggable
        onPointerDown={(event) => {
          // read while the button is still down: the chat is there when it is let go
          if (event.button === 0 && !event.shiftKey && !event.ctrlKey && !event.metaKey) readAhead(session.id)
        }}
        onDragStart={(event) => {
          const { selected: chosen } = useSessions.getState()
          const ids = chosen.has(session.id) ? [...chosen] : [session.id]
          event.dataTransfer.setData(DRAG_SESSIONS, JSON.stringify(ids))
          event.dataTransfer.effectAllowed = 'move'
        }}
        onClick={(event) => {
          if (event.shiftKey) onSelect(session.id, 'range')
          else if (event.ctrlKey || event.metaKey) onSelect(session.id, 'one')
          else {
            if (useSessions.getState().selected.size) useSessions.setState({ selected: new Set() })
            openSession(session.id)
          }
        }}
        onDoubleClick={() => useSessions.setState({ renaming: session.id })}
        onKeyDown={(event) => {
          if (event.key === 'F2') useSessions.setState({ renaming: session.id })
          else if (event.key === 'Delete' && !session.removedAt) void removeSessions([session.id])
          else return
          event.preventDefault()
        }}
      >
        <b className="cut" lang={langOf(title)}>
          {session.temporary && <Icon name="ghost" size={13} />}
          {unread && <span className="unread-dot" role="img" aria-label={t('unread')} />}
          {title}
        </b>
        <time dateTime={session.updatedAt} title={formatDateTime(session.updatedAt)}>
          {asks ? (
            <span className="warn-t">{t('asks')}</span>
          ) : turnId ? (
            <span className="pulse">{t('answering')}</span>
          ) : session.removedAt ? (
            <ExpiresIn removedAt={session.removedAt} />
          ) : (
            formatWhen(session.updatedAt)
          )}
        </time>
        <SnippetLine session={session} />
      </button>
    </ContextMenu>
  )
})

const DAY_MS = 86_400_000

/** In the bin: how long it stays. What is due goes at the next start. */
function ExpiresIn({ removedAt }: { removedAt: string }) {
  const { t } = useTranslation('sessions')
  const days = useSettings((state) => state.settings?.general.binDays ?? 30)
  const left = Math.ceil((Date.parse(removedAt) + days * DAY_MS - Date.now()) / DAY_MS)
  return left > 0 ? t('expires', { count: left }) : t('expiresNext')
}

function SnippetLine({ session }: { session: Session }) {
  const { t } = useTranslation(['sessions', 'common', 'app'])
  const tags = useSessions((state) => state.tags)
  const named = session.tagIds.flatMap((id) => tags.find((tag) => tag.id === id) ?? [])
  return (
    <span className="cut" lang={langOf(session.snippet)}>
      {named.map((tag) => (
        <span key={tag.id} className="tag-name">
          <TagDot colour={tag.colour} />
          {tag.name}
        </span>
      ))}
      {session.snippet.replace(MARKUP, '') || (session.messageCount > 0 ? '\u00a0' : t('noMessages'))}
    </span>
  )
}

/** The focus goes back where it was: to the row, once it stands there again. */
function focusRow(sessionId: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-session="${CSS.escape(sessionId)}"]`)?.focus())
}

const stopRenaming = () => useSessions.setState({ renaming: null })

function RenameField({ session, depth }: { session: Session; depth: number }) {
  const { t } = useTranslation(['sessions', 'common', 'app'])
  const { id, title } = session
  const field = useRef<HTMLInputElement>(null)
  const typed = useLeftText({
    id: `title:${id}`,
    name: title || t('untitled'),
    stored: title,
    fits: (text) => text.trim() !== '',
    save: (next) => renameSession(id, next),
  })
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [])
  return (
    <input
      className="field rename"
      style={depth ? { marginLeft: depth * 12, width: `calc(100% - ${depth * 12}px)` } : undefined}
      aria-label={t('newTitle')}
      value={typed.value}
      ref={field}
      onChange={(event) => typed.change(event.target.value)}
      onBlur={() => {
        typed.leave()
        stopRenaming()
      }}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') {
          typed.drop()
          stopRenaming()
        }
        if (event.key === 'Enter' || event.key === 'Escape') focusRow(session.id)
        event.stopPropagation()
      }}
    />
  )
}
