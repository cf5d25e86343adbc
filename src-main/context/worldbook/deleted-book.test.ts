import { afterAll, beforeAll, expect, it } from 'vitest'
import { runningApp, type TestApp } from '../../testing/running-app'

let app: TestApp
beforeAll(async () => {
  app = await runningApp()
})
afterAll(() => app.close())

const newBook = async (name: string) => (await app.call('worldbook.save', { book: { name } })).id
const boundTo = async (sessionId: string) =>
  (await app.call('sessions.get', { sessionId, limit: 1 })).session.worldbookIds

it('a deleted worldbook leaves the chats, but for the one that is isolated by it alone', async () => {
  const [gone, other] = [await newBook('Harbour'), await newBook('Mountain')]
  const make = async (worldbookIds: string[], isolation: boolean, temporary = false) =>
    (await app.call('sessions.create', { worldbookIds, isolation, temporary })).id
  const open = await make([gone], false)
  const passing = await make([gone, other], false, true)
  const both = await make([other, gone], true)
  const alone = await make([gone], true)
  expect(await app.call('worldbook.remove', { worldbookId: gone })).toEqual({ removed: [gone] })
  expect(await Promise.all([open, passing, both, alone].map(boundTo))).toEqual([[], [other], [other], [gone]])
  const { absent } = await app.call('turns.preview', { sessionId: alone, draft: 'Hello' })
  const withheld = absent.filter(({ reason }) => reason === 'isolated').map(({ block }) => block)
  expect(withheld).toEqual(expect.arrayContaining(['memory', 'user_profile_memory']))
})
