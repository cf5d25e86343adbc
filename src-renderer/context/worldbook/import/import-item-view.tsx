import { useTranslation } from 'react-i18next'
import type { ImportReport } from '../../../../src-main/context/worldbook/contract'
import { formatBytes, formatNumber, langOf } from '../../../i18n/format'
import { inWords } from '../../../i18n/said'
import { Mark } from '../../../ui/badge'
import { Checkbox } from '../../../ui/field'
import { Icon } from '../../../ui/icon'
import { Segmented } from '../../../ui/toggle'
import { CardOffer } from './card-offer'
import { hasBooks, type ImportItem, setCollision, setSkipped } from './import-store'

const MOST_LINES = 100

/** One file: what it is, what would come in, what not and why. */
export function ImportItemView({ item, several }: { item: ImportItem; several: boolean }) {
  const { t } = useTranslation('worldbook')
  const { report, state } = item
  return (
    <li className="import-item">
      <div className="row">
        {several && state === 'ready' && hasBooks(item) && (
          <Checkbox
            label={<span className="vh">{t('import.take', { name: item.fileName })}</span>}
            checked={!item.skipped}
            onValue={(take) => setSkipped(item.id, !take)}
          />
        )}
        <Icon name="file" size={14} />
        <span className="strong cut">{item.fileName}</span>
        <span className="small dim num">{formatBytes(item.size)}</span>
        <span className="grow" />
        <StateMark item={item} />
      </div>
      {state === 'failed' && (
        <p className="small danger-t" role="alert">
          {item.error}
        </p>
      )}
      {report && !item.skipped && <Report item={item} report={report} />}
    </li>
  )
}

function StateMark({ item: { state, skipped } }: { item: ImportItem }) {
  const { t } = useTranslation('worldbook')
  if (skipped) return <Mark>{t('import.state.skipped')}</Mark>
  const tone = state === 'failed' ? 'bad' : state === 'done' ? 'ok' : 'plain'
  return <Mark tone={tone}>{t(`import.state.${state}`)}</Mark>
}

function Report({ item, report }: { item: ImportItem; report: ImportReport }) {
  const { t } = useTranslation('worldbook')
  const { entries, books, keptNotExecuted: kept, warnings, collisions } = report
  return (
    <div className="report">
      <dl>
        <div className="kv">
          <dt>{t('report.format')}</dt>
          <dd>{t(`report.formats.${report.format}`, { defaultValue: report.format })}</dd>
        </div>
        <div className="kv">
          <dt>{t('report.books')}</dt>
          <dd>
            {books.length === 0
              ? t('report.noBook')
              : books.map((book) => (
                  <span key={book.name} className="report-book" lang={langOf(book.name)}>
                    {book.name}{' '}
                    <span className="dim num">
                      {t('report.entries', { count: book.entries, shown: formatNumber(book.entries) })}
                    </span>
                  </span>
                ))}
          </dd>
        </div>
        {entries.skipped.length > 0 && (
          <div className="kv">
            <dt>{t('report.skipped')}</dt>
            <dd>
              <Lines
                title={t('report.skippedCount', { count: entries.skipped.length })}
                lines={entries.skipped.map(({ index, reason, words }) =>
                  t('report.skippedLine', { number: index + 1, reason: inWords(reason, words) }),
                )}
                open={entries.skipped.length <= 3}
              />
            </dd>
          </div>
        )}
        {kept.length > 0 && (
          <div className="kv">
            <dt>{t('report.kept')}</dt>
            <dd>
              <Lines title={t('report.keptCount', { count: kept.length })} lines={[kept.join(', ')]} mono />
            </dd>
          </div>
        )}
        {warnings.length > 0 && (
          <div className="kv">
            <dt>{t('report.warnings')}</dt>
            <dd>
              <Lines
                title={t('report.warningCount', { count: warnings.length })}
                lines={warnings.map(({ message, words }) => inWords(message, words))}
              />
            </dd>
          </div>
        )}
      </dl>
      {item.state === 'ready' && collisions.length > 0 && (
        <div className="collision">
          <p className="small">
            <span className="warn-t">
              <Icon name="warn" size={14} />
            </span>
            {t('report.collision', { names: collisions.map(({ name }) => name).join(t('comma')) })}
          </p>
          <Segmented
            label={t('report.onCollision')}
            value={item.onCollision}
            options={[
              { value: 'copy', label: t('report.copy') },
              { value: 'update', label: t('report.update') },
            ]}
            onValue={(choice) => setCollision(item.id, choice)}
          />
          <p className="tiny dim">{item.onCollision === 'copy' ? t('report.copyHelp') : t('report.updateHelp')}</p>
        </div>
      )}
      {report.card && (item.state === 'ready' || item.state === 'done') && <CardOffer item={item} report={report} />}
    </div>
  )
}

interface LinesProps {
  title: string
  lines: readonly string[]
  open?: boolean
  mono?: boolean
}

function Lines({ title, lines, open, mono }: LinesProps) {
  const { t } = useTranslation('worldbook')
  return (
    <details open={open}>
      <summary>{title}</summary>
      <ul className={mono ? 'mono report-lines' : 'report-lines'}>
        {lines.slice(0, MOST_LINES).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a finished report
          <li key={index}>{line}</li>
        ))}
        {lines.length > MOST_LINES && <li className="dim">{t('lint.rest', { count: lines.length - MOST_LINES })}</li>}
      </ul>
    </details>
  )
}
