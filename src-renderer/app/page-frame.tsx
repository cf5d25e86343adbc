import type { ReactNode } from 'react'
import { cx } from '../ui/class-names'
import { useNavigation } from './navigation'

export interface PageFrameProps {
  /** The list at the left: give it a `.side-top` and a `.side-list`. */
  list?: ReactNode
  listLabel?: string
  /** Pixels, 244 unless told. */
  listWidth?: number
  children: ReactNode
  /** A pane at the right, such as an `aside.insp`. */
  end?: ReactNode
  className?: string
}

/** What stands right of the rail: an optional list, the main part, an optional pane. Handles narrow windows. */
export function PageFrame({ list, listLabel, listWidth, children, end, className }: PageFrameProps) {
  const listOpen = useNavigation((state) => state.listOpen)
  return (
    <div
      className={cx('page', list && listOpen ? 'with-list' : null, className)}
      style={listWidth ? { '--list-w': `${listWidth}px` } : undefined}
    >
      {list && listOpen && (
        <aside className="side" aria-label={listLabel}>
          {list}
        </aside>
      )}
      <main className="main" tabIndex={-1}>
        {children}
      </main>
      {end}
    </div>
  )
}
