import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { SearchHit } from '../../src-main/sessions/contract'
import { openPlace, openSession } from '../app/navigation'
import { formatWhen, langOf } from '../i18n/format'
import { Highlighted } from './highlighted'
import { SearchFilter } from './search-filter'
import { useRoving } from './use-roving'

/** What a search found, best first; a message opens in its branch. */
export function SearchHits({ hits }: { hits: readonly SearchHit[] }) {
  const { t } = useTranslation(['sessions', 'common', 'app'])
  const list = useRef<HTMLDivElement>(null)
  const ids = hits.map((_, index) => `hit:${index}`)
  const roving = useRoving({ list, ids, home: null })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the buttons inside
    <div ref={list} onKeyDown={roving.onKeyDown} onFocus={roving.onFocus}>
      <div className="grp sect">
        {t('hits', { count: hits.length })}
        <span className="grow" />
        <SearchFilter />
      </div>
      {hits.length === 0 && <p className="list-note">{t('noHits')}</p>}
      {hits.map((hit, index) => (
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: one message may match twice
          key={`${hit.sessionId}:${hit.messageId ?? hit.field}:${index}`}
          type="button"
          className="ses hit-row"
          data-row={ids[index]}
          tabIndex={roving.stop === ids[index] ? 0 : -1}
          onClick={() =>
            hit.promptId ? openPlace('prompts', hit.promptId) : openSession(hit.sessionId, hit.messageId)
          }
        >
          <b className="cut" lang={langOf(hit.title)}>
            {hit.title || t('untitled')}
          </b>
          <time dateTime={hit.createdAt}>{formatWhen(hit.createdAt)}</time>
          <span className="two-lines" lang={langOf(hit.snippet)}>
            {hit.field !== 'message' && hit.field !== 'title' && <i>{t(`field.${hit.field}`)} · </i>}
            <Highlighted text={hit.snippet} ranges={hit.ranges} />
          </span>
        </button>
      ))}
    </div>
  )
}
