import { setImmediate } from 'node:timers/promises'

/** Well under the 50 ms at which people notice, with room for what other work is in the queue. */
const SLICE_MILLIS = 12

/** To be asked often in long work on the main thread: a promise = the slice is used up, wait for it. */
export type Breathe = () => Promise<void> | undefined

export function newBreathing(sliceMillis = SLICE_MILLIS): Breathe {
  let since = performance.now()
  return () => {
    if (performance.now() - since < sliceMillis) return undefined
    return setImmediate().then(() => {
      since = performance.now()
    })
  }
}
