import { chatRow, rowMenu, transcript } from './support/chat-steps'
import { expect, test } from './support/launch-app'
import { storeChat } from './support/stored-chat'
import { goTo, openChat, readyToChat } from './support/window-steps'

const hello = [{ role: 'user' as const, text: 'Hello' }]

test('one box finds titles, prompts and every version, and opens the branch', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  await storeChat(app, {
    id: 'tides',
    title: 'Tides',
    messages: [
      { role: 'user', text: 'When is high water?' },
      { role: 'assistant', text: '满潮在二十二点四十分。', hidden: true },
      { role: 'assistant', text: 'At 22:40.', below: 0 },
    ],
  })
  await app.call('system-prompts.save', { name: 'Harbour editor', text: 'Mind the lighthouse.' })
  const search = app.page.locator('.side-top input')
  await search.fill('潮')
  const hit = app.page.locator('.hit-row')
  await expect(hit.locator('mark')).toHaveText('潮')
  await hit.click()
  await expect(transcript(app.page).getByText('满潮在二十二点四十分。')).toBeVisible()
  await search.fill('lighthouse')
  await hit.click()
  await expect(app.page.getByText('Mind the lighthouse.').first()).toBeVisible()
  await goTo(app.page, 'Chats')
  await search.fill('no such words')
  await expect(app.page.getByText('No chat says this.')).toBeVisible()
})

test('folders nest by dragging, tags have colours, pins and the archive hold', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  for (const id of ['one', 'two', 'three']) await storeChat(app, { id, title: `Chat ${id}`, messages: hello })
  const outer = await app.call('folders.save', { name: 'Outer' })
  const inner = await app.call('folders.save', { name: 'Inner' })
  const folder = (name: string) => app.page.locator('button.grp').filter({ hasText: name })
  await folder('Inner').dragTo(folder('Outer'))
  await expect
    .poll(async () => (await app.call('folders.list', {})).find((each) => each.id === inner.id)?.parentId)
    .toBe(outer.id)
  await chatRow(app.page, 'Chat one').dragTo(folder('Inner'))
  await expect.poll(async () => (await app.call('sessions.get', { sessionId: 'one' })).session.folderId).toBe(inner.id)
  await expect(folder('Outer')).toContainText('1')

  await rowMenu(app.page, chatRow(app.page, 'Chat two'), 'Tags', 'New tag')
  await app.page.getByRole('dialog').getByRole('textbox').fill('#harbour')
  await app.page.keyboard.press('Enter')
  await expect(chatRow(app.page, 'Chat two').locator('.tag-dot')).toBeVisible()
  const tag = app.page.getByRole('group', { name: 'Filter by tag' }).getByRole('button', { name: 'harbour' })
  await rowMenu(app.page, tag, 'Colour', 'Plum')
  await expect.poll(async () => (await app.call('tags.list', {}))[0]?.colour).toBe('#9a4f86')
  await tag.click()
  await expect(app.page.locator('button.ses[data-session]')).toHaveCount(1)
  await tag.click()

  await rowMenu(app.page, chatRow(app.page, 'Chat three'), 'Pin')
  await expect(app.page.locator('.side-list').getByText('Pinned')).toBeVisible()
  await rowMenu(app.page, chatRow(app.page, 'Chat three'), 'Archive')
  await expect(chatRow(app.page, 'Chat three')).toHaveCount(0)
  expect((await app.call('sessions.list', { view: 'archived' })).sessions.map((session) => session.id)).toEqual([
    'three',
  ])
})

test('several chats go to the bin at once and come back; the bin says how long they stay', async ({
  app,
  modelServer,
}) => {
  await readyToChat(app, modelServer)
  for (const id of ['one', 'two', 'three']) await storeChat(app, { id, title: `Chat ${id}`, messages: hello })
  await chatRow(app.page, 'Chat one').click({ modifiers: ['ControlOrMeta'] })
  await chatRow(app.page, 'Chat two').click({ modifiers: ['ControlOrMeta'] })
  const bar = app.page.getByRole('toolbar', { name: '2 selected' })
  await bar.getByRole('button', { name: 'Actions' }).click()
  await app.page.getByRole('menuitem', { name: 'Move to bin' }).click()
  await expect(chatRow(app.page, 'Chat one')).toHaveCount(0)
  await app.page.getByRole('button', { name: 'Chat list' }).click()
  await app.page.getByRole('menuitemcheckbox', { name: 'Bin' }).click()
  await expect(chatRow(app.page, 'Chat one')).toContainText('30 days left')
  await rowMenu(app.page, chatRow(app.page, 'Chat one'), 'Restore')
  await expect(chatRow(app.page, 'Chat one')).toHaveCount(0)
  await rowMenu(app.page, chatRow(app.page, 'Chat two'), 'Delete for good')
  await app.page.getByRole('alertdialog').getByRole('button', { name: 'Delete for good' }).click()
  await expect.poll(async () => (await app.call('sessions.list', { view: 'bin' })).sessions).toEqual([])
  const left = (await app.call('sessions.list', {})).sessions.map((session) => session.id)
  expect(left.sort()).toEqual(['one', 'three'])
})

test('the list is one Tab stop with arrows inside', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  for (const id of ['one', 'two', 'three']) await storeChat(app, { id, title: `Chat ${id}`, messages: hello })
  await openChat(app.page, 'Chat two')
  expect(await app.page.locator('.side-list [data-row][tabindex="0"]').count()).toBe(1)
  await chatRow(app.page, 'Chat two').focus()
  await app.page.keyboard.press('Home')
  const focused = () => app.page.evaluate(() => document.activeElement?.getAttribute('data-row'))
  const first = await focused()
  await app.page.keyboard.press('ArrowDown')
  expect(await focused()).not.toBe(first)
  await app.page.keyboard.press('Tab')
  expect(await focused()).toBeNull()
})

test('the palette reaches commands, chats, prompts, worldbooks, memories, snippets and settings', async ({
  app,
  modelServer,
}) => {
  await readyToChat(app, modelServer)
  await storeChat(app, { id: 'tides', title: 'Quayside tides', messages: hello })
  await app.call('system-prompts.save', { name: 'Quayside editor', text: 'Be brief.' })
  await app.call('worldbook.save', { book: { name: 'Quayside lore' } })
  await app.call('memory.save', { text: 'The Quayside lamp is green.' })
  await app.call('snippets.save', { name: 'Quayside greeting', text: 'Hello from the quay' })
  const open = async (words: string) => {
    await app.page.keyboard.press('ControlOrMeta+k')
    await app.page.keyboard.type(words)
    return app.page.getByRole('dialog')
  }
  const palette = await open('quayside')
  for (const title of ['Quayside tides', 'Quayside editor', 'Quayside lore', 'Quayside greeting'])
    await expect(palette.getByRole('option').filter({ hasText: title }).first()).toBeVisible()
  await expect(palette.getByRole('option').filter({ hasText: 'lamp is green' })).toBeVisible()
  await app.page.keyboard.press('Escape')

  // fuzzy, with its keys beside it
  const command = (await open('nwchat')).getByRole('option').filter({ hasText: /^New chat/ })
  await expect(command.locator('kbd')).toBeVisible()
  await app.page.keyboard.press('Escape')

  await (await open('days in the bin')).getByRole('option').filter({ hasText: /bin/i }).last().click()
  await expect(app.page.locator('[data-setting="general.binDays"]')).toBeVisible()
  await expect(app.page.locator('[data-setting="general.binDays"] :focus')).toBeVisible()
})

test('a shortcut is changed with a warning where it is taken, and the cheat sheet follows', async ({
  app,
  modelServer,
}) => {
  await readyToChat(app, modelServer)
  await app.page.keyboard.press('ControlOrMeta+k')
  await app.page.keyboard.type('keyboard shortcuts')
  await app.page.keyboard.press('Enter')
  const sheet = app.page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(sheet.getByText('New chat', { exact: true })).toBeVisible()
  await sheet.getByRole('button', { name: 'Change in settings' }).click()
  const row = app.page.locator('.set-row').filter({ hasText: 'Fork this chat' })
  await row.getByRole('button').first().click()
  await app.page.keyboard.press('Control+Shift+F')
  await expect(row.getByText(/Search chats/)).toBeVisible()
})
