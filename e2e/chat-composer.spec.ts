import { messageField, transcript } from './support/chat-steps'
import { dropFiles } from './support/drop-files'
import { expect, test } from './support/launch-app'
import { ENCRYPTED, makePdf } from './support/make-pdf'
import { storeChat } from './support/stored-chat'
import { answersEnd, lastRequest, openChat, readyToChat, say } from './support/window-steps'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('drafts stay with their chats over a restart', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  for (const id of ['one', 'two']) {
    await storeChat(app, { id, title: `Chat ${id}`, messages: [{ role: 'user', text: 'Hello' }] })
  }
  await openChat(app.page, 'Chat one')
  await messageField(app.page).fill('half a thought')
  await openChat(app.page, 'Chat two')
  await expect(messageField(app.page)).toHaveValue('')
  await messageField(app.page).fill('另一半')
  await expect.poll(async () => (await app.call('drafts.get', { sessionId: 'two' })).text).toBe('另一半')
  await app.restart()
  await openChat(app.page, 'Chat one')
  await expect(messageField(app.page)).toHaveValue('half a thought')
  await openChat(app.page, 'Chat two')
  await expect(messageField(app.page)).toHaveValue('另一半')
})

test('messages wait while an answer is written: seen, edited, removed, then sent in turn', async ({
  app,
  modelServer,
}) => {
  await readyToChat(app, modelServer)
  modelServer.answer({ text: 'First answer, slowly.', holdAfter: 2 }, { text: 'Second answer.' })
  await say(app.page, 'First')
  await expect(transcript(app.page).getByText('First an')).toBeVisible()
  for (const text of ['Second', 'Dropped', 'To be edited']) await say(app.page, text)
  const queue = app.page.getByRole('list', { name: 'Messages that wait' })
  await expect(queue.getByRole('listitem')).toHaveCount(3)
  await queue.getByRole('listitem').filter({ hasText: 'Dropped' }).getByRole('button', { name: 'Remove' }).click()
  await queue.getByRole('listitem').filter({ hasText: 'To be edited' }).getByRole('button', { name: 'Edit' }).click()
  await expect(messageField(app.page)).toHaveValue('To be edited')
  await expect(queue.getByRole('listitem')).toHaveCount(1)
  modelServer.release()
  await expect(transcript(app.page).getByText('Second answer.')).toBeVisible()
  await answersEnd(app)
  await expect(queue).toBeHidden()
  expect(lastRequest(modelServer)).toContain('Second')
  expect(lastRequest(modelServer)).not.toContain('Dropped')
})

test('Alt+Enter adds without asking, Shift+Enter breaks the line, Alt+Up leafs back', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  const field = messageField(app.page)
  await field.fill('A note')
  await field.press('Shift+Enter')
  await field.pressSequentially('of two lines')
  await field.press('Alt+Enter')
  await expect(field).toHaveValue('')
  await expect(transcript(app.page).getByText('of two lines')).toBeVisible()
  expect(modelServer.requests).toHaveLength(0)
  await field.fill('typing')
  await field.press('Alt+ArrowUp')
  await expect(field).toHaveValue('A note\nof two lines')
  await field.press('Alt+ArrowDown')
  await expect(field).toHaveValue('typing')
})

test('a long paste becomes a file that can be turned back, and its text is counted', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  const field = messageField(app.page)
  const paste = (text: string) =>
    field.evaluate((area, words) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', words)
      area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, text)
  await paste('tide '.repeat(4000))
  const chip = app.page.locator('.comp-att .chip')
  await expect(chip).toContainText('Pasted text.txt')
  await expect(chip).toContainText(/≈ [\d.,k]+ tokens/)
  await app.page.getByRole('button', { name: 'Insert as text' }).click()
  await expect(chip).toHaveCount(0)
  await expect(field).toHaveValue(/^tide tide/)
})

test('snippets are inserted by /, and their variables asked for', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  await app.call('snippets.save', { name: 'Letter', text: 'Dear {{name}}, about {{topic}}: ' })
  const field = messageField(app.page)
  await field.press('/')
  await expect(
    app.page.getByRole('combobox', { name: 'Search snippets' }).or(app.page.getByPlaceholder('Search snippets')),
  ).toBeFocused()
  await expect(app.page.getByRole('option', { name: /Letter/ })).toBeVisible()
  await app.page.keyboard.type('lett')
  await app.page.keyboard.press('Enter')
  const dialog = app.page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'name' }).fill('Wu')
  await dialog.getByRole('textbox', { name: 'topic' }).fill('the lamp')
  await dialog.getByRole('button', { name: 'Insert' }).click()
  await expect(field).toHaveValue('Dear Wu, about the lamp: ')
})

test('an image is refused in words while the model reads none, and sent once it does', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  await dropFiles(app.page, '.comp-box', [{ name: 'chart.png', content: { base64: PIXEL } }])
  const chip = app.page.locator('.comp-att .chip')
  await expect(chip).toContainText('not counted')
  await expect(app.page.locator('.image-note')).toContainText('not known to read images')
  await say(app.page, 'What is this?')
  await expect(app.page.getByText(/"chart.png" did not leave/)).toBeVisible()
  expect(modelServer.requests).toHaveLength(0)
  await expect(messageField(app.page)).toHaveValue('What is this?')

  const { general } = await app.call('settings.get', {})
  await app.call('models.save', { id: general.defaultModelId ?? '', capabilities: { vision: true } })
  await expect(app.page.locator('.image-note')).toHaveCount(0)
  await messageField(app.page).press('Enter')
  await expect.poll(() => modelServer.requests.length).toBe(1)
  expect(lastRequest(modelServer)).toContain(`data:image/png;base64,${PIXEL.slice(0, 40)}`)
  await answersEnd(app)
  const { messages } = await app.call('sessions.get', {
    sessionId: (await app.call('sessions.list', {})).sessions[0]?.id ?? '',
  })
  expect(messages[0]?.attachments).toMatchObject([{ name: 'chart.png', width: 1, height: 1 }])
  await expect(app.page.getByRole('button', { name: 'Enlarge chart.png' })).toBeVisible()
})

test('files that lie, are empty, locked or far too large are refused by name', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  const drop = (name: string, content: string | { base64: string }) =>
    dropFiles(app.page, '.comp-box', [{ name, content }])
  await drop('photo.png', { base64: Buffer.from([0x50, 0x4b, 3, 4, 0, 0]).toString('base64') })
  await expect(app.page.getByText(/"photo.png" is a ZIP archive/)).toBeVisible()
  await drop('empty.txt', '')
  await expect(app.page.getByText(/"empty.txt" is empty/)).toBeVisible()
  await drop('scan.pdf', { base64: makePdf('').toString('base64') })
  await expect(app.page.getByText(/"scan.pdf" holds no text, only pictures/)).toBeVisible()
  await drop('locked.pdf', { base64: makePdf('secret', ENCRYPTED).toString('base64') })
  await expect(app.page.getByText(/"locked.pdf" is encrypted/)).toBeVisible()
  await drop('broken.pdf', '%PDF-1.4 nothing more')
  await expect(app.page.getByText(/"broken.pdf" is damaged/)).toBeVisible()
  await app.page.evaluate(() => {
    const file = new File(['x'], 'film.txt')
    Object.defineProperty(file, 'size', { value: 500_000_000 })
    const event = new Event('drop', { bubbles: true, cancelable: true })
    Object.defineProperty(event, 'dataTransfer', { value: { files: [file], types: ['Files'] } })
    document.querySelector('.comp-box')?.dispatchEvent(event)
  })
  await expect(app.page.getByText(/film.txt is larger than 5(?:\.\d)? MB/)).toBeVisible()
  await expect(app.page.locator('.comp-att .chip')).toHaveCount(0)
})
