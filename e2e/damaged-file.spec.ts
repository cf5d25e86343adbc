import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright/test'
import { flipBytes } from '../src-main/testing/flip-bytes'
import { expect, type StrataApp, test } from './support/launch-app'

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
const fileOf = (app: StrataApp) => join(app.dataDir, 'strata.sqlite')

/** Two chats, a backup, and one chat more. */
async function fill(app: StrataApp): Promise<void> {
  await app.call('settings.update', { patch: { general: { firstRunDone: true } } })
  for (const title of ['Tide tables', 'Ferry times']) {
    const { id } = await app.call('sessions.create', { title })
    for (let index = 0; index < 40; index += 1) {
      await app.call('messages.append', { sessionId: id, text: `${title} ${index}. ${'潮水 tide '.repeat(60)}` })
    }
  }
  await app.call('backups.create', {})
  await app.call('sessions.create', { title: 'After the backup' })
}

async function damage(app: StrataApp, act: () => void): Promise<void> {
  await app.stop()
  act()
  await app.restart()
}

async function restore(page: Page, words = 'Restore backup'): Promise<void> {
  await page.getByRole('button', { name: words }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: words }).click()
}

test('flipped bytes are told on a screen, and a backup brings the chats back', async ({ app }) => {
  await fill(app)
  let before = ''
  await damage(app, () => {
    flipBytes(fileOf(app), 'message')
    before = hashOf(fileOf(app))
  })
  const { page } = app
  await expect(page.getByRole('heading', { name: 'Your chats cannot be opened' })).toBeVisible()
  await expect(page.getByText('Parts of the file with your chats cannot be read.')).toBeVisible()
  await expect(page.getByText('2 chats, 80 messages')).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/flipped.png` })
  expect(hashOf(fileOf(app))).toBe(before)
  expect(await app.reply('sessions.list', {})).toMatchObject({ ok: false, error: { code: 'storage.damaged' } })
  await restore(page)
  await expect(page.getByText('Tide tables').first()).toBeVisible()
  await expect(page.getByText('Ferry times').first()).toBeVisible()
  await expect(page.getByText('After the backup')).toHaveCount(0)
  const aside = readdirSync(app.dataDir).filter((name) => name.startsWith('strata.damaged-'))
  expect(aside.map((name) => hashOf(join(app.dataDir, name)))).toEqual([before])
  await app.restart()
  await expect(app.page.getByText('Tide tables').first()).toBeVisible()
})

test('an empty file beside backups is no first start, in Chinese and in the dark too', async ({ app }) => {
  await fill(app)
  await damage(app, () => truncateSync(fileOf(app), 0))
  const { page } = app
  await expect(page.getByText('The file with your chats is empty.')).toBeVisible()
  // the settings are in the file: the screen follows the system
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.addInitScript(() => Object.defineProperty(navigator, 'languages', { get: () => ['zh-CN'] }))
  await page.reload()
  await expect(page.getByText('保存对话的文件是空的。')).toBeVisible()
  await expect(page.getByRole('button', { name: '抢救对话' })).toHaveCount(0)
  await expect(page.getByText('2 个对话')).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/empty-zh.png` })
  expect(statSync(fileOf(app)).size).toBe(0)
  await restore(page, '恢复备份')
  await expect(page.getByText('Ferry times').first()).toBeVisible()
})

test('what can be read is rescued, and said before it is shown', async ({ app }) => {
  await fill(app)
  await damage(app, () => flipBytes(fileOf(app), 'message'))
  const { page } = app
  await page.getByRole('button', { name: 'Rescue chats' }).click()
  await expect(page.getByRole('heading', { name: 'Your chats were rescued' })).toBeVisible()
  await expect(page.getByText(/3 chats, \d\d messages/)).toBeVisible()
  await page.getByRole('button', { name: 'Open chats' }).click()
  await expect(page.getByText('After the backup').first()).toBeVisible()
})
