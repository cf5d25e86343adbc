import { useRef } from 'react'

/** Where the focus goes when what had it is gone: what is marked as home, or the page's main part. */
export function focusHome(): boolean {
  const home = document.querySelector<HTMLElement>('[data-focus-home]') ?? document.querySelector<HTMLElement>('main')
  home?.focus({ preventScroll: true })
  return home !== null
}

/** A menu's entry goes with its menu; the button the menu hangs on stays. */
function lasting(element: Element | null): Element | null {
  const menu = element?.closest('[role="menu"]')
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element
}

/**
 * Where the focus was when a layer opened, and the way back there. A layer opened by its own trigger gives the focus
 * back to that; one opened by a key from elsewhere gives it back to elsewhere.
 */
export function useFocusBefore(open: boolean): (event: Event) => void {
  const before = useRef<Element | null>(null)
  const wasOpen = useRef(false)
  // read while rendering: once the layer is there it has taken the focus
  if (open && !wasOpen.current) before.current = lasting(document.activeElement)
  wasOpen.current = open
  return (event) => {
    event.preventDefault()
    const now = document.activeElement
    const inLayer = event.target instanceof Node && event.target.contains(now)
    // what was chosen in the layer may have moved the focus on already
    if (now !== null && now !== document.body && !inLayer) return
    const back = before.current
    if (back instanceof HTMLElement && back !== document.body && back.isConnected) back.focus()
    else focusHome()
  }
}
