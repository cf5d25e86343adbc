import { type KeyboardEvent, memo, type ReactNode, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Virtualizer } from 'virtua'
import type { Memory } from '../../../src-main/context/memory/contract'
import { formatDateTime, formatNumber, formatWhen, langOf } from '../../i18n/format'
import { Mark } from '../../ui/badge'
import { cx } from '../../ui/class-names'
import { checkAll, checkMemory, useMemories } from './memory-store'

/** Up to here all rows stand in the page: find, print and readers see them. */
const ALL_UP_TO = 200
const ROW_PX = 31

/** The dense list: one line a memory. Enter or a click opens the details, Space checks. */
export function MemoryTable({ memories }: { memories: readonly Memory[] }) {
  const { t } = useTranslation('memory')
  const scroller = useRef<HTMLDivElement>(null)
  const checkedCount = useMemories((state) => state.checked.size)
  const suggestions = useMemories((state) => state.suggestions)
  const marks = useMemo(() => new Map(suggestions.map(({ memory, kind }) => [memory.id, kind])), [suggestions])
  const rows = (index: number, memory: Memory) => (
    <MemoryRow key={memory.id} memory={memory} index={index} suggestion={marks.get(memory.id)} />
  )
  return (
    <div className="tscroll" ref={scroller}>
      {/* biome-ignore lint/a11y/useSemanticElements: rows are drawn only where they are on screen, which a table element forbids */}
      <div className="mgrid" role="table" aria-label={t('list.label')} aria-rowcount={memories.length + 1}>
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: the boxes in it are what takes the focus */}
        <div className="mrow mhead" role="row" aria-rowindex={1}>
          <Cell head>
            <input
              type="checkbox"
              aria-label={t('list.checkAll')}
              checked={checkedCount > 0 && checkedCount === memories.length}
              ref={(box) => {
                if (box) box.indeterminate = checkedCount > 0 && checkedCount < memories.length
              }}
              onChange={(event) => checkAll(event.target.checked)}
            />
          </Cell>
          <Cell head>{t('column.memory')}</Cell>
          <Cell head>{t('column.kind')}</Cell>
          <Cell head>{t('column.from')}</Cell>
          <Cell head figures>
            {t('column.added')}
          </Cell>
          <Cell head figures>
            {t('column.used')}
          </Cell>
        </div>
        {memories.length <= ALL_UP_TO ? (
          memories.map((memory, index) => rows(index, memory))
        ) : (
          <Virtualizer scrollRef={scroller} itemSize={ROW_PX} startMargin={27} data={memories}>
            {(memory, index) => rows(index, memory)}
          </Virtualizer>
        )}
      </div>
    </div>
  )
}

function Cell({ head, figures, children }: { head?: boolean; figures?: boolean; children: ReactNode }) {
  return (
    <span role={head ? 'columnheader' : 'cell'} className={cx('mcell', figures && 'r num')}>
      {children}
    </span>
  )
}

interface MemoryRowProps {
  memory: Memory
  index: number
  suggestion: 'possible duplicate' | 'replaces' | undefined
}

const MemoryRow = memo(function MemoryRow({ memory, index, suggestion }: MemoryRowProps) {
  const { t } = useTranslation('memory')
  const current = useMemories((state) => state.currentId === memory.id)
  const checked = useMemories((state) => state.checked.has(memory.id))
  const open = () => useMemories.setState({ currentId: current ? null : memory.id })
  const later = memory.validFrom !== undefined && Date.parse(memory.validFrom) > Date.now()
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are drawn only where they are on screen
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button in the row does the same by keyboard
    <div
      role="row"
      aria-rowindex={index + 2}
      tabIndex={-1}
      className={cx('mrow', current && 'current', memory.standing !== 'active' && 'dis')}
      onClick={(event) => {
        if (!(event.target instanceof HTMLElement && event.target.closest('input, button'))) open()
      }}
    >
      <Cell>
        <input
          type="checkbox"
          aria-label={t('list.check', { text: firstWords(memory.text) })}
          checked={checked}
          onChange={(event) => checkMemory(memory.id, event.target.checked)}
        />
      </Cell>
      <Cell>
        <span className="cellrow">
          <button
            type="button"
            className="plain cut"
            lang={langOf(memory.text)}
            aria-expanded={current}
            onClick={open}
            onKeyDown={moveRow}
          >
            {memory.text.slice(0, 400)}
          </button>
          {suggestion && (
            <Mark tone="warn">{t(`suggest.${suggestion === 'replaces' ? 'replaces' : 'duplicate'}`)}</Mark>
          )}
          {memory.supersededBy && <Mark>{t('superseded')}</Mark>}
          {later && <Mark>{t('notYet')}</Mark>}
        </span>
      </Cell>
      <Cell>
        <span className="mid">{t(`kind.${memory.kind}`)}</span>
      </Cell>
      <Cell>
        <span className="mid">{t(`source.${memory.source.kind}`)}</span>
      </Cell>
      <Cell figures>
        <span className="mid" title={formatDateTime(memory.createdAt)}>
          {formatWhen(memory.createdAt)}
        </span>
      </Cell>
      <Cell figures>{formatNumber(memory.accessCount)}</Cell>
    </div>
  )
})

export const firstWords = (text: string): string => text.slice(0, 60).replace(/\s+/g, ' ')

function moveRow(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const row = event.currentTarget.closest('[role="row"]')
  const index = Number(row?.getAttribute('aria-rowindex')) + (event.key === 'ArrowDown' ? 1 : -1)
  const next = row?.closest('.mgrid')?.querySelector(`[aria-rowindex="${index}"] button.plain`)
  if (next instanceof HTMLElement) {
    event.preventDefault()
    next.focus()
  }
}
