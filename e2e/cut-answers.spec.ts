import { transcript } from './support/chat-steps'
import { expect, test } from './support/launch-app'
import { readyToChat, say } from './support/window-steps'

test('thinking in the text is folded, and never comes back', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  const log = transcript(app.page)
  modelServer.answer({ text: '<think>\nThe tides turn twice.\n</think>\n\nAt noon.' })
  await say(app.page, 'When is high water?')
  const reply = log.locator('.msg').last()
  await expect(reply.locator('.read')).toHaveText('At noon.')
  await reply.getByRole('button', { name: /tides turn twice/ }).click()
  await expect(reply.locator('.reasoning-text')).toHaveText('The tides turn twice.')

  modelServer.answer({ text: 'The moon pulls.\n\nSo does the sun.\n</think>\n\nAt six.' })
  await say(app.page, 'And low water?')
  await expect(log.locator('.msg').last().locator('.read')).toHaveText('At six.')
  await expect(log.locator('.msg').last().locator('.reasoning')).toHaveCount(1)

  modelServer.answer({ text: 'Use `<think>` and `</think>` as tags.' })
  await say(app.page, 'Which tags?')
  await expect(log.locator('.msg').last().locator('.read')).toHaveText('Use <think> and </think> as tags.')
  const sent = JSON.stringify(modelServer.requests.at(-1)?.body)
  expect(sent).toContain('At noon.')
  expect(sent).not.toContain('turn twice')
  expect(sent).not.toContain('The moon pulls')
})

test('an answer its server cut says so, with what to do, after a reload too', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  const log = transcript(app.page)
  const filtered = log.locator('.msg').filter({ hasText: 'Half a sent' })
  modelServer.answer({ text: 'Half a sent', finish: 'content_filter' })
  await say(app.page, 'Tell me.')
  await expect(filtered).toContainText('content filter ended this answer')

  modelServer.answer({ text: '<think>\nToo long a thought', finish: 'length' })
  await say(app.page, 'Tell me more.')
  const silent = log.locator('.msg').last()
  await expect(silent).toContainText('while it was still thinking')
  await expect(silent.locator('.read')).toHaveCount(0)

  await app.page.reload()
  await expect(filtered).toContainText('content filter ended this answer')
  await expect(silent).toContainText('while it was still thinking')
  await expect(silent.getByRole('button', { name: 'Try again' })).toBeVisible()
})
