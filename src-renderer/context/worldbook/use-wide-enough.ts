import { useSyncExternalStore } from 'react'

/** Whether the window is at least this wide, in CSS pixels. */
export function useWideEnough(pixels: number): boolean {
  return useSyncExternalStore(
    (changed) => {
      window.addEventListener('resize', changed)
      return () => window.removeEventListener('resize', changed)
    },
    () => window.innerWidth >= pixels,
  )
}
