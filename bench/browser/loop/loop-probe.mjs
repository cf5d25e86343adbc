// Loaded into the app with `--import`: keeps the longest time its main thread did nothing else, by the clock and in its own
// work (on a busy machine others take their share), and writes `<clock> <work>` in milliseconds to $LOOP_FILE when it is
// asked by SIGUSR2, which also begins anew.
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

if (isMainThread && process.env.LOOP_FILE) {
  const work = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let longest = [0, 0]
  let last = [performance.now(), work()]
  const tick = () => {
    const now = [performance.now(), work()]
    longest = longest.map((most, index) => Math.max(most, now[index] - last[index]))
    last = now
  }
  // every 2 ms: what is longer was a stretch somebody waited for
  setInterval(tick, 2).unref()
  process.on('SIGUSR2', () => {
    tick()
    writeFileSync(process.env.LOOP_FILE, longest.join(' '))
    longest = [0, 0]
  })
}
