import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Book, LintFinding } from '../../../../src-main/context/worldbook/contract'
import { i18n } from '../../../i18n/i18n'
import { inWords } from '../../../i18n/said'
import { LinkButton } from '../../../ui/button'
import { Icon } from '../../../ui/icon'
import { findingText } from './finding-words'
import { useOpenBook } from './open-book'
import { pickOnly, useTableView } from './table-view'

const RANK: Record<LintFinding['severity'], number> = { error: 0, warning: 1, note: 2 }
const SHOWN = 200

/** What is likely wrong with the book, worst first; each names the entries it is about. */
export function Linter({ book, end }: { book: Book; end: ReactNode }) {
  const { t } = useTranslation('worldbook')
  const findings = useOpenBook((state) => state.findings)
  const sorted = useMemo(() => findings?.toSorted((a, b) => RANK[a.severity] - RANK[b.severity]), [findings])
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
      <ul>
        {sorted?.slice(0, SHOWN).map((finding, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: findings have no id of their own
          <Finding key={index} finding={finding} book={book} />
        ))}
      </ul>
      {sorted && sorted.length > SHOWN && (
        <p className="tiny dim">{t('lint.rest', { count: sorted.length - SHOWN })}</p>
      )}
    </div>
  )
}

function Finding({ finding, book }: { finding: LintFinding; book: Book }) {
  const { t } = useTranslation('worldbook')
  const { names, text } = findingText(t, finding, book.entries)
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
            <LinkButton className="reset in-text" onClick={() => openEntry(id)}>
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
