import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { openSessionSettings, toggleList, togglePane, useNavigation } from '../app/navigation'
import { PANE_TABS } from '../app/right-pane'
import { shortcutLabel } from '../app/shortcuts'
import { SLOTS } from '../app/slots'
import { useLeftText } from '../context/text-editor/use-left-text'
import { langOf } from '../i18n/format'
import { NameDialog } from '../sessions/name-dialog'
import { purgeSessions, tagSessions } from '../sessions/session-actions'
import { sessionMenu } from '../sessions/session-menu'
import { Mark } from '../ui/badge'
import { IconButton } from '../ui/button'
import { Confirm } from '../ui/dialog'
import { Menu } from '../ui/menu'
import { saveOpenSession } from './chat-actions'
import { ModelPicker } from './model-picker'
import { PromptPicker } from './prompt-picker'
import { useTranscript } from './transcript-store'

/** Title, find, settings and inspector; below, what answers, with which prompt, and the badges of the rooms. */
export function ChatHeader({ sessionId }: { sessionId: string | null }) {
  const { t } = useTranslation(['chat', 'common', 'app'])
  const session = useTranscript((state) => (state.current?.sessionId === sessionId ? state.current.session : null))
  const { paneOpen, listOpen } = useNavigation()
  return (
    <header className="head">
      <div className="row">
        {!listOpen && (
          <IconButton
            icon="panelL"
            label={t('showList')}
            shortcut={shortcutLabel('pane.left')}
            onClick={toggleList}
            className="head-list"
          />
        )}
        <Title key={session?.id} sessionId={sessionId} title={session?.title ?? ''} />
        {session?.temporary && <Mark>{t('temporary')}</Mark>}
        <span className="grow" />
        {session && (
          <IconButton
            icon="search"
            label={t('find.open')}
            shortcut={shortcutLabel('chat.find')}
            onClick={() => useNavigation.setState({ findOpen: true })}
          />
        )}
        {SLOTS.layers.length > 0 && (
          <IconButton
            icon="sliders"
            label={t('sessionSettings')}
            shortcut={shortcutLabel('chat.settings')}
            onClick={() => openSessionSettings()}
          />
        )}
        {session && <MoreMenu />}
        {PANE_TABS.length > 0 && (
          <IconButton
            icon="panel"
            label={t('app:pane.open')}
            shortcut={shortcutLabel('pane.right')}
            pressed={paneOpen}
            onClick={togglePane}
          />
        )}
      </div>
      <div className="row">
        <ModelPicker session={session} />
        <PromptPicker session={session} />
        <div className="badges">
          {session &&
            SLOTS.headerBadges.map((HeaderBadge, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is a constant
              <HeaderBadge key={index} session={session} />
            ))}
        </div>
      </div>
    </header>
  )
}

function Title({ sessionId, title }: { sessionId: string | null; title: string }) {
  const { t } = useTranslation(['sessions', 'common', 'app'])
  const [editing, setEditing] = useState(false)
  const typed = useLeftText({
    id: `title:${sessionId}`,
    name: title || t('untitled'),
    stored: title,
    fits: (text) => text.trim() !== '',
    save: (next) => saveOpenSession(sessionId ?? '', { title: next }),
  })
  if (!editing || !sessionId) {
    return (
      <h1 className="cut" lang={langOf(title)}>
        {sessionId ? (
          <button
            type="button"
            className="title-button cut"
            title={t('common:rename')}
            onClick={() => setEditing(true)}
          >
            {title || t('untitled')}
          </button>
        ) : (
          t('newChat')
        )}
      </h1>
    )
  }
  return (
    <input
      className="field title-field"
      aria-label={t('newTitle')}
      value={typed.value}
      ref={(field) => field?.focus()}
      onChange={(event) => typed.change(event.target.value)}
      onBlur={() => {
        typed.leave()
        setEditing(false)
      }}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') {
          typed.drop()
          setEditing(false)
        }
        event.stopPropagation()
      }}
    />
  )
}

function MoreMenu() {
  const { t } = useTranslation(['sessions', 'common', 'app'])
  const session = useTranscript((state) => state.current?.session)
  const [tagging, setTagging] = useState(false)
  const [purging, setPurging] = useState(false)
  if (!session) return null
  const entries = sessionMenu(session, { onNewTag: () => setTagging(true), onPurge: () => setPurging(true) })
  return (
    <>
      <Menu
        label={t('common:more')}
        align="end"
        trigger={<IconButton icon="more" label={t('common:more')} />}
        entries={entries}
      />
      <NameDialog
        open={tagging}
        title={t('newTag')}
        label={t('tagName')}
        action={t('addTag')}
        onClose={() => setTagging(false)}
        onName={(name) => void tagSessions([session.id], name.replace(/^#/, ''))}
      />
      <Confirm
        open={purging}
        onOpen={setPurging}
        title={t('purgeTitle', { count: 1 })}
        text={t('purgeText')}
        action={t('purge')}
        danger
        onConfirm={() => void purgeSessions([session.id])}
      />
    </>
  )
}
