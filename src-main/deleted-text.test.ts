import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../e2e/support/model-server'
import { runningApp, type TestApp } from './testing/running-app'

let server: ModelServer
let app: TestApp

beforeEach(async () => {
  server = await startModelServer()
  app = await runningApp()
  const { id } = await app.call('connections.save', {
    name: 'Local',
    kind: 'openai-compatible',
    baseUrl: `${server.url}/v1`,
  })
  const [model] = await app.call('models.refresh', { connectionId: id })
  await app.call('settings.update', { patch: { general: { defaultModelId: model?.id } } })
})
afterEach(async () => {
  await app.close()
  await server.close()
})

/** So long that most of it lies on pages of its own. */
const longText = (word: string): string => {
  const filler = Array.from({ length: 4000 }, (_, index) => `w${(index * 7919) % 10_007}`).join(' ')
  return `${filler} ${word} ${filler}`
}

const holds = (word: string): string[] =>
  readdirSync(app.dataDir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(word))

test('a chat deleted for good leaves none of its words in the data folder', { timeout: 90_000 }, async () => {
  const session = await app.call('sessions.create', { topicPrompt: 'about ZANZIBAR' })
  server.answer({ text: longText('KILIMANJARO'), pieceLength: 4000 })
  const { turnId } = await app.call('turns.send', { sessionId: session.id, text: `ARUSHA ${longText('SERENGETI')}` })
  await app.event('turn.done', (payload) => payload.turnId === turnId)
  expect(holds('SERENGETI')).not.toEqual([])
  await app.event('job.progress', ({ state }) => state === 'done')
  await app.call('sessions.remove', { sessionIds: [session.id] })
  await app.call('sessions.purge', { sessionIds: [session.id] })
  for (const word of ['ARUSHA', 'SERENGETI', 'KILIMANJARO', 'ZANZIBAR']) {
    await expect.poll(() => holds(word), { timeout: 60_000, interval: 500 }).toEqual([])
  }
})
