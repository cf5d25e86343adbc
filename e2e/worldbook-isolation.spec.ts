import { connectModel, newestMessage } from './support/connect-model'
import { expect, type StrataApp, test } from './support/launch-app'
import type { ModelServer } from './support/model-server'

const CANARIES = {
  memory: 'canary-memory-7f3a',
  profile: 'canary-profile-91cd',
  summary: 'canary-summary-e0b2',
  tool: 'canary_tool_44d1',
}

/** Something unmistakable in every place isolation withholds. */
async function plantCanaries(app: StrataApp): Promise<void> {
  await app.call('memory.save', { text: `The ferry word is ${CANARIES.memory}.`, kind: 'fact' })
  await app.call('user-profile.save', { overview: `Likes ferries, ${CANARIES.profile}.` })
  const { id } = await app.call('sessions.create', { title: 'Earlier' })
  await app.call('recent-conversations.save', { sessionId: id, text: `We spoke of ${CANARIES.summary}.` })
  await app.call('commands.save', {
    name: CANARIES.tool,
    description: 'Tells the ferry times.',
    argv: ['echo', 'ferry'],
    enabled: true,
  })
}

const bodies = (server: ModelServer) => server.requests.map(({ body }) => JSON.stringify(body)).join('\n')

/** Waits until no background work is waiting or running. */
async function jobsDone(app: StrataApp): Promise<void> {
  const busy = async () =>
    (await app.call('jobs.list', {})).filter(({ state }) => state === 'waiting' || state === 'running')
  await expect.poll(busy).toEqual([])
}

async function ask(app: StrataApp, sessionId: string, text: string): Promise<void> {
  await app.call('turns.send', { sessionId, text })
  await expect.poll(async () => (await newestMessage(app, sessionId)).state).toBe('complete')
}

test('an isolated chat sends none of what is withheld, background calls included', async ({ app, modelServer }) => {
  await connectModel(app, modelServer)
  await app.call('settings.update', { patch: { general: { titleFromModel: true } } })
  await plantCanaries(app)
  const { id: worldbookId } = await app.call('worldbook.save', {
    book: {
      name: 'Fogharbour',
      entries: [{ comment: 'Ferry', keys: ['ferry'], content: 'The ferry is the Kestrel.' }],
    },
  })
  const { id: open } = await app.call('sessions.create', { worldbookIds: [worldbookId] })
  await ask(app, open, 'Which ferry word do you know?')
  // without isolation they do go out: the net has no hole
  for (const canary of [CANARIES.memory, CANARIES.profile, CANARIES.summary, CANARIES.tool]) {
    expect(bodies(modelServer)).toContain(canary)
  }

  await jobsDone(app)
  modelServer.requests.length = 0
  const { page } = app
  const { id: isolated } = await app.call('sessions.create', { title: 'Act three', worldbookIds: [worldbookId] })
  await page.reload()
  await page.getByText('Act three').first().click()
  await page.getByRole('button', { name: 'Not isolated' }).click()
  const popover = page.getByRole('dialog', { name: 'This chat is not isolated' })
  await popover.getByRole('switch', { name: 'Isolation' }).click()
  const withheld = page.getByRole('dialog', { name: 'This chat is isolated' })
  await expect(withheld.getByRole('listitem')).toHaveText([
    /Time and landmarks/,
    /Long-term memory/,
    /Recent conversations/,
    /User profile/,
    /Tools/,
    /Tool messages in history/,
  ])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Isolated', exact: true })).toBeVisible()

  const { id: untitled } = await app.call('sessions.create', { worldbookIds: [worldbookId], isolation: true })
  for (const text of ['Which ferry word do you know?', 'And who is the user?', 'Tell the ferry times.']) {
    await ask(app, isolated, text)
    await ask(app, untitled, text)
  }
  // background work of these chats: the title of the second, and a summary asked for by hand
  await app.reply('recent-conversations.generate', { sessionId: isolated })
  await jobsDone(app)
  expect(modelServer.requests.length).toBeGreaterThanOrEqual(6)
  expect(bodies(modelServer)).toContain('The ferry is the Kestrel.')
  for (const canary of Object.values(CANARIES)) expect(bodies(modelServer)).not.toContain(canary)

  await page.getByRole('tab', { name: 'Context' }).click()
  await expect(page.locator('.stratum.absent', { hasText: 'Memory' }).first()).toContainText('isolated')
})

test('without a bound book the switch does nothing, and says so', async ({ app, modelServer }) => {
  await connectModel(app, modelServer)
  await plantCanaries(app)
  const { id: sessionId } = await app.call('sessions.create', { title: 'No book', isolation: true })
  await ask(app, sessionId, 'Which ferry word do you know?')
  expect(bodies(modelServer)).toContain(CANARIES.memory)
  const { page } = app
  await page.reload()
  await page.getByText('No book').first().click()
  await page
    .getByRole('button', { name: /Session settings/ })
    .first()
    .click()
  const drawer = page.getByRole('dialog', { name: 'Session settings' })
  await expect(drawer.locator('[data-field="isolation"]')).toContainText('Does nothing without a bound worldbook.')
})
