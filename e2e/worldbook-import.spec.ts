import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright/test'
import { connectModel } from './support/connect-model'
import { dropFiles, fileOnDisk } from './support/drop-files'
import { expect, test } from './support/launch-app'

const RESOURCES = join(import.meta.dirname, '../resources')
const CARD = fileOnDisk(join(RESOURCES, 'cards/harbour-master.png'))
const WORLD = fileOnDisk(join(RESOURCES, 'worldbooks/fogharbour.json'))

declare global {
  interface Window {
    savedFiles?: Blob[]
  }
}

/** Both hosts save through an object address; only one of them tells Playwright of a download. */
async function keepSavedFiles(page: Page): Promise<void> {
  await page.evaluate(() => {
    const saved: Blob[] = []
    window.savedFiles = saved
    const make = URL.createObjectURL.bind(URL)
    URL.createObjectURL = (file) => {
      if (file instanceof Blob) saved.push(file)
      return make(file)
    }
  })
}
const savedTexts = (page: Page) =>
  page.evaluate(() => Promise.all((window.savedFiles ?? []).map((file) => file.text())))

test('a dropped card shows its report first, and becomes a chat that its entries answer in', async ({
  app,
  modelServer,
}) => {
  await connectModel(app, modelServer)
  const { page } = app
  await page.reload()
  await page.getByRole('button', { name: 'Worldbooks', exact: true }).click()
  await dropFiles(page, '.drop-zone', [CARD])
  const report = page.getByRole('dialog', { name: 'Import' })
  await expect(report).toContainText('Character card V3')
  await expect(report).toContainText('6 entries')
  await expect(report).toContainText('1 field kept for export')
  expect(await app.call('worldbook.list', {})).toEqual([])

  await report.getByRole('button', { name: 'Make a chat from this card' }).click()
  await expect(page.getByRole('heading', { name: /Harbour Master Wen/ })).toBeVisible()
  const [book] = await app.call('worldbook.list', {})
  expect(book).toMatchObject({ entries: 6, boundSessions: 1 })
  await expect(page.getByRole('button', { name: 'Worldbook 1' })).toBeVisible()

  modelServer.answer({ text: '“旗升了。”' })
  await page.getByRole('textbox', { name: /message/i }).fill('Is the black flag up tonight?')
  await page.getByRole('tab', { name: 'Worldbook' }).click()
  const trace = page.getByRole('tabpanel', { name: 'Worldbook' })
  await expect(trace.getByText('in the draft').first()).toBeVisible()
  await expect(trace.locator('mark', { hasText: 'black flag' }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('“旗升了。”').first()).toBeVisible()

  const sent = JSON.stringify(modelServer.requests[0]?.body)
  expect(sent).toContain('runs Fogharbour by tide and silence')
  expect(sent).toContain('worldbook_')
  await trace.getByRole('button', { name: /Trace of/ }).click()
  await page.getByRole('menuitemcheckbox', { name: /旗升了/ }).click()
  await expect(trace.getByRole('button', { name: /Trace of: Answer/ })).toBeVisible()
  await expect(trace.locator('.tr', { hasText: 'Black flag' }).locator('mark').first()).toHaveText(/black flag/i)
  await trace.locator('.entry-link', { hasText: 'Black flag' }).click()
  await expect(page.getByLabel('Name of the entry')).toHaveValue(/Black flag/)
})

test('several files at once: what is read, what is skipped and why, a collision, and nothing before the yes', async ({
  app,
}) => {
  const { page } = app
  await page.getByRole('button', { name: 'Worldbooks', exact: true }).click()
  await dropFiles(page, '.drop-zone', [WORLD])
  const report = page.getByRole('dialog', { name: 'Import' })
  await report.getByRole('button', { name: 'Import 1 book' }).click()
  await report.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('heading', { name: '雾港志' })).toBeVisible()

  const half = '{"entries":{"0":null,"1":{"key":["a"],"content":"b"},"2":7},"name":"Half"}'
  await dropFiles(page, '.drop-zone', [
    WORLD,
    { name: 'half.json', content: half },
    { name: 'notes.txt', content: 'not a book' },
  ])
  await expect(report).toContainText('A book of that name is already here: 雾港志.')
  await expect(report.getByText('Entry 1:')).toBeVisible()
  await expect(report.getByText('failed', { exact: true })).toBeVisible()
  expect(await app.call('worldbook.list', {})).toHaveLength(1)
  await report.getByRole('button', { name: 'Update' }).click()
  await report.getByRole('button', { name: 'Import 2 books' }).click()
  await expect(report.getByText('2 books imported')).toBeVisible()
  await report.getByRole('button', { name: 'Done' }).click()
  const books = await app.call('worldbook.list', {})
  expect(books.map(({ name, entries }) => [name, entries])).toEqual([
    ['雾港志', 26],
    ['Half', 1],
  ])
})

test('report and trace have no accessibility violation', async ({ app, modelServer }) => {
  await connectModel(app, modelServer)
  const { page } = app
  await page.reload()
  const violations = async () => {
    const found = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
      .setLegacyMode(true)
      .analyze()
    return found.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}`))
  }
  await page.getByRole('button', { name: 'Worldbooks', exact: true }).click()
  await dropFiles(page, '.drop-zone', [CARD, { name: 'notes.txt', content: 'not a book' }])
  await expect(page.getByText('failed', { exact: true })).toBeVisible()
  expect(await violations()).toEqual([])
  await page.getByRole('button', { name: 'Make a chat from this card' }).click()
  await page.getByRole('textbox', { name: /message/i }).fill('Is the black flag up tonight?')
  await page.getByRole('tab', { name: 'Worldbook' }).click()
  await expect(page.getByText('in the draft').first()).toBeVisible()
  for (const theme of ['light', 'dark'] as const) {
    await app.call('settings.update', { patch: { general: { theme } } })
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    expect(await violations()).toEqual([])
  }
})

test('a book is pasted as JSON, and goes out again in every format', async ({ app }) => {
  const { page } = app
  await page.getByRole('button', { name: 'Worldbooks', exact: true }).click()
  await expect(page.getByText('No worldbooks yet')).toBeVisible()
  await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData(
      'text',
      '{"name":"Pasted","entries":{"0":{"uid":0,"key":["fog"],"content":"Thick.","mood":"wet"}}}',
    )
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  const report = page.getByRole('dialog', { name: 'Import' })
  await report.getByRole('button', { name: 'Import 1 book' }).click()
  await report.getByRole('button', { name: 'Done' }).click()
  await keepSavedFiles(page)
  for (const [index, format] of ['SillyTavern', 'Character Card V3 lorebook', 'Strata'].entries()) {
    await page.locator('.head').getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: `Export as ${format}` }).click()
    await expect.poll(async () => (await savedTexts(page)).at(-1)).toContain('"wet"')
    await expect.poll(async () => (await savedTexts(page)).length).toBe(index + 1)
  }
})
