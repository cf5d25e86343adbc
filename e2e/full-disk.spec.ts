import { type SmallDisk, smallDisk } from '../src-main/testing/small-disk'
import { messageField, transcript } from './support/chat-steps'
import { expect, type StrataApp, test } from './support/launch-app'
import { answersEnd, openChat, readyToChat, say } from './support/window-steps'

/** The app with its data on a disk of 24 MB, which goes again however the story ends. */
async function onSmallDisk(app: StrataApp, story: (disk: SmallDisk) => Promise<void>): Promise<void> {
  await app.kill()
  const disk = smallDisk(24, app.dataDir)
  test.skip(!disk, 'This account may not mount a disk.')
  if (!disk) return
  try {
    await app.restart()
    await story(disk)
  } finally {
    await app.kill()
    disk.remove()
    await app.restart()
  }
}

test('a full disk is said before anything is lost, and space makes it well again', async ({ app, modelServer }) => {
  await onSmallDisk(app, async (disk) => {
    await readyToChat(app, modelServer)
    modelServer.answer({ text: 'At ten.' })
    await say(app.page, 'When is the ferry due?')
    await expect(transcript(app.page).getByText('At ten.')).toBeVisible()
    await answersEnd(app)
    disk.fill()
    const long = `Read this. ${'潮水 tide '.repeat(4000)}`
    await messageField(app.page).fill(long)
    const notice = app.page.locator('.toast').getByText(/The disk is full/)
    await expect(notice).toBeVisible()
    await messageField(app.page).press('Enter')
    await expect(messageField(app.page)).toHaveValue(long)
    await expect(transcript(app.page).locator('.msg')).toHaveCount(2)
    disk.free()
    modelServer.answer({ text: 'Read.' })
    await messageField(app.page).press('Enter')
    await expect(transcript(app.page).getByText('Read.', { exact: true })).toBeVisible()
    await answersEnd(app)
  })
})

test('an answer goes on through a full disk, a bar says so, and both go well by themselves', async ({
  app,
  modelServer,
}) => {
  const text = `The ferry is late.\n\n${'潮水 tide '.repeat(3000)}\n\nIt comes at noon.`
  await onSmallDisk(app, async (disk) => {
    await readyToChat(app, modelServer)
    modelServer.answer({ text, pieceLength: 500, holdAfter: 1 })
    await say(app.page, 'When is the ferry due?')
    await expect(transcript(app.page).getByText('The ferry is late.')).toBeVisible()
    disk.fill()
    modelServer.release()
    const bar = app.page.locator('.storage-bar')
    await expect(bar).toContainText('The disk is full.')
    // one paragraph of this length takes a busy machine some seconds to draw
    await expect(transcript(app.page).getByText('It comes at noon.')).toBeVisible({ timeout: 45_000 })
    await answersEnd(app)
    await expect(bar).toBeVisible()
    disk.free()
    await expect(bar).toHaveCount(0)
    await app.kill()
    await app.restart()
    await openChat(app.page, 'When is the ferry due?')
    await expect(transcript(app.page).getByText('It comes at noon.')).toBeVisible()
    const [session] = (await app.call('sessions.list', {})).sessions
    const { messages } = await app.call('sessions.get', { sessionId: session?.id ?? '' })
    expect(messages.map((message) => message.state)).toEqual(['complete', 'complete'])
    expect(messages[1]?.text).toBe(text)
  })
})

test('killed in mid-answer on a full disk it starts, reads, and calls the answer interrupted', async ({
  app,
  modelServer,
}) => {
  await onSmallDisk(app, async (disk) => {
    await readyToChat(app, modelServer)
    modelServer.answer({ text: `The ferry is late. ${'tide '.repeat(20_000)}`, pieceLength: 5000, holdAfter: 1 })
    await say(app.page, 'When is the ferry due?')
    await expect(transcript(app.page).getByText('The ferry is late.')).toBeVisible()
    const [session] = (await app.call('sessions.list', {})).sessions
    const states = async () => {
      const { messages } = await app.call('sessions.get', { sessionId: session?.id ?? '' })
      return messages.map((message) => [message.state, message.text.slice(0, 18)])
    }
    const begun = 'The ferry is late.'
    await expect.poll(async () => (await states())[1]?.[1]).toBe(begun)
    disk.fill()
    await app.kill()
    await app.restart()
    const interrupted = [
      ['complete', 'When is the ferry '],
      ['interrupted', begun],
    ]
    expect(await states()).toEqual(interrupted)
    await openChat(app.page, 'When is the ferry due?')
    await expect(transcript(app.page).getByText('The ferry is late.')).toBeVisible()
    await expect(app.page.locator('.storage-bar')).toContainText('The disk is full.')
    disk.free()
    await expect(app.page.locator('.storage-bar')).toHaveCount(0)
    expect(await states()).toEqual(interrupted)
    modelServer.answer({ text: 'At noon.' })
    await say(app.page, 'And now?')
    await expect(transcript(app.page).getByText('At noon.')).toBeVisible()
    await answersEnd(app)
  })
})

test('work that waits in the background outlives a full disk and is done afterwards', async ({ app, modelServer }) => {
  await onSmallDisk(app, async (disk) => {
    await readyToChat(app, modelServer)
    await app.call('settings.update', { patch: { recentConversations: { enabled: true, minUserTurns: 1 } } })
    // the summary's first try fails: its next one is a timer's
    modelServer.answer({ text: 'At ten.' })
    await say(app.page, 'When is the ferry due?')
    await expect(transcript(app.page).getByText('At ten.')).toBeVisible()
    await answersEnd(app)
    modelServer.otherwise = { error: { status: 500 } }
    const [session] = (await app.call('sessions.list', {})).sessions
    const { jobId } = await app.call('recent-conversations.generate', { sessionId: session?.id ?? '' })
    const summary = async () => (await app.call('jobs.list', {})).find(({ id }) => id === jobId)?.state
    await expect.poll(summary).toBe('waiting')
    disk.fill()
    await expect(app.page.locator('.storage-bar')).toBeVisible({ timeout: 20_000 })
    expect(await summary()).toBe('waiting')
    modelServer.otherwise = { text: 'They talked of ferries.' }
    disk.free()
    await expect(app.page.locator('.storage-bar')).toHaveCount(0)
    await expect.poll(summary, { timeout: 30_000 }).toBe('done')
    const kept = await app.call('recent-conversations.list', {})
    expect(kept.map(({ text }) => text)).toEqual(['They talked of ferries.'])
  })
})
