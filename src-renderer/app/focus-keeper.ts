import { useEffect } from 'react'
import { focusHome } from '../ui/focus-before'
import { useNavigation } from './navigation'

const MOST_FRAMES = 90
const LAYER = '[role="dialog"], [role="alertdialog"], [role="menu"]'

/** Looks for some frames: what closes may still hold the focus, and a page being loaded has no main part yet. */
function catchFocus(frames: number): void {
  const now = document.activeElement
  const lost = now === null || now === document.body
  // somebody else has it, and stays
  if (!lost && !now.closest(LAYER)) return
  const caught = lost && !document.querySelector(LAYER) && focusHome()
  if (!caught && frames > 0) requestAnimationFrame(() => catchFocus(frames - 1))
}

/** A pane or page that closes takes the focus down with it: then the message field has it, or the page's main part. */
export function useFocusKeeper(): void {
  useEffect(
    () =>
      useNavigation.subscribe((now, before) => {
        const closed = (['paneOpen', 'listOpen', 'findOpen', 'editing'] as const).some(
          (part) => before[part] && !now[part],
        )
        if (closed || now.place !== before.place) requestAnimationFrame(() => catchFocus(MOST_FRAMES))
      }),
    [],
  )
}
