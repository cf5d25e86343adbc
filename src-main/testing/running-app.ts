import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Calls, Events } from '../app-contract'
import type { RunningApp } from '../app-host'
import type { EventMessage, OutputOf, RawInputOf } from '../ipc/contract'
import { openApp } from '../open-app'
import type { KeyCipher } from '../settings/key-cipher'

/** Good enough for a test: reversible, and never the plain text. */
const cipher: KeyCipher = {
  kind: 'file',
  encrypt: async (text) => Buffer.from(`x${Buffer.from(text).toString('base64')}`),
  decrypt: async (bytes) => Buffer.from(Buffer.from(bytes).toString().slice(1), 'base64').toString(),
}

export interface TestApp {
  app: RunningApp
  dataDir: string
  events: EventMessage[]
  /** Fails the test with the error's message when the call fails. */
  call<Name extends keyof Calls>(name: Name, input: RawInputOf<Calls[Name]>): Promise<OutputOf<Calls[Name]>>
  /** Resolves with the first event of this name that passes, past ones included. */
  event<Name extends keyof Events>(name: Name, passes?: (payload: Events[Name]) => boolean): Promise<Events[Name]>
  /** Closes and opens the same folder again. */
  restart(): Promise<TestApp>
  close(): Promise<void>
}

/** The real app over a fresh folder: real SQLite, real rooms, only the model server is the test's. */
export async function runningApp(dataDir = mkdtempSync(join(tmpdir(), 'strata-app-'))): Promise<TestApp> {
  const app = await openApp({
    dataDir,
    host: 'web',
    keyCipher: cipher,
    version: '0.0.0-test',
    resourcesDir: join(import.meta.dirname, '../../resources'),
    log: pino({ level: process.env.STRATA_LOG ?? 'silent' }),
  })
  const events: EventMessage[] = []
  const waiting = new Set<(event: EventMessage) => void>()
  app.subscribe((event) => {
    events.push(event)
    for (const look of waiting) look(event)
  })
  return {
    app,
    dataDir,
    events,
    async call(name, input) {
      const reply = await app.call(name, input)
      if (!reply.ok) throw Object.assign(new Error(`${name}: ${reply.error.code}: ${reply.error.message}`), reply.error)
      return reply.value as never
    },
    event(name, passes = () => true) {
      return new Promise((resolve) => {
        const look = (event: EventMessage) => {
          if (event.name !== name || !passes(event.payload as never)) return
          waiting.delete(look)
          resolve(event.payload as never)
        }
        waiting.add(look)
        for (const event of events) look(event)
      })
    },
    async restart() {
      await app.close()
      return runningApp(dataDir)
    },
    async close() {
      await app.close()
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
