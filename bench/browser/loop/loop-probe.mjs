// Loaded into the app with `--import`: keeps the longest time its main thread did nothing else, and writes it to
// $LOOP_FILE (milliseconds) when it is asked by SIGUSR2, which also begins anew.
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

if (isMainThread && process.env.LOOP_FILE) {
  let longest = 0
  let last = performance.now()
  const tick = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  // every 2 ms: what is longer was a stretch somebody waited for
  setInterval(tick, 2).unref()
  process.on('SIGUSR2', () => {
    tick()
    writeFileSync(process.env.LOOP_FILE, String(longest))
    longest = 0
  })
}
