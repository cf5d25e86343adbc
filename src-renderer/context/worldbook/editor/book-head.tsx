import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Book } from '../../../../src-main/context/worldbook/book-contract'
import { toggleList, useNavigation } from '../../../app/navigation'
import { useUnsaved } from '../../../app/unsaved'
import { formatTokens, langOf } from '../../../i18n/format'
import { IconButton } from '../../../ui/button'
import { Menu } from '../../../ui/menu'
import { useLeftText } from '../../text-editor/use-left-text'
import { useBookMenu } from '../book-menu'
import { useBooks } from '../book-store'
import { useBookEdits } from './book-edits'
import { BookSessions } from './book-sessions'
import { BookSettingsDialog } from './book-settings-dialog'
import { changeHead, stepVersion, useOpenBook } from './open-book'

/** Name, figures, sessions, and what can be done with the book as a whole. */
export function BookHead({ book }: { book: Book }) {
  const { t } = useTranslation(['worldbook', 'common'])
  const { tokens, shownVersion } = useOpenBook()
  const unsaved = useBookEdits((state) => state.unsaved.has(book.id))
  const refused = useUnsaved((state) => state.unsaved.some((each) => each.id === `worldbook:${book.id}`))
  const bound = useBooks((state) => state.books.find((each) => each.id === book.id)?.boundSessions ?? 0)
  const listOpen = useNavigation((state) => state.listOpen)
  const [settings, setSettings] = useState(false)
  const menu = useBookMenu({ ...book, boundSessions: bound })
  const enabled = book.entries.filter((entry) => entry.enabled)
  const active = enabled.reduce((sum, entry) => sum + (tokens[entry.id] ?? 0), 0)
  const total = book.entries.reduce((sum, entry) => sum + (tokens[entry.id] ?? 0), 0)
  const place = shownVersion ?? { at: book.version, newest: book.version }
  return (
    <header className="head one">
      <div className="row">
        {!listOpen && <IconButton icon="panelL" label={t('list.show')} onClick={toggleList} />}
        <BookTitle key={book.id} worldbookId={book.id} name={book.name} />
        <span
          className="small dim num head-figures"
          title={t('book.tokensOf', { active: formatTokens(active), total: formatTokens(total) })}
        >
          {t('book.active', { enabled: enabled.length, total: book.entries.length })} · <span className="ap">≈</span>
          {t('book.tokens', { tokens: formatTokens(active) })}
        </span>
        <span className="grow" />
        <span className={refused ? 'small warn-t' : 'vh'} role="status">
          {refused ? t('book.unsaved') : unsaved ? t('book.saving') : t('book.stored')}
        </span>
        <BookSessions worldbookId={book.id} bound={bound} />
        <IconButton icon="undo" label={t('book.undo')} disabled={place.at <= 1} onClick={() => void stepVersion(-1)} />
        <IconButton
          icon="undo"
          className="mirrored"
          label={t('book.redo')}
          disabled={place.at >= place.newest}
          onClick={() => void stepVersion(1)}
        />
        <IconButton icon="sliders" label={t('book.settings')} onClick={() => setSettings(true)} />
        <Menu
          label={t('common:more')}
          align="end"
          trigger={<IconButton icon="more" label={t('common:more')} />}
          entries={menu.entries}
        />
      </div>
      {menu.dialogs}
      {settings && <BookSettingsDialog book={book} onClose={() => setSettings(false)} />}
    </header>
  )
}

function BookTitle({ worldbookId, name }: { worldbookId: string; name: string }) {
  const { t } = useTranslation(['worldbook', 'common'])
  const [editing, setEditing] = useState(false)
  const typed = useLeftText({
    id: `book:${worldbookId}`,
    name,
    stored: name,
    fits: (text) => text.trim() !== '',
    save: (next) => changeHead({ name: next }, worldbookId),
  })
  if (!editing) {
    return (
      <>
        <h1 className="cut" lang={langOf(name)}>
          <button
            type="button"
            className="title-button cut"
            title={t('common:rename')}
            onClick={() => setEditing(true)}
          >
            {name}
          </button>
        </h1>
        <IconButton icon="edit" small label={t('common:rename')} onClick={() => setEditing(true)} />
      </>
    )
  }
  return (
    <input
      className="field title-field"
      aria-label={t('book.name')}
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
