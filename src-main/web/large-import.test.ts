import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import type { Calls } from '../app-contract'
import type { OutputOf, RawInputOf, Reply } from '../ipc/contract'
import { runningApp, type TestApp } from '../testing/running-app'
import { startWebHost, type WebHost } from './web-host'

const TOKEN = 'a-token-for-tests'
/** Stands in for the 96 MB of the real host. */
const BODY = 100_000
const PIECE = 60_000

let app: TestApp
let host: WebHost

afterEach(async () => {
  await host.close()
  await app.close()
})

const post = (name: string, input: unknown) =>
  fetch(`${host.url}api/call`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({ name, input }),
  })

async function call<Name extends keyof Calls>(name: Name, input: RawInputOf<Calls[Name]>) {
  const reply = (await (await post(name, input)).json()) as Reply<OutputOf<Calls[Name]>>
  if (!reply.ok) throw new Error(reply.error.message)
  return reply.value
}

it('imports a file larger than one body, sent in pieces', async () => {
  app = await runningApp()
  host = await startWebHost({
    app: app.app,
    rendererDir: join(import.meta.dirname, 'nowhere'),
    token: TOKEN,
    host: '127.0.0.1',
    port: 0,
    maxBodyBytes: BODY,
    log: pino({ level: 'silent' }),
  })
  const items = [
    { type: 'session', id: 'big', title: '潮汐', createdAt: '2026-11-30T12:00:00Z' },
    ...Array.from({ length: 500 }, (_, index) => ({
      type: 'message',
      id: `big-${index}`,
      parentId: index === 0 ? null : `big-${index - 1}`,
      selected: true,
      role: 'user',
      text: '潮水上涨。'.repeat(40),
      createdAt: '2026-11-30T12:00:00Z',
    })),
  ]
  const lines = items.map((item) => JSON.stringify(item)).join(',\n')
  const file = Buffer.from(`{"format":"strata","version":1,"exportedAt":"","items":[\n${lines}\n]}\n`)
  expect(file.length).toBeGreaterThan(BODY * 2)
  const whole = await post('transfer.import', { fileName: 'big.json', dataBase64: file.toString('base64') })
  expect(whole.status).toBe(413)
  const { uploadId } = await call('transfer.begin', { fileName: 'big.json', bytes: file.length })
  for (let offset = 0; offset < file.length; offset += PIECE) {
    const dataBase64 = file.subarray(offset, offset + PIECE).toString('base64')
    await call('transfer.append', { uploadId, offset, dataBase64 })
  }
  expect(await call('transfer.import-sent', { uploadId, dryRun: true })).toMatchObject({ messages: 500, dryRun: true })
  expect(await call('transfer.import-sent', { uploadId })).toMatchObject({ messages: 500, sessionIds: ['big'] })
  expect(await call('transfer.discard', { uploadId })).toEqual({ discarded: 1 })
  expect(await call('sessions.get', { sessionId: 'big', limit: 1 })).toMatchObject({ total: 500 })
})
