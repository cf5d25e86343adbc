import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { runningApp } from '../src-main/testing/running-app'
import { makeText, makeVocabulary, randomFrom } from './worldbook/make-book'

const ENTRIES = 50_000

/** Milliseconds this thread has worked: what others get in between, or take away, is not counted. */
function worked(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

interface Held {
  step: string
  'longest stretch ms': number
  'work ms': number
}

/** Runs it and tells how long it held the main thread at a stretch: nobody else was served meanwhile. */
async function held<T>(rows: Held[], step: string, run: () => Promise<T>): Promise<T> {
  let over = false
  let longest = 0
  const began = worked()
  const watch = (async () => {
    let last = worked()
    while (!over) {
      await setImmediate()
      const now = worked()
      longest = Math.max(longest, now - last)
      last = now
    }
  })()
  await setImmediate()
  try {
    return await run()
  } finally {
    over = true
    await watch
    rows.push({ step, 'longest stretch ms': Math.round(longest), 'work ms': Math.round(worked() - began) })
  }
}

function fileOf(content: (text: string) => string): string {
  const random = randomFrom(7)
  const vocabulary = makeVocabulary(4000, random)
  const entries = Array.from({ length: ENTRIES }, (_none, uid) => ({
    uid,
    key: [`key${uid}`, `word${uid}`, `name ${uid}`],
    comment: `Entry ${uid}`,
    content: content(makeText(100, vocabulary, random)),
  }))
  return Buffer.from(JSON.stringify({ name: 'Large', entries })).toString('base64')
}

it('how long a book of 50,000 entries holds the main thread', async () => {
  const app = await runningApp()
  const rows: Held[] = []
  const [first, second] = [fileOf((text) => text), fileOf((text) => `${text} again`)]
  const file = { fileName: 'large.json', dataBase64: first }
  const { worldbookIds } = await held(rows, 'import', () => app.call('worldbook.import', file))
  const worldbookId = worldbookIds[0] ?? ''
  const look = { books: [worldbookId], messages: [{ role: 'user' as const, text: 'key7 and word4000' }] }
  await held(rows, 'first evaluation', () => app.call('worldbook.evaluate', look))
  await held(rows, 'evaluation', () => app.call('worldbook.evaluate', look))
  await held(rows, 'list', () => app.call('worldbook.list', {}))
  await held(rows, 'get', () => app.call('worldbook.get', { worldbookId }))
  const save = (step: string, more: object) =>
    held(rows, step, () => app.call('worldbook.save-entries', { worldbookId, ...more }))
  await save('one edit', { entries: [{ id: '7', content: 'new' }] })
  const ids = Array.from({ length: ENTRIES }, (_none, uid) => String(uid))
  await save('bulk edit of all', { entries: ids.map((id) => ({ id, enabled: false })) })
  await held(rows, 'undo of it', () => app.call('worldbook.undo', { worldbookId }))
  await save('new order', { order: ids.toReversed() })
  await held(rows, 'undo of it', () => app.call('worldbook.undo', { worldbookId }))
  const update = { fileName: 'large.json', dataBase64: second, onCollision: 'update' as const }
  await held(rows, 'import as an update', () => app.call('worldbook.import', update))
  await held(rows, 'two versions back', () => app.call('worldbook.undo', { worldbookId, version: 2 }))
  const { book } = { book: await app.call('worldbook.get', { worldbookId }) }
  const { name, description, settings, entries, extra, origin } = book
  const renamed = { name: `${name} 2`, description, settings, entries, extra, origin }
  await held(rows, 'save of the whole book', () => app.call('worldbook.save', { worldbookId, book: renamed }))
  await held(rows, 'removal', () => app.call('worldbook.remove', { worldbookId }))
  await app.close()
  console.table(rows)
  expect(entries).toHaveLength(ENTRIES)
})
