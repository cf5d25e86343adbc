import { smallDisk } from '../src-main/testing/small-disk'
import { messageField, transcript } from './support/chat-steps'
import { expect, test } from './support/launch-app'
import { answersEnd, readyToChat, say } from './support/window-steps'

test('a full disk is said before anything is lost, and space makes it well again', async ({ app, modelServer }) => {
  await app.kill()
  const disk = smallDisk(24, app.dataDir)
  test.skip(!disk, 'This account may not mount a disk.')
  try {
    await app.restart()
    await readyToChat(app, modelServer)
    modelServer.answer({ text: 'At ten.' })
    await say(app.page, 'When is the ferry due?')
    await expect(transcript(app.page).getByText('At ten.')).toBeVisible()
    await answersEnd(app)
    disk?.fill()
    const long = `Read this. ${'潮水 tide '.repeat(4000)}`
    await messageField(app.page).fill(long)
    const notice = app.page.locator('.toast').getByText(/The disk is full/)
    await expect(notice).toBeVisible()
    await messageField(app.page).press('Enter')
    await expect(messageField(app.page)).toHaveValue(long)
    await expect(transcript(app.page).locator('.msg')).toHaveCount(2)
    disk?.free()
    modelServer.answer({ text: 'Read.' })
    await messageField(app.page).press('Enter')
    await expect(transcript(app.page).getByText('Read.', { exact: true })).toBeVisible()
    await answersEnd(app)
  } finally {
    await app.kill()
    disk?.remove()
    await app.restart()
  }
})
