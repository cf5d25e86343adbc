import { type KeyboardEvent, type RefObject, useCallback, useRef, useState } from 'react'
import type { VirtualizerHandle } from 'virtua'

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  PageDown: (at, last) => Math.min(at + 10, last),
  PageUp: (at) => Math.max(at - 10, 0),
  Home: () => 0,
  End: (_at, last) => last,
}

const rowOf = (list: Element, id: string) => list.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)

interface RovingOptions {
  list: RefObject<HTMLElement | null>
  /** Rows that take the focus, as on screen. Each carries its id in `data-row`. */
  ids: readonly string[]
  /** Where Tab lands before anything in the list had the focus. */
  home: string | null
  /** For lists that draw only what is in view: a row's place among all rows. */
  virtual?: { handle: RefObject<VirtualizerHandle | null>; indexOf(id: string): number }
}

/** One Tab stop for a whole list; arrows, Home, End and the page keys move inside it. */
export function useRoving({ list, ids, home, virtual }: RovingOptions) {
  const [kept, setKept] = useState<string | null>(null)
  const stop = [kept, home].find((id) => id !== null && ids.includes(id)) ?? ids[0] ?? null
  const latest = useRef({ ids, virtual })
  latest.current = { ids, virtual }
  const focusRow = useCallback(
    (id: string) => {
      setKept(id)
      const { virtual: lazily } = latest.current
      lazily?.handle.current?.scrollToIndex(lazily.indexOf(id), { align: 'nearest' })
      const focus = () => list.current && rowOf(list.current, id)?.focus()
      if (list.current && rowOf(list.current, id)) focus()
      else requestAnimationFrame(() => requestAnimationFrame(focus))
    },
    [list],
  )
  const onKeyDown = useCallback(
    (event: KeyboardEvent) => {
      const step = STEPS[event.key]
      const row = event.target instanceof HTMLElement ? event.target.dataset.row : undefined
      if (!step || row === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
      const { ids: now } = latest.current
      const next = now[step(now.indexOf(row), now.length - 1)]
      event.preventDefault()
      if (next !== undefined && next !== row) focusRow(next)
    },
    [focusRow],
  )
  const onFocus = useCallback((event: { target: EventTarget }) => {
    if (event.target instanceof HTMLElement && event.target.dataset.row) setKept(event.target.dataset.row)
  }, [])
  return { stop, onKeyDown, onFocus }
}
