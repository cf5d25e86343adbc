import { AxeBuilder } from '@axe-core/playwright'
import { expect, type StrataApp, test } from './support/launch-app'

const entries = [
  { comment: 'Tides', keys: ['tide', '潮汐'], content: 'The water turns twice a day.', order: 90 },
  { comment: 'Kestrel', keys: ['Kestrel'], content: 'The night ferry. She fears the tide.', order: 50 },
  { comment: 'Never', keys: [], content: 'Nobody hears this.' },
]

async function openBook(app: StrataApp, book: { name: string; entries: object[] }): Promise<string> {
  const { id } = await app.call('worldbook.save', { book })
  await app.page.getByRole('button', { name: 'Worldbooks', exact: true }).click()
  await expect(app.page.getByRole('heading', { name: book.name })).toBeVisible()
  return id
}

const stored = async (app: StrataApp, worldbookId: string) => (await app.call('worldbook.get', { worldbookId })).entries

test('an entry is written, stored while typing, tested live and taken back', async ({ app }) => {
  const worldbookId = await openBook(app, { name: 'Fogharbour', entries })
  const { page } = app
  const grid = page.getByRole('grid', { name: 'Entries' })
  await grid.getByText('Kestrel').first().click()
  const form = page.getByRole('complementary', { name: 'Entry', exact: true })
  await form.getByLabel('Keys', { exact: true }).fill('night ferry')
  await form.getByLabel('Keys', { exact: true }).press('Enter')
  await form.getByRole('button', { name: 'Always' }).click()
  await form.getByRole('button', { name: 'By keys' }).click()
  await form.getByLabel('Place').selectOption('at-depth')
  await form.getByLabel('Depth', { exact: true }).fill('2')
  await expect
    .poll(async () => (await stored(app, worldbookId))[1])
    .toMatchObject({
      keys: ['Kestrel', 'night ferry'],
      position: 'at-depth',
      depth: 2,
      constant: false,
    })

  await page.getByLabel('Test text').fill('When does the night ferry leave?')
  const verdicts = page.getByRole('list', { name: 'What fires and why' })
  await expect(verdicts.getByRole('listitem')).toHaveText([/Kestrel.*key night ferry/, /Tides.*recursion from Kestrel/])
  await expect(page.locator('.marked-area mark')).toHaveText('night ferry')
  await expect(page.locator('.lint')).toContainText('Never can never fire: it has no keys and is not constant.')

  await page.getByRole('button', { name: 'Undo: the version before' }).click()
  await expect.poll(async () => (await stored(app, worldbookId))[1]?.depth).not.toBe(2)
  await page.getByRole('button', { name: 'Redo: the version after' }).click()
  await expect.poll(async () => (await stored(app, worldbookId))[1]?.depth).toBe(2)
})

test('rows are searched, moved, switched and deleted with the keyboard alone', async ({ app }) => {
  const worldbookId = await openBook(app, { name: 'Fogharbour', entries })
  const { page } = app
  const names = async () => (await stored(app, worldbookId)).map(({ comment }) => comment)
  await page.getByLabel('Search entries').focus()
  await page.keyboard.press('ArrowDown')
  const grid = page.getByRole('grid', { name: 'Entries' })
  await expect(grid).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(grid.getByRole('row', { selected: true })).toContainText('Tides')
  await page.keyboard.press('Alt+ArrowDown')
  await expect.poll(names).toEqual(['Kestrel', 'Tides', 'Never'])
  await page.keyboard.press('Shift+ArrowDown')
  await expect(grid.getByRole('row', { selected: true })).toHaveCount(2)
  await page.keyboard.press('Space')
  await expect
    .poll(async () => (await stored(app, worldbookId)).map(({ enabled }) => enabled))
    .toEqual([true, false, false])
  await page.keyboard.press('Delete')
  await expect.poll(names).toEqual(['Kestrel'])
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(names).toEqual(['Kestrel', 'Tides', 'Never'])
  await grid.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name of the entry')).toBeFocused()
})

test('a row is dragged by its grip', async ({ app }) => {
  const worldbookId = await openBook(app, { name: 'Fogharbour', entries })
  const { page } = app
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await row('Never').hover()
  await row('Never').locator('.grip').dragTo(row('Tides'))
  await expect
    .poll(async () => (await stored(app, worldbookId)).map(({ comment }) => comment))
    .toEqual(['Never', 'Tides', 'Kestrel'])
})

test('five thousand entries: only what is seen is drawn, the end is reached, search and bulk reach all', async ({
  app,
}) => {
  const many = Array.from({ length: 5000 }, (_each, index) => ({
    comment: `Entry ${index}`,
    keys: [`key${index}`],
    content: `Text ${index % 2 ? 'odd' : 'even'}`,
  }))
  const worldbookId = await openBook(app, { name: 'Large', entries: many })
  const { page } = app
  const grid = page.getByRole('grid', { name: 'Entries' })
  expect(await grid.getAttribute('aria-rowcount')).toBe('5001')
  await grid.focus()
  await page.keyboard.press('End')
  await expect(grid.getByText('Entry 4999', { exact: true })).toBeVisible()
  expect(await grid.getByRole('row').count()).toBeLessThan(120)
  await page.getByLabel('Search entries').fill('odd')
  await expect(page.getByText('2,500 of 5,000')).toBeVisible()
  await page.getByRole('button', { name: 'Selection' }).click()
  await page.getByRole('menuitem', { name: 'Disable all 2500 shown' }).click()
  // the list is small: asking for five thousand entries again and again would be what takes the time
  const enabled = async () =>
    (await app.call('worldbook.list', {})).find(({ id }) => id === worldbookId)?.enabledEntries
  await expect.poll(enabled, { timeout: 30_000 }).toBe(2500)
})

test('the editor has no accessibility violation', async ({ app }) => {
  await openBook(app, { name: 'Fogharbour', entries })
  const { page } = app
  await page.getByRole('grid', { name: 'Entries' }).getByText('Tides').first().click()
  await page.getByRole('button', { name: /Advanced/ }).click()
  await page.getByLabel('Test text').fill('the tide')
  await expect(page.locator('.verdicts li').first()).toBeVisible()
  for (const theme of ['light', 'dark'] as const) {
    await app.call('settings.update', { patch: { general: { theme } } })
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
      .setLegacyMode(true)
      .analyze()
    expect(violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}`))).toEqual([])
  }
})
