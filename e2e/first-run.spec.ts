import { newestMessage } from './support/connect-model'
import { expect, test } from './support/launch-app'
import { answersEnd, lastRequest, say } from './support/window-steps'

test('a newcomer connects a server, tests it and has the first answer', async ({ app, modelServer }) => {
  const { page } = app
  modelServer.key = 'sk-right-key-0000000001'
  await expect(page.getByRole('heading', { name: 'Connect a model' })).toBeVisible()
  await page.getByRole('radio', { name: 'OpenAI-compatible' }).click()
  await page.getByRole('textbox', { name: 'Address' }).fill(`${modelServer.url}/v1`)

  await page.getByRole('textbox', { name: /^API key/ }).fill('sk-wrong-key-000000001')
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(
    page
      .getByText(/key/i)
      .filter({ hasText: /refused|not accepted|wrong/i })
      .first(),
  ).toBeVisible()

  await page.getByRole('textbox', { name: /^API key/ }).fill('sk-right-key-0000000001')
  await page.getByRole('button', { name: /^Test/ }).click()
  await expect(page.getByText(/Answered in/)).toBeVisible()
  await page.getByRole('button', { name: 'Start chatting' }).click()

  modelServer.answer({ text: 'Good morning from the harbour.' })
  await say(page, 'Good morning')
  await expect(page.getByRole('log')).toContainText('Good morning from the harbour.')
  await answersEnd(app)
  const [connection] = (await app.call('connections.list', {})).filter(({ kind }) => kind !== 'dry-run')
  expect(JSON.stringify(connection)).not.toContain('sk-right-key')
  expect(lastRequest(modelServer)).toContain('Good morning')
})

test('looking around without a model shows the request and says that nobody was asked', async ({ app }) => {
  const { page } = app
  await page.getByRole('button', { name: 'Start a dry run' }).click()
  await say(page, 'What would you be told?')
  await expect(page.getByRole('log')).toContainText(/no model was asked/i)
  await expect(page.getByRole('log')).toContainText('What would you be told?')
})

test('the question stands in the chat even when the server is dead, and can be asked again', async ({
  app,
  modelServer,
}) => {
  const { page } = app
  const { id } = await app.call('connections.save', {
    name: 'Dead',
    kind: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:9/v1',
    apiKey: 'sk-dead-0000000000001',
  })
  await app.call('settings.update', {
    patch: { general: { defaultModelId: `${id}/any`, firstRunDone: true, titleFromModel: false } },
  })
  await page.reload()
  await say(page, 'Is anybody there?')
  await expect(page.getByRole('button', { name: /Try again/ })).toBeVisible()
  await expect(page.getByRole('log')).toContainText('Is anybody there?')
  const { sessions } = await app.call('sessions.list', {})
  expect((await newestMessage(app, sessions[0]?.id ?? '')).error?.code).toBe('model.unreachable')
  await app.call('connections.save', { id, name: 'Alive', kind: 'openai-compatible', baseUrl: `${modelServer.url}/v1` })
  await page.getByRole('button', { name: /Try again/ }).click()
  await expect(page.getByRole('log')).toContainText('Understood.')
})
