import { join } from 'node:path'
import { version } from '../package.json'
import type { RunningApp } from './app-host'
import { openDataFolder } from './host/data-folder'
import { FolderHeldError, lockFolder } from './host/folder-lock'
import { fileKeyCipher } from './host/key-ciphers'
import { installLastResort, UNEXPECTED_EXIT } from './host/last-resort'
import { openLog } from './host/open-log'
import { AppError } from './ipc/app-error'
import { openApp } from './open-app'
import { storageError } from './storage/storage-error'
import { devPage } from './web/dev-page'
import { readServeOptions, type ServeOptions, USAGE, UsageError } from './web/serve-options'
import { startWebHost } from './web/web-host'

/** The built files lie in out/main, out/renderer; the resources beside out. */
const OUT_MAIN = import.meta.dirname
const STOP_LIMIT_MS = 15_000

async function serve(options: ServeOptions): Promise<void> {
  const dataDir = openDataFolder(options.data)
  const lock = lockFolder(dataDir, { pid: process.pid, host: 'web', since: new Date().toISOString() })
  const log = openLog(dataDir)
  let started: RunningApp | undefined
  let stop: (why: string, code: number) => void = (_why, code) => process.exit(code)
  installLastResort({
    log,
    app: () => started,
    end(error) {
      if (!started) fail(error)
      process.stderr.write('Strata met an error it did not expect and is closing in order. The log has the details.\n')
      stop('an unexpected error', UNEXPECTED_EXIT)
    },
  })
  const resourcesDir = join(OUT_MAIN, '../../resources')
  const app = await openApp({ dataDir, host: 'web', keyCipher: fileKeyCipher(dataDir), version, resourcesDir, log })
  started = app
  const devServer = import.meta.env.DEV ? process.env.ELECTRON_RENDERER_URL : undefined
  const host = await startWebHost({
    app,
    rendererDir: join(OUT_MAIN, '../renderer'),
    ...(devServer ? { readPage: devPage(devServer) } : {}),
    token: options.token,
    host: options.host,
    port: options.port,
    allowedHosts: options.allowedHosts,
    log,
  }).catch((error: unknown) => {
    throw bindingError(error, options)
  })

  let stopping = false
  stop = (why, code) => {
    if (stopping) return
    stopping = true
    log.info({ why }, 'stopping')
    setTimeout(() => process.exit(code || 1), STOP_LIMIT_MS).unref()
    host.close().then(
      () => {
        lock.release()
        process.exit(code)
      },
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', () => stop('SIGTERM', 0))
  process.on('SIGINT', () => stop('SIGINT', 0))

  if (app.readOnlyReason) process.stderr.write(`${app.readOnlyReason}\n`)
  log.info({ url: host.url, version }, 'ready')
  const damaged = app.damage ? { damaged: app.damage.kind } : {}
  if (app.damage) process.stderr.write('The stored chats are damaged. Open the page to choose what to go on with.\n')
  const line = { url: host.url, token: options.token, data: dataDir, version, ...damaged }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** An address that another program holds, or that this user may not take, in words; other errors as they are. */
function bindingError(error: unknown, { host, port }: ServeOptions): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'EADDRNOTAVAIL') return error
  return new UsageError(
    `Port ${port} on ${host} cannot be used (${code}). Choose another one, or --port 0 for any free one.`,
  )
}

/** What a person can put right ends with 2 and words; anything else with 1 and its stack. */
function fail(failure: unknown): never {
  const error = storageError(failure) ?? failure
  const isExpected = [UsageError, FolderHeldError, AppError].some((kind) => error instanceof kind)
  const text = error instanceof Error ? (isExpected ? error.message : (error.stack ?? error.message)) : String(error)
  process.stderr.write(error instanceof UsageError ? `${text}\n${USAGE}\n` : `${text}\n`)
  process.exit(isExpected ? 2 : 1)
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 15)) {
  fail(new UsageError(`Node ${process.versions.node} is too old: Strata needs 22.15 or newer.`))
} else {
  try {
    await serve(readServeOptions(process.argv.slice(2)))
  } catch (error) {
    fail(error)
  }
}
