import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadAnswer, ThreadTask } from './thread-contract'

/**
 * Answers the tasks of a `Thread`, one after another in the order they came. Does nothing where the file was merely
 * imported, as tests and the bundler's path import do.
 */
export function serveThread<Task, Answer>(room: string, answer: (task: Task) => Answer | Promise<Answer>): void {
  const port = parentPort
  if (port === null || (workerData as { room?: string } | null)?.room !== room) return
  let before: Promise<unknown> = Promise.resolve()
  port.on('message', ({ id, task }: ThreadTask<Task>) => {
    before = before.then(async () => {
      try {
        port.postMessage({ id, value: await answer(task) } satisfies ThreadAnswer<Answer>)
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error)
        port.postMessage({ id, error: text } satisfies ThreadAnswer<Answer>)
      }
    })
  })
}
