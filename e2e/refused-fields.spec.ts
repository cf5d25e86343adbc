import { expect, test } from './support/launch-app'
import { answersEnd, goTo, openChat, readyToChat, say } from './support/window-steps'

test('a server refuses two fields: the chat goes on, the connection lists both, and they can be forgotten', async ({
  app,
  modelServer,
}) => {
  const { page } = app
  await readyToChat(app, modelServer)
  modelServer.refuse = (body) => {
    if ('stream_options' in body) {
      const detail = [
        { type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' },
      ]
      return { status: 422, body: { detail } }
    }
    return 'tools' in body
      ? { status: 500, body: { error: { message: 'tools param requires --jinja flag' } } }
      : undefined
  }
  await app.call('sessions.create', { title: 'Harbour' })
  await page.reload()
  await openChat(page, 'Harbour')
  await say(page, 'When is low water?')
  await expect(page.getByRole('log')).toContainText('Understood.')
  await expect(page.getByRole('log')).toContainText('stream_options is not sent')
  await say(page, 'And high water?')
  await expect.poll(() => modelServer.requests.length).toBe(4)
  await answersEnd(app)
  expect(
    modelServer.requests.map(({ body }) => ['stream_options', 'tools'].filter((name) => name in Object(body))),
  ).toEqual([['stream_options', 'tools'], ['tools'], [], []])

  await goTo(page, 'Settings')
  await page.getByRole('button', { name: 'Connections and models' }).click()
  await page.getByRole('button', { name: '2 things learned' }).click()
  const learned = page.getByRole('region', { name: 'Learned from refusals' })
  await expect(learned.getByRole('listitem')).toHaveCount(2)
  await expect(learned).toContainText('500 · tools param requires --jinja flag')
  await expect(learned).toContainText('422 · Extra inputs are not permitted (stream_options)')
  const forget = learned.getByRole('button', { name: 'Forget: stream_options is not sent' })
  const undo = learned.getByRole('button', { name: 'Undo forgetting: stream_options is not sent' })
  await forget.focus()
  await page.keyboard.press('Enter')
  await expect(undo).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(forget).toBeVisible()
  await expect(learned).toContainText('Extra inputs are not permitted')
  await forget.click()
  await expect(learned).toContainText('Forgotten. It is tried again with the next message.')
  await page.keyboard.press('Escape')

  await openChat(page, 'Harbour')
  await say(page, 'And tomorrow?')
  await expect.poll(() => modelServer.requests.length).toBe(6)
  await answersEnd(app)
  expect(modelServer.requests.slice(4).map(({ body }) => 'stream_options' in Object(body))).toEqual([true, false])
})
