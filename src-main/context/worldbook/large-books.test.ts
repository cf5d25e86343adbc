import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runningApp, type TestApp } from '../../testing/running-app'

let app: TestApp

beforeEach(async () => {
  app = await runningApp()
})
afterEach(() => app.close())

const COUNT = 1200
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')

/** JSON with the members of every object in alphabetical order; members called `__proto__` included. */
const canonical = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? `{${Object.entries(value)
        .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`)
        .sort()
        .join()}}`
    : Array.isArray(value)
      ? `[${value.map(canonical).join()}]`
      : String(JSON.stringify(value))

/** Large enough to go through the thread and to be stored in several transactions. */
function largeFile(hostile: Record<string, unknown> = {}) {
  const entries = Array.from({ length: COUNT }, (_none, uid) => ({
    uid,
    key: [`word${uid}`],
    comment: `Entry ${uid}`,
    content: `Text ${uid}. ${'filler '.repeat(20)}`,
    ...hostile,
  }))
  return { name: 'Large', entries: Object.fromEntries(entries.map((entry) => [entry.uid, entry])), ...hostile }
}

describe('large worldbooks', () => {
  test('files that arrive at once are stored one after the other, each under a name of its own', async () => {
    const dataBase64 = base64(largeFile())
    const reports = await Promise.all(
      [1, 2, 3].map(() => app.call('worldbook.import', { fileName: 'large.json', dataBase64 })),
    )
    const books = await app.call('worldbook.list', {})
    expect(books.map(({ name, entries }) => [name, entries])).toEqual([
      ['Large', COUNT],
      ['Large (2)', COUNT],
      ['Large (3)', COUNT],
    ])
    expect(reports.map(({ worldbookIds }) => worldbookIds)).toEqual(books.map(({ id }) => [id]))
    expect(reports.map(({ collisions }) => collisions.length)).toEqual([0, 1, 1])
    const { fired, notFired } = await app.call('worldbook.evaluate', {
      books: books.map(({ id }) => id),
      messages: [{ role: 'user', text: `word7 and word${COUNT - 1}` }],
      window: 100_000,
    })
    expect(fired).toHaveLength(6)
    expect(notFired).toHaveLength(3 * COUNT - 6)
  })

  test('an update keeps the id, the binding and the replaced version', async () => {
    const first = await app.call('worldbook.import', { fileName: 'large.json', dataBase64: base64(largeFile()) })
    const [id = ''] = first.worldbookIds
    const session = await app.call('sessions.create', { worldbookIds: [id] })
    const changed = largeFile()
    const third = changed.entries['3']
    if (third) third.content = 'Another text.'
    const dataBase64 = base64(changed)
    const again = await app.call('worldbook.import', { fileName: 'x.json', dataBase64, onCollision: 'update' })
    expect(again.worldbookIds).toEqual([id])
    const book = await app.call('worldbook.get', { worldbookId: id })
    expect(book).toMatchObject({ version: 2, name: 'Large' })
    expect(book.entries[3]?.content).toBe('Another text.')
    expect((await app.call('worldbook.list', {}))[0]).toMatchObject({ id, boundSessions: 1 })
    const undone = await app.call('worldbook.undo', { worldbookId: id })
    expect(undone.entries[3]?.content).toContain('Text 3.')
    expect(undone.entries).toHaveLength(COUNT)
    expect(session.id).not.toBe('')
  })

  test('unknown fields of any name survive the way through the threads and back', async () => {
    const hostile = JSON.parse(
      '{"__proto__":{"deep":[{"__proto__":1}]},"constructor":{"prototype":2},"weird key ❤️":null,"extensions":{"__proto__":{"x":1},"other":{"y":[1,2]}}}',
    ) as Record<string, unknown>
    const file = largeFile(hostile)
    const { worldbookIds } = await app.call('worldbook.import', { fileName: 'large.json', dataBase64: base64(file) })
    for (const format of ['sillytavern', 'ccv3', 'strata'] as const) {
      const out = await app.call('worldbook.export', { worldbookId: worldbookIds[0] ?? '', format })
      const back = await app.call('worldbook.import', { ...out, onCollision: 'copy' })
      const read = async (worldbookId = '') => {
        const { entries, extra, origin, settings } = await app.call('worldbook.get', { worldbookId })
        return canonical({ entries, extra, origin, settings })
      }
      expect(await read(back.worldbookIds[0])).toBe(await read(worldbookIds[0]))
    }
    const out = await app.call('worldbook.export', { worldbookId: worldbookIds[0] ?? '', format: 'sillytavern' })
    const again = JSON.stringify(JSON.parse(Buffer.from(out.dataBase64, 'base64').toString()))
    expect(again.match(/"__proto__":\{"deep":\[\{"__proto__":1\}\]\}/g)).toHaveLength(COUNT + 1)
    expect(again.match(/"__proto__":\{"x":1\}/g)).toHaveLength(COUNT + 1)
  })

  test('refusals cross the thread with their code, and nothing is stored', async () => {
    const cut = base64(largeFile()).slice(0, 200_000)
    await expect(app.call('worldbook.import', { fileName: 'cut.json', dataBase64: cut })).rejects.toMatchObject({
      code: 'import.unreadable',
    })
    const huge = 'A'.repeat(140 * 1024 * 1024)
    await expect(app.call('worldbook.import', { fileName: 'huge.json', dataBase64: huge })).rejects.toMatchObject({
      code: 'import.too_large',
      message: expect.stringContaining('105 MB'),
    })
    expect(await app.call('worldbook.list', {})).toEqual([])
  })

  test('the record of a turn with a large book stays small', async () => {
    const entries = Array.from({ length: 5000 }, (_none, uid) => ({
      uid,
      key: [`word${uid}`],
      content: `Text ${uid}.`,
    }))
    const dataBase64 = base64({ name: 'Many', entries })
    const { worldbookIds } = await app.call('worldbook.import', { fileName: 'many.json', dataBase64 })
    const session = await app.call('sessions.create', { worldbookIds })
    const preview = await app.call('turns.preview', { sessionId: session.id, draft: 'word7' })
    expect(preview.worldbook).toMatchObject({ fired: [{ entryId: '7' }], omitted: { no_key_matched: 4999 } })
    expect(JSON.stringify(preview).length).toBeLessThan(100_000)
  })
})
