import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BookSummary } from '../../../src-main/context/worldbook/book-contract'
import { formatTokens, langOf } from '../../i18n/format'
import { IconButton } from '../../ui/button'
import { SearchField } from '../../ui/field'
import { Icon } from '../../ui/icon'
import { ContextMenu } from '../../ui/menu'
import { useBookMenu } from './book-menu'
import { freeName, useBooks } from './book-store'
import { createBook } from './editor/new-book'
import { useOpenBook } from './editor/open-book'
import { chooseFiles } from './import/import-store'
import { openBookPage } from './open-book-page'

/** Every book with its entries, tokens, sessions and warnings; import and a new one on top. */
export function BookList() {
  const { t } = useTranslation('worldbook')
  const { books, building } = useBooks()
  const openId = useOpenBook((state) => state.book?.id)
  const [query, setQuery] = useState('')
  const wanted = query.trim().toLowerCase()
  const shown = books.filter((book) => `${book.name}\n${book.description}`.toLowerCase().includes(wanted))
  const create = async () => {
    const id = await createBook(freeName(t('list.newName'), books))
    if (id) openBookPage(id)
  }
  return (
    <>
      <div className="side-top">
        <SearchField label={t('list.search')} placeholder={t('list.searchShort')} value={query} onValue={setQuery} />
        <IconButton icon="down2" label={t('import.open')} onClick={() => chooseFiles()} />
        <IconButton icon="plus" label={t('list.new')} onClick={() => void create()} />
      </div>
      <div className="side-list">
        <ul>
          {shown.map((book) => (
            <li key={book.id}>
              <BookRow book={book} current={book.id === openId} building={building.has(book.id)} />
            </li>
          ))}
        </ul>
        {wanted && shown.length === 0 && <p className="small dim list-note">{t('list.nothing')}</p>}
        <p className="tiny dim list-note">{t('list.dropHint')}</p>
      </div>
    </>
  )
}

function BookRow({ book, current, building }: { book: BookSummary; current: boolean; building: boolean }) {
  const { t } = useTranslation('worldbook')
  const menu = useBookMenu(book)
  const sessions = book.boundSessions > 0 ? t('list.sessions', { count: book.boundSessions }) : t('list.unbound')
  const tokens = t('list.tokensOf', {
    active: formatTokens(book.tokens.active),
    total: formatTokens(book.tokens.total),
  })
  return (
    <>
      <ContextMenu label={t('list.menu', { name: book.name })} entries={menu.entries}>
        <button
          type="button"
          className="ses book-row"
          aria-current={current ? 'true' : undefined}
          title={`${tokens}${book.description ? `\n${book.description}` : ''}`}
          onClick={() => openBookPage(book.id)}
        >
          <b className="cut" lang={langOf(book.name)}>
            {book.name}
          </b>
          <span className="wt-slot">
            {book.warnings > 0 && (
              <em className="wt num" title={t('list.warnings', { count: book.warnings })}>
                <Icon name="warn" size={12} />
                <span className="vh">{t('list.warnings', { count: book.warnings })}</span>
                <span aria-hidden="true">{book.warnings}</span>
              </em>
            )}
          </span>
          <span className="cut num">
            {building ? (
              t('list.building')
            ) : (
              <>
                {book.enabledEntries}/{book.entries} · <span className="ap">≈</span>
                {formatTokens(book.tokens.active)} · {sessions}
              </>
            )}
          </span>
        </button>
      </ContextMenu>
      {menu.dialogs}
    </>
  )
}
