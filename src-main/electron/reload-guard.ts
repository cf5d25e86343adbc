const WINDOW_MS = 60_000
const MOST = 2

/** Whether a page that ended may be loaded again: at most twice a minute, so that one that cannot live ends in words. */
export function createReloadGuard(now: () => number = Date.now): () => boolean {
  let reloads: number[] = []
  return () => {
    const at = now()
    // a clock that was put back forgets nothing that still counts
    reloads = reloads.filter((time) => Math.abs(at - time) < WINDOW_MS)
    if (reloads.length >= MOST) return false
    reloads.push(at)
    return true
  }
}
