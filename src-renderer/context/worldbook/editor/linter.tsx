import { type ReactNode, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Book } from '../../../../src-main/context/worldbook/book-contract'
import type { LintFinding } from '../../../../src-main/context/worldbook/contract'
import type { Entry } from '../../../../src-main/context/worldbook/entry-contract'
import { i18n } from '../../../i18n/i18n'
import { inWords } from '../../../i18n/said'
import { useRoving } from '../../../sessions/use-roving'
import { LinkButton } from '../../../ui/button'
import { Icon } from '../../../ui/icon'
import { entriesById, findingText, namedIn } from './finding-words'
import { useOpenBook } from './open-book'
import { pickOnly, useTableView } from './table-view'

const RANK: Record<LintFinding['severity'], number> = { error: 0, warning: 1, note: 2 }
const SHOWN = 200

/** What is likely wrong with the book, worst first; each names the entries it is about. */
export function Linter({ book, end }: { book: Book; end: ReactNode }) {
  const { t } = useTranslation('worldbook')
  const findings = useOpenBook((state) => state.findings)
  const sorted = useMemo(() => findings?.toSorted((a, b) => RANK[a.severity] - RANK[b.severity]), [findings])
  // once for all findings: a large book has thousands of entries, and hundreds of findings name them
  const byId = useMemo(() => entriesById(book.entries), [book.entries])
  const list = useRef<HTMLUListElement>(null)
  const ids = useMemo(
    () => sorted?.slice(0, SHOWN).flatMap((finding, at) => namedIn(finding, byId).map((id) => `${at}/${id}`)) ?? [],
    [sorted, byId],
  )
  const { stop, ...roving } = useRoving({ list, ids, home: null })
  return (
    <div className="lint">
      <div className="row dock-head">
        <h2 className="strong">{t('lint.title')}</h2>
        <span className="small dim num" role="status">
          {sorted ? t('lint.count', { count: sorted.length }) : t('lint.looking')}
        </span>
        <span className="grow" />
        {end}
      </div>
      {sorted?.length === 0 && <p className="small dim">{t('lint.clean')}</p>}
      <ul ref={list} {...roving}>
        {sorted?.slice(0, SHOWN).map((finding, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: findings have no id of their own
          <Finding key={index} at={index} finding={finding} byId={byId} stop={stop} />
        ))}
      </ul>
      {sorted && sorted.length > SHOWN && (
        <p className="tiny dim">{t('lint.rest', { count: sorted.length - SHOWN })}</p>
      )}
    </div>
  )
}

interface FindingProps {
  finding: LintFinding
  byId: ReadonlyMap<string, Entry>
  /** Its place in the list, and the row where Tab lands: two hundred findings are one stop, arrows go on from there. */
  at: number
  stop: string | null
}

function Finding({ finding, byId, at, stop }: FindingProps) {
  const { t } = useTranslation('worldbook')
  const { names, text } = findingText(t, finding, byId)
  const more = finding.entryIds.length - names.length
  const note = finding.severity === 'note'
  return (
    <li>
      <span className={note ? 'dim' : finding.severity === 'error' ? 'danger-t' : 'warn-t'}>
        <Icon name={note ? 'info' : 'warn'} size={14} />
        <span className="vh">{t(`lint.severity.${finding.severity}`)}</span>
      </span>
      <span title={inWords(finding.message, finding.words)}>
        {names.map(({ id, title }, index) => (
          <span key={id}>
            {index > 0 && (i18n.language === 'zh-CN' ? '、' : ', ')}
            <LinkButton
              className="reset in-text"
              data-row={`${at}/${id}`}
              tabIndex={stop === `${at}/${id}` ? 0 : -1}
              onClick={() => openEntry(id)}
            >
              {title}
            </LinkButton>
          </span>
        ))}
        {more > 0 && t('lint.more', { count: more })} {text}
      </span>
    </li>
  )
}

function openEntry(id: string): void {
  useTableView.setState({ query: '', onlyFlagged: false })
  pickOnly(id)
}
