import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright/test'
import { messageMenu, rowMenu } from './support/chat-steps'
import { expect, test } from './support/launch-app'
import { storeChat } from './support/stored-chat'
import { goTo, openChat, readyToChat } from './support/window-steps'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Each violation as one line: the rule, and where. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).withTags(RULES).setLegacyMode(true).analyze()
  const lines = found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}`))
  // the context button is read in words ("about 50 percent used") where it shows figures ("50 %")
  return lines.filter((line) => line !== 'label-content-name-mismatch: .ctx')
}

const ANSWER = [
  '# Tides\n\nHigh water at **22:40**, see [the table](https://example.org).[^1]',
  '| time | depth |\n|---|---|\n| 22:40 | 1.7 m |',
  '```ts\nconst depth = 1.7\n```',
  '- [x] lamp\n- [ ] rope',
  '> quoted',
  '[^1]: Measured.',
].join('\n\n')

for (const theme of ['light', 'dark'] as const) {
  test(`an empty start has no accessibility violation, ${theme}`, async ({ app }) => {
    await app.call('settings.update', { patch: { general: { theme } } })
    await app.page.reload()
    await expect(app.page.getByRole('textbox').last()).toBeVisible()
    expect(await violations(app.page)).toEqual([])
  })

  test(`no page and no dialog has an accessibility violation, ${theme}`, async ({ app, modelServer }) => {
    test.setTimeout(180_000)
    await readyToChat(app, modelServer)
    await storeChat(app, {
      id: 'rich',
      title: 'Rich text',
      messages: [
        { role: 'user', text: 'When?' },
        { role: 'assistant', text: 'At ten.', hidden: true },
        { role: 'assistant', text: ANSWER, below: 0 },
      ],
    })
    const { id: folderId } = await app.call('folders.save', { name: 'Harbour' })
    const tag = await app.call('tags.save', { name: 'tides' })
    await storeChat(app, { id: 'filed', title: 'Filed', messages: [{ role: 'user', text: 'Hello' }] })
    await app.call('sessions.update', { sessionId: 'filed', patch: { folderId, tagIds: [tag.id] } })
    await app.call('worldbook.save', { book: { name: 'Lore' } })
    await app.call('memory.save', { text: 'The lamp is green.' })
    await app.call('system-prompts.save', { name: 'Editor', text: 'Be brief.' })
    await app.call('settings.update', { patch: { general: { theme } } })
    const { page } = app
    const found: Record<string, string[]> = {}
    const look = async (where: string) => {
      const here = await violations(page)
      if (here.length > 0) found[where] = here
    }
    const close = async () => {
      await page.keyboard.press('Escape')
      await expect(page.locator('[role="dialog"][data-state="open"], [role="menu"]')).toHaveCount(0)
    }
    await openChat(page, 'Rich text')
    await expect(page.locator('.msg').last().getByText('Measured.')).toBeVisible()
    await look('chat')
    for (const tab of ['Sent', 'Worldbook', 'Memory', 'Tools', 'Context']) {
      await page.getByRole('tab', { name: tab, exact: true }).click()
      await look(`inspector: ${tab}`)
    }
    await messageMenu(page, page.locator('.msg').last(), 'Compare versions')
    await expect(page.getByRole('dialog')).toBeVisible()
    await look('compare')
    await close()
    await rowMenu(page, page.locator('[data-session="filed"]'), 'Tags', 'New tag')
    await expect(page.getByRole('dialog')).toBeVisible()
    await look('new tag')
    await close()
    for (const [name, chord] of [
      ['palette', 'ControlOrMeta+k'],
      ['shortcuts', 'ControlOrMeta+/'],
      ['session settings', 'ControlOrMeta+Shift+S'],
    ] as const) {
      await page.keyboard.press(chord)
      await expect(page.getByRole('dialog')).toBeVisible()
      await look(name)
      await close()
    }
    for (const place of ['Worldbooks', 'Memory', 'Prompts', 'Tools', 'Settings']) {
      await goTo(page, place)
      await expect(page.locator('.shell h1, .shell h2, .shell [role="heading"]').first()).toBeVisible()
      await look(place)
    }
    const sections = page.locator('.set-nav')
    for (let index = 1; index < (await sections.count()); index++) {
      await sections.nth(index).click()
      await look(`settings: ${await sections.nth(index).textContent()}`)
    }
    expect(found).toEqual({})
  })
}
