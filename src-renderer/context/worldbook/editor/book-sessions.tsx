import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session } from '../../../../src-main/sessions/contract'
import { call } from '../../../api/client'
import { openSession, useNavigation } from '../../../app/navigation'
import { patchOpenSession } from '../../../chat/chat-actions'
import { langOf } from '../../../i18n/format'
import { useSessions } from '../../../sessions/session-store'
import { Button, IconButton, PickButton } from '../../../ui/button'
import { Popover } from '../../../ui/popover'
import { showError } from '../../../ui/toast'
import { Switch } from '../../../ui/toggle'

/** The chats a book is bound to, each with its isolation switch, and the way to bind the one that is open. */
export function BookSessions({ worldbookId, bound }: { worldbookId: string; bound: number }) {
  const { t } = useTranslation('worldbook')
  const [open, setOpen] = useState(false)
  const words = bound > 0 ? t('list.sessions', { count: bound }) : t('list.unbound')
  return (
    <Popover
      label={t('book.sessions')}
      align="end"
      width={340}
      open={open}
      onOpen={setOpen}
      trigger={
        <PickButton icon="chat" aria-label={`${t('book.sessions')}: ${words}`}>
          {words}
        </PickButton>
      }
    >
      {open && <SessionRows worldbookId={worldbookId} />}
    </Popover>
  )
}

/** Archived chats count as well, so the list asks for all of them instead of using the one on screen. */
function useAllSessions(): readonly Session[] | null {
  const [sessions, setSessions] = useState<readonly Session[] | null>(null)
  const stamp = useSessions((state) => state.sessions)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change in the list means reading again
  useEffect(() => {
    let current = true
    call('sessions.list', { view: 'all', limit: 1000 })
      .then((page) => current && setSessions(page.sessions))
      .catch(showError)
    return () => {
      current = false
    }
  }, [stamp])
  return sessions
}

function SessionRows({ worldbookId }: { worldbookId: string }) {
  const { t } = useTranslation(['worldbook', 'sessions'])
  const sessions = useAllSessions()
  const openId = useNavigation((state) => state.sessionId)
  const bound = sessions?.filter((session) => session.worldbookIds.includes(worldbookId)) ?? []
  const here = sessions?.find((session) => session.id === openId && !session.worldbookIds.includes(worldbookId))
  return (
    <div className="book-sessions">
      <div className="row">
        <p className="strong">{t('book.sessions')}</p>
        <span className="grow" />
        {bound.length > 0 && <span className="tiny dim">{t('isolation.title')}</span>}
      </div>
      {bound.length === 0 && <p className="small mid">{t('book.noSessions')}</p>}
      <ul>
        {bound.map((session) => (
          <li key={session.id} className="row">
            <button type="button" className="chip-link cut" onClick={() => openSession(session.id)}>
              <span lang={langOf(session.title)}>{session.title || t('sessions:untitled')}</span>
            </button>
            <span className="grow" />
            <IconButton
              icon="x"
              small
              label={t('binding.unbindFrom', { name: session.title })}
              onClick={() => void patchOpenSession(session.id, {}, { worldbookIds: { remove: [worldbookId] } })}
            />
            <Switch
              checked={session.isolation}
              label={t('isolation.of', { name: session.title })}
              onValue={(isolation) => void patchOpenSession(session.id, { isolation })}
            />
          </li>
        ))}
      </ul>
      {here && (
        <Button
          small
          icon="plus"
          onClick={() => void patchOpenSession(here.id, {}, { worldbookIds: { add: [worldbookId] } })}
        >
          {t('book.bindOpen', { name: here.title || t('sessions:untitled') })}
        </Button>
      )}
    </div>
  )
}
