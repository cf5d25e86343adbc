import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/button'
import { copyText } from '../chat-actions'

const quoted = (cell: string) => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** RFC 4180 lines of what a table shows. */
export function tableToCsv(table: HTMLTableElement): string {
  return [...table.querySelectorAll('tr')]
    .map((row) => [...row.querySelectorAll('th, td')].map((cell) => quoted(cell.textContent.trim())).join(','))
    .join('\r\n')
}

/** A table that scrolls inside itself and can be taken along as CSV. */
export function TableView({ children }: { children: ReactNode }) {
  const { t } = useTranslation(['chat', 'common', 'app'])
  const table = useRef<HTMLTableElement>(null)
  return (
    <div className="table-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is no scrolling region */}
      <div className="table-scroll" tabIndex={0} role="group" aria-label={t('table.label')}>
        <table className="tbl" ref={table}>
          {children}
        </table>
      </div>
      <IconButton
        icon="copy"
        small
        className="table-copy"
        label={t('table.copyCsv')}
        onClick={() => table.current && void copyText(tableToCsv(table.current))}
      />
    </div>
  )
}
