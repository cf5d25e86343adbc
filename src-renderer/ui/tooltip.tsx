import { cloneElement, type ReactElement, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'

const DELAY_MS = 500
/** Moving from one control to its neighbour shows the next words at once. */
const WARM_MS = 300
const GAP_PX = 6

type Side = 'top' | 'right' | 'bottom' | 'left'

/** What `Tip` and `IconButton` put on a control. One layer for the whole window reads it. */
export function tipProps(text: string, shortcut?: string, side: Side = 'bottom') {
  return { 'data-tip': text, ...(shortcut ? { 'data-tip-key': shortcut } : {}), 'data-tip-side': side }
}

export interface TipProps {
  text: string
  shortcut?: string | undefined
  side?: Side
  children: ReactElement<object>
}

/** Words for a control that shows none. The control still carries its own name. */
export function Tip({ text, shortcut, side = 'bottom', children }: TipProps) {
  return cloneElement(children, tipProps(text, shortcut, side))
}

interface Shown {
  text: string
  shortcut: string
  side: Side
  anchor: DOMRect
}

function shownFor(control: Element): Shown {
  const { tip = '', tipKey = '', tipSide = 'bottom' } = (control as HTMLElement).dataset
  return { text: tip, shortcut: tipKey, side: tipSide as Side, anchor: control.getBoundingClientRect() }
}

/** Its menu or popover says more than a tooltip would. */
const isOpen = (control: Element) =>
  control.hasAttribute('aria-haspopup') && control.getAttribute('aria-expanded') === 'true'

/** Follows pointer and keyboard focus over the whole window. */
function useTip(): Shown | null {
  const [shown, setShown] = useState<Shown | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let over: Element | null = null
    let hiddenAt = 0
    const hide = () => {
      clearTimeout(timer)
      if (over) hiddenAt = Date.now()
      over = null
      setShown(null)
    }
    const point = (event: Event) => {
      const control = event.target instanceof Element ? event.target.closest('[data-tip]') : null
      if (control === over) return
      hide()
      if (!control) return
      if (event.type === 'focusin' && !control.matches(':focus-visible')) return
      over = control
      const warm = Date.now() - hiddenAt < WARM_MS
      timer = setTimeout(() => over?.isConnected && !isOpen(over) && setShown(shownFor(over)), warm ? 0 : DELAY_MS)
    }
    const points = ['pointerover', 'focusin'] as const
    const ends = ['pointerdown', 'keydown', 'wheel', 'focusout'] as const
    for (const name of points) document.addEventListener(name, point)
    for (const name of ends) document.addEventListener(name, hide, { passive: true, capture: true })
    document.documentElement.addEventListener('pointerleave', hide)
    return () => {
      clearTimeout(timer)
      for (const name of points) document.removeEventListener(name, point)
      for (const name of ends) document.removeEventListener(name, hide, { capture: true })
      document.documentElement.removeEventListener('pointerleave', hide)
    }
  }, [])
  return shown
}

function place({ anchor, side }: Shown, tip: DOMRect): { left: number; top: number } {
  const middleX = anchor.left + anchor.width / 2 - tip.width / 2
  const middleY = anchor.top + anchor.height / 2 - tip.height / 2
  const below = anchor.bottom + GAP_PX
  const above = anchor.top - GAP_PX - tip.height
  const top =
    side === 'left' || side === 'right'
      ? middleY
      : side === 'top' || below + tip.height > window.innerHeight - 4
        ? above
        : below
  const left = side === 'right' ? anchor.right + GAP_PX : side === 'left' ? anchor.left - GAP_PX - tip.width : middleX
  return {
    left: Math.max(4, Math.min(left, window.innerWidth - tip.width - 4)),
    top: Math.max(4, Math.min(top, window.innerHeight - tip.height - 4)),
  }
}

/** Once around the app. Hundreds of controls share one layer: a tooltip of their own each would cost more than they do. */
export function TipProvider({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <TipLayer />
    </>
  )
}

function TipLayer() {
  const shown = useTip()
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!shown || !box.current) return
    const { left, top } = place(shown, box.current.getBoundingClientRect())
    box.current.style.left = `${left}px`
    box.current.style.top = `${top}px`
  }, [shown])
  if (!shown) return null
  return (
    <div ref={box} className="tip" role="tooltip">
      {shown.text}
      {shown.shortcut && <kbd>{shown.shortcut}</kbd>}
    </div>
  )
}
