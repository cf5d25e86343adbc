import type { Page } from 'playwright/test'
import { expect, type StrataApp, test } from './support/launch-app'
import type { ModelServer } from './support/model-server'
import { answersEnd, goTo, lastRequest, openChat, readyToChat, say } from './support/window-steps'

const DRAUGHT = 'The Kestrel draws 1.8 m.'
const UNITS = 'Prefers metric units.'
const PORTO = 'Rosa lives in Porto.'
const SENSES = [
  ['kestrel', 'vessel', 'schiff'],
  ['draws', 'draught', 'tiefgang'],
  ['rosa', 'sister'],
  ['lives', 'dwells'],
]

/** Memory → Search and index: the connected server's model instead of the one on this machine. */
async function useEmbedder(page: Page, model: string): Promise<void> {
  await goTo(page, 'Memory')
  await page.getByRole('button', { name: /^Search and index/ }).click()
  const main = page.getByRole('main')
  await main.getByLabel('Kind').selectOption({ label: 'OpenAI-compatible server' })
  await main.getByLabel('Connection').selectOption({ label: 'Scripted' })
  await main.getByLabel('Model').fill(model)
  await main.getByRole('button', { name: 'Use this' }).click()
}

async function ask(app: StrataApp, server: ModelServer, question: string): Promise<string> {
  const before = server.requests.length
  await say(app.page, question)
  await expect.poll(() => server.requests.length).toBe(before + 1)
  await answersEnd(app)
  return lastRequest(server)
}

const indexed = async (app: StrataApp) => {
  const { embedder, dims, indexed: vectors, pending, building } = await app.call('memory.status', {})
  return { model: embedder.split(' ')[0], dims, vectors, pending, building: building !== undefined }
}

test('a server turns memories into vectors, and another size of them is another index', async ({
  app,
  modelServer,
}) => {
  modelServer.embedding.senses = SENSES
  await readyToChat(app, modelServer)
  await app.call('sessions.create', { title: 'Ferry' })
  for (const text of [DRAUGHT, UNITS, PORTO]) await app.call('memory.save', { text })

  await useEmbedder(app.page, 'harbour-embed')
  await expect(app.page.getByText('3 indexed, 64 numbers each')).toBeVisible({ timeout: 40_000 })
  await expect
    .poll(() => indexed(app))
    .toEqual({ model: 'harbour-embed', dims: 64, vectors: 3, pending: 0, building: false })
  expect(modelServer.embedding.asked.map(({ text }) => text)).toEqual(expect.arrayContaining([DRAUGHT, UNITS, PORTO]))

  // no word is shared: only the server's vectors can find it
  await openChat(app.page, 'Ferry')
  const first = await ask(app, modelServer, 'Schiff Tiefgang')
  expect(first).toContain(DRAUGHT)
  expect(first).not.toContain(PORTO)

  // the same model answers in another size from now on: old vectors must not be compared with new ones
  modelServer.embedding.dimensions = 96
  const between = await ask(app, modelServer, 'Vessel Tiefgang, please')
  expect(between).not.toContain(PORTO)
  expect(between).not.toContain(UNITS)

  // that question has shown it: the new index is built without being asked for
  await goTo(app.page, 'Memory')
  await expect(app.page.getByText('3 indexed, 96 numbers each')).toBeVisible({ timeout: 40_000 })
  await openChat(app.page, 'Ferry')
  const last = await ask(app, modelServer, 'My sister dwells where?')
  expect(last.split('My sister dwells')[0]).toContain(PORTO)
  expect(last).not.toContain(UNITS)
})
