import type { ReactNode } from 'react'
import { cx } from './class-names'

export interface Column<R> {
  id: string
  label: string
  cell(row: R): ReactNode
  /** Right-aligned figures. */
  figures?: boolean
  /** CSS width; columns without one share the rest. */
  width?: string
}
export interface TableProps<R> {
  label: string
  columns: readonly Column<R>[]
  rows: readonly R[]
  rowId(row: R): string
  selectedId?: string | null
  onSelect?: (row: R) => void
  dimmed?: (row: R) => boolean
}

/** The dense grid of the editors: sticky head, one selected row, arrow keys move the selection. */
export function Table<R>({ label, columns, rows, rowId, selectedId, onSelect, dimmed }: TableProps<R>) {
  const move = (index: number) => {
    const row = rows[index]
    if (row) onSelect?.(row)
  }
  return (
    <table className="grid" aria-label={label}>
      <colgroup>
        {columns.map((column) => (
          <col key={column.id} style={column.width ? { width: column.width } : undefined} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.id} scope="col" className={cx(column.figures && 'r')}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr
            key={rowId(row)}
            className={cx(dimmed?.(row) && 'dis')}
            aria-selected={onSelect ? rowId(row) === selectedId : undefined}
            tabIndex={onSelect ? 0 : undefined}
            onClick={() => onSelect?.(row)}
            onKeyDown={(event) => {
              if (event.target !== event.currentTarget) return
              if (event.key === 'Enter' || event.key === ' ') move(index)
              else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
                const next = event.key === 'ArrowDown' ? 'nextElementSibling' : 'previousElementSibling'
                const sibling = event.currentTarget[next]
                if (sibling instanceof HTMLElement) sibling.focus()
              } else return
              event.preventDefault()
            }}
          >
            {columns.map((column) => (
              <td key={column.id} className={cx(column.figures && 'r num')}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
