import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, it } from 'vitest'
import { createSessionStore } from '../src-main/sessions/session-store'
import { checkPages, DATABASE_FILE } from '../src-main/storage/damage'
import type { WriteDatabase } from '../src-main/storage/database'
import { forgetRecords } from '../src-main/turns/record-repository'
import { buildLargeFolder, LARGE } from './large-folder'

function measure<T>(name: string, act: () => T): T {
  const at = performance.now()
  const value = act()
  process.stdout.write(`${name}: ${(performance.now() - at).toFixed(1)} ms\n`)
  return value
}

/** The longest time nobody else got the thread while something went on in the background. */
async function longestHold(name: string, act: () => Promise<unknown>): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  const at = performance.now()
  delay.enable()
  await act()
  delay.disable()
  const seconds = ((performance.now() - at) / 1000).toFixed(1)
  process.stdout.write(`${name}: ${seconds} s, longest hold ${(delay.max / 1e6).toFixed(0)} ms\n`)
}

function messagesOf(database: WriteDatabase, sessionId: string, count: number): string[] {
  return database
    .prepare<[string, number], { id: string }>('SELECT id FROM message WHERE session_id = ? ORDER BY seq DESC LIMIT ?')
    .all(sessionId, count)
    .map(({ id }) => id)
}

it('3,000 chats and 200,000 messages: lookups, long deletes, a look through every page', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'strata-large-'))
  const database = await buildLargeFolder(dataDir)
  let last = 0
  const ids = () => {
    last += 1
    return `new-${last}`
  }
  const store = createSessionStore({ database, dataDir, ids, now: Date.now, emit: () => {} })
  store.onDeparture(({ messageIds }) => forgetRecords(database, messageIds))
  database.exec('DROP INDEX turn_by_reply')
  measure('records of 100 messages go, without the index of replies', () =>
    forgetRecords(database, messagesOf(database, 'chat-0', 100)),
  )
  database.exec('CREATE INDEX turn_by_reply ON turn (reply_message_id)')
  measure('records of 1,000 messages go, with it', () =>
    forgetRecords(database, messagesOf(database, 'chat-0', 1100).slice(100)),
  )
  measure('every page is read', () => expect(checkPages(join(dataDir, DATABASE_FILE), true)).toBeUndefined())
  await longestHold('a branch of 1,000 messages', async () => {
    store.removeMessage(`chat-0-${LARGE.longest - 1000}`)
    await store.cleaned()
  })
  await longestHold('a chat of 19,000 messages', async () => {
    store.purge(['chat-0'])
    await store.cleaned()
  })
  await longestHold('500 chats out of the bin', async () => {
    store.purge(Array.from({ length: 500 }, (_, index) => `chat-${index + 1}`))
    await store.cleaned()
  })
  await store.close()
  database.close()
  rmSync(dataDir, { recursive: true, force: true })
})
