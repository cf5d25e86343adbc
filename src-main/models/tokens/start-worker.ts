import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import bundledPath from './token-worker?modulePath'

/** The built app has the worker as a file of its own; tests and benches run its source, whose types Node strips. */
export function startTokenWorker(): Worker {
  const bundled: string | undefined = bundledPath
  if (typeof bundled === 'string') return new Worker(bundled)
  const source = fileURLToPath(new URL('./token-worker.ts', import.meta.url))
  return new Worker(source, { execArgv: ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'] })
}
