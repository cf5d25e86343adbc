import type { Page } from 'playwright/test'
import { expect, test } from './support/launch-app'
import { answersEnd, goTo, lastRequest, openChat, readyToChat, say } from './support/window-steps'

const DRAUGHT = 'The Kestrel draws 1.8 m; she was re-keeled in act one.'
const UNITS = 'Prefers metric units and 24-hour times.'
const TRAIN = 'Takes the 07:40 train on weekdays.'

async function addMemory(page: Page, text: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'New memory' }).first().click()
  const form = page.getByRole('dialog', { name: 'New memory' })
  await form.getByRole('textbox', { name: 'Memory text' }).fill(text)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
  await expect(page.getByRole('table', { name: 'Memories' }).getByText(text)).toBeVisible()
}

const openTab = (page: Page, name: string) =>
  page.getByRole('complementary', { name: 'Inspector' }).getByRole('tab', { name, exact: true }).click()
const inspector = (page: Page) => page.getByRole('complementary', { name: 'Inspector' })

test('memories are added, found for a question, sent, and shown with their scores', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  await app.call('sessions.create', { title: 'Ferry' })
  await goTo(app.page, 'Memory')
  await expect(app.page.getByText('Nothing is remembered yet')).toBeVisible()
  for (const text of [DRAUGHT, UNITS, TRAIN]) await addMemory(app.page, text)

  await openChat(app.page, 'Ferry')
  await say(app.page, 'How deep does the Kestrel draw?')
  await expect.poll(() => modelServer.requests.length).toBe(1)
  await answersEnd(app)
  expect(lastRequest(modelServer)).toContain('The Kestrel draws 1.8 m')
  expect(lastRequest(modelServer)).not.toContain(TRAIN)

  await openTab(app.page, 'Memory')
  await inspector(app.page).getByRole('button', { name: /^Sent/ }).click()
  const best = inspector(app.page).getByRole('article', { name: 'Candidate 1' })
  await expect(best).toContainText(DRAUGHT)
  await expect(best).toContainText('Injected')
  await expect(best).toContainText('lexical')
  await expect(inspector(app.page)).toContainText('1 of 3 injected')

  await goTo(app.page, 'Memory')
  await app.page.getByRole('button', { name: DRAUGHT }).click()
  await app.page.getByRole('button', { name: /^Uses/ }).click()
  await expect(app.page.getByRole('dialog', { name: 'Where it was used' })).toContainText('Ferry')
})

test('the draft shows in the usage popover which memories would go along', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  await app.call('sessions.create', { title: 'Ferry' })
  await app.call('memory.save', { text: DRAUGHT })
  await openChat(app.page, 'Ferry')
  await app.page.getByRole('textbox', { name: 'Message', exact: true }).fill('What does the Kestrel draw?')
  await app.page.getByRole('button', { name: /^Context:/ }).click()
  const popover = app.page.getByRole('dialog', { name: /context/i })
  await popover.getByRole('button', { name: /^Memory/ }).click()
  await expect(popover).toContainText('The Kestrel draws 1.8 m')
})

test('nothing relevant, nothing injected, and the reason in words', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  await app.call('sessions.create', { title: 'Hello' })
  for (const text of [DRAUGHT, UNITS, TRAIN]) await app.call('memory.save', { text })
  await openChat(app.page, 'Hello')
  await say(app.page, 'hi')
  await expect.poll(() => modelServer.requests.length).toBe(1)
  await answersEnd(app)
  expect(lastRequest(modelServer)).not.toContain('<memory>')
  await openTab(app.page, 'Memory')
  await inspector(app.page).getByRole('button', { name: /^Sent/ }).click()
  await expect(inspector(app.page)).toContainText('The message holds no word to look for.')
})

test('Top K 0 sends every active memory in the order they were made, an archived one not', async ({
  app,
  modelServer,
}) => {
  await readyToChat(app, modelServer)
  await app.call('sessions.create', { title: 'All' })
  for (const text of [DRAUGHT, UNITS, TRAIN]) await app.call('memory.save', { text })
  await goTo(app.page, 'Memory')
  await app.page.getByRole('textbox', { name: 'Top K' }).fill('0')
  await app.page.getByRole('textbox', { name: 'Top K' }).press('Enter')
  await expect.poll(async () => (await app.call('settings.get', {})).memory.topK).toBe(0)

  await app.page.getByRole('checkbox', { name: `Select “${UNITS}”` }).check()
  await app.page
    .getByRole('banner')
    .or(app.page.getByRole('main'))
    .getByRole('button', { name: 'Archive', exact: true })
    .first()
    .click()
  await expect(app.page.getByRole('table', { name: 'Memories' }).getByText(UNITS)).toBeHidden()

  await openChat(app.page, 'All')
  await say(app.page, 'Good morning')
  await expect.poll(() => modelServer.requests.length).toBe(1)
  const sent = lastRequest(modelServer)
  expect(sent.indexOf(DRAUGHT)).toBeGreaterThan(0)
  expect(sent.indexOf(TRAIN)).toBeGreaterThan(sent.indexOf(DRAUGHT))
  expect(sent).not.toContain(UNITS)

  await goTo(app.page, 'Memory')
  await app.page.getByRole('button', { name: /^Archived/ }).click()
  await expect(app.page.getByRole('table', { name: 'Memories' }).getByText(UNITS)).toBeVisible()
})

test('words of a message are remembered with their source', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  await app.call('sessions.create', { title: 'Source' })
  await openChat(app.page, 'Source')
  await say(app.page, 'My sister Rosa lives in Porto.')
  await expect.poll(() => modelServer.requests.length).toBe(1)
  await answersEnd(app)
  const message = app.page.getByRole('article', { name: /^You/ })
  await message.getByRole('button', { name: 'More actions' }).click()
  await app.page.getByRole('menuitem', { name: 'Remember this' }).click()
  const form = app.page.getByRole('dialog', { name: 'New memory' })
  await expect(form.getByRole('textbox', { name: 'Memory text' })).toHaveValue('My sister Rosa lives in Porto.')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
  const { memories } = await app.call('memory.list', {})
  expect(memories[0]?.source).toMatchObject({ kind: 'user statement', quote: 'My sister Rosa lives in Porto.' })
})

test('two windows editing one memory meet in a visible conflict', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  const memory = await app.call('memory.save', { text: TRAIN })
  await goTo(app.page, 'Memory')
  await app.page.getByRole('button', { name: TRAIN }).click()
  await app.page.getByRole('button', { name: 'Edit', exact: true }).click()
  const form = app.page.getByRole('dialog', { name: 'Edit memory' })
  await form.getByRole('textbox', { name: 'Memory text' }).fill('Takes the 08:10 train on weekdays.')
  await app.call('memory.save', { id: memory.id, text: 'Cycles to work.', revision: memory.revision })
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByRole('alert')).toContainText('Cycles to work.')
  await form.getByRole('button', { name: 'Save mine over it' }).click()
  await expect(form).toBeHidden()
  expect((await app.call('memory.get', { id: memory.id })).text).toBe('Takes the 08:10 train on weekdays.')
})
