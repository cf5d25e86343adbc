// A thread of ipc/thread.test.ts: ends in the way its task says.
import { serveThread } from '../ipc/serve-thread'

serveThread<string, string>('ending', (task) => {
  if (task === 'exit') process.exit(3)
  if (task === 'crash') {
    setImmediate(() => {
      throw new Error('cut off in the middle')
    })
    return new Promise<string>(() => undefined)
  }
  return task
})
