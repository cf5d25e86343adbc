/** Less than a turn waits for a room, so that the reason is ours to give. Milliseconds. */
export const WAIT_MS = 2500

/** Undefined when it takes longer; the work goes on all the same. */
export async function beforeLong<T>(work: Promise<T>, waitMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), waitMs)
  })
  // Work that fails after the wait is over is done again by the next who asks, and that one hears why.
  work.catch(() => {})
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
