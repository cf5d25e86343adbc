import { useTranslation } from 'react-i18next'
import type { Book } from '../../../../src-main/context/worldbook/book-contract'
import { IconButton } from '../../../ui/button'
import { Linter } from './linter'
import { useOpenBook } from './open-book'
import { toggleDock, useTableView } from './table-view'
import { Tester } from './tester'

/** Tester and linter under the table; folds away. */
export function Dock({ book }: { book: Book }) {
  const { t } = useTranslation('worldbook')
  const open = useTableView((state) => state.dockOpen)
  const findings = useOpenBook((state) => state.findings)
  const toggle = (
    <IconButton
      icon={open ? 'down' : 'up'}
      small
      label={open ? t('dock.close') : t('dock.open')}
      aria-expanded={open}
      onClick={toggleDock}
    />
  )
  if (!open) {
    return (
      <section className="dock folded" aria-label={t('dock.label')}>
        <span className="strong">{t('tester.title')}</span>
        <span className="strong">{t('lint.title')}</span>
        <span className="small dim num">
          {findings ? t('lint.count', { count: findings.length }) : t('lint.looking')}
        </span>
        <span className="grow" />
        {toggle}
      </section>
    )
  }
  return (
    <section className="dock" aria-label={t('dock.label')}>
      <Tester book={book} />
      <Linter book={book} end={toggle} />
    </section>
  )
}
