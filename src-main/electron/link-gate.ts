/** A link opens in the browser only this soon after the person clicked or pressed a key. */
const GESTURE_MS = 2000

const LONGEST_MAIL = 2000
/** Mail programs that know it would add a file of this machine. */
const ATTACHES = /^attach/i

/** http and https, and mail to write: other schemes can start programs. */
export function isExternalLink(url: string): boolean {
  const parsed = URL.parse(url)
  if (!parsed) return false
  if (parsed.protocol !== 'mailto:') return parsed.protocol === 'https:' || parsed.protocol === 'http:'
  return url.length <= LONGEST_MAIL && ![...parsed.searchParams.keys()].some((name) => ATTACHES.test(name))
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
