/** A link opens in the browser only this soon after the person clicked or pressed a key. */
const GESTURE_MS = 2000

/** http and https only: other schemes can start programs. */
export function isExternalLink(url: string): boolean {
  try {
    const { protocol } = new URL(url)
    return protocol === 'https:' || protocol === 'http:'
  } catch {
    return false
  }
}

/** Lets one link out for each gesture, so that a page cannot open the browser by itself. `now` in milliseconds. */
export function createLinkGate(now: () => number) {
  let gestureAt = Number.NEGATIVE_INFINITY
  return {
    gesture(): void {
      gestureAt = now()
    },
    lets(url: string): boolean {
      if (!isExternalLink(url) || now() - gestureAt > GESTURE_MS) return false
      gestureAt = Number.NEGATIVE_INFINITY
      return true
    },
  }
}
