import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BookSummary } from '../../../../src-main/context/worldbook/contract'
import type { Session } from '../../../../src-main/sessions/contract'
import { openPlace } from '../../../app/navigation'
import { patchOpenSession } from '../../../chat/chat-actions'
import { langOf } from '../../../i18n/format'
import { Chip } from '../../../ui/badge'
import { Button, LinkButton } from '../../../ui/button'
import { Checkbox, SearchField } from '../../../ui/field'
import { Popover } from '../../../ui/popover'
import { useBooks } from '../book-store'

const SEARCH_FROM = 8

/** The books bound to a session as chips, and the way to bind more. Their order is the order of evaluation. */
export function WorldbookBinding({ session }: { session: Session }) {
  const { t } = useTranslation(['worldbook', 'common'])
  const books = useBooks((state) => state.books)
  const bound = session.worldbookIds.map((id) => ({ id, book: books.find((book) => book.id === id) }))
  const bind = (worldbookIds: string[]) => void patchOpenSession(session.id, { worldbookIds })
  return (
    <div className="binding">
      {bound.map(({ id, book }) => (
        <Chip
          key={id}
          icon="book"
          note={book && t('binding.entries', { enabled: book.enabledEntries, total: book.entries })}
          removeLabel={t('binding.unbind', { name: book?.name ?? id })}
          onRemove={() => bind(session.worldbookIds.filter((each) => each !== id))}
        >
          {book ? (
            <button type="button" className="chip-link" onClick={() => openPlace('worldbooks', id)}>
              <span lang={langOf(book.name)}>{book.name}</span>
            </button>
          ) : (
            t('binding.removed')
          )}
        </Chip>
      ))}
      <BookPicker books={books} chosen={session.worldbookIds} onChoose={bind} />
    </div>
  )
}

interface BookPickerProps {
  books: readonly BookSummary[]
  chosen: readonly string[]
  onChoose(worldbookIds: string[]): void
}

function BookPicker({ books, chosen, onChoose }: BookPickerProps) {
  const { t } = useTranslation('worldbook')
  const [query, setQuery] = useState('')
  const wanted = query.trim().toLowerCase()
  const shown = books.filter((book) => book.name.toLowerCase().includes(wanted))
  return (
    <Popover
      label={t('binding.bind')}
      width={280}
      className="bind-list"
      trigger={
        <Button small tone="ghost" icon="plus">
          {t('binding.bind')}
        </Button>
      }
    >
      {books.length >= SEARCH_FROM && <SearchField label={t('list.search')} value={query} onValue={setQuery} />}
      {books.length === 0 && <p className="small dim">{t('binding.none')}</p>}
      <ul>
        {shown.map((book) => (
          <li key={book.id}>
            <Checkbox
              checked={chosen.includes(book.id)}
              onValue={(on) => onChoose(on ? [...chosen, book.id] : chosen.filter((id) => id !== book.id))}
              label={
                <span className="cut" lang={langOf(book.name)}>
                  {book.name}
                </span>
              }
            />
            <span className="tiny dim num">{t('binding.entries', { enabled: book.enabledEntries, total: book.entries })}</span>
          </li>
        ))}
      </ul>
      <LinkButton onClick={() => openPlace('worldbooks')}>{t('binding.manage')}</LinkButton>
    </Popover>
  )
}
