import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright/test'
import { messageField } from './support/chat-steps'
import { expect, test } from './support/launch-app'
import { storeChat } from './support/stored-chat'
import { goTo, openChat, readyToChat } from './support/window-steps'

test.skip(({ host }) => host !== 'web', 'the page is the same in both hosts')

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const PLACES = ['Worldbooks', 'Memory', 'Prompts', 'Tools', 'Settings']

/** Violations, and controls that stand outside the window where nothing scrolls. */
async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).setLegacyMode(true).analyze()
  const lines = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}`))
  const outside = await page.evaluate(() => {
    const scrolls = (start: Element) => {
      for (let box = start.parentElement; box; box = box.parentElement) {
        if (/auto|scroll/.test(getComputedStyle(box).overflowX)) return true
      }
      return false
    }
    return [...document.querySelectorAll('button, input, select, textarea, [role="tab"]')]
      .filter((control) => control.checkVisibility({ visibilityProperty: true }) && !scrolls(control))
      .filter((control) => {
        const { left, right, width } = control.getBoundingClientRect()
        return width > 2 && (left < -1 || right > window.innerWidth + 1)
      })
      .map((control) => `outside: ${control.getAttribute('aria-label') ?? control.textContent}`)
  })
  return [...lines.filter((line) => line !== 'label-content-name-mismatch: .ctx'), ...outside]
}

const LONG = 'The keeper wrote that the lamp burned steadily through the night watch. '.repeat(40)

test('everything fits 320 px, also the choice over the budget', async ({ app, modelServer }) => {
  modelServer.models = [{ id: 'test-model', contextWindow: 4096 }]
  await readyToChat(app, modelServer)
  const messages = Array.from({ length: 8 }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', text: LONG }) as const)
  await storeChat(app, { id: 'long', title: 'Long watch', messages: [...messages] })
  const { page } = app
  await openChat(page, 'Long watch')
  await page.setViewportSize({ width: 320, height: 640 })
  await expect(page.locator('.ctx.over')).toBeVisible()
  await messageField(page).fill('Go on.')
  await messageField(page).press('Enter')
  await expect(page.getByRole('group', { name: /way/i }).or(page.locator('.over-list'))).toBeVisible()
  await expect(page.locator('.over-list[aria-busy="false"]')).toBeVisible()
  const found: Record<string, string[]> = {}
  const look = async (where: string) => {
    const here = await faults(page)
    if (here.length > 0) found[where] = here
  }
  await look('over budget')
  await page.keyboard.press('Escape')
  await page.locator('.ctx').click()
  await expect(page.getByRole('dialog', { name: 'Context usage' })).toBeVisible()
  await look('usage')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+Shift+A')
  await expect(page.getByRole('tab', { name: 'Sent' })).toBeVisible()
  await look('sent')
  await page.keyboard.press('ControlOrMeta+]')
  for (const place of PLACES) {
    await goTo(page, place)
    await expect(page.locator('.main h1, .main .title-in, .main [role="heading"], .main .empty').first()).toBeVisible()
    await look(place)
  }
  expect(found).toEqual({})
})

test('forced colours show what is chosen and where a layer ends', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  await storeChat(app, { id: 'one', title: 'One', messages: [{ role: 'user', text: 'Hello' }] })
  await storeChat(app, { id: 'two', title: 'Two', messages: [{ role: 'user', text: 'Hello' }] })
  const { page } = app
  await page.emulateMedia({ forcedColors: 'active' })
  await openChat(page, 'One')
  const groundOf = (selector: string) =>
    page.locator(selector).evaluate((element) => getComputedStyle(element).backgroundColor)
  expect(await groundOf('[data-session="one"]')).not.toBe(await groundOf('[data-session="two"]'))
  expect(await groundOf('.rail-b[aria-current]')).not.toBe(await groundOf('.rail-b:not([aria-current]) >> nth=0'))
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.locator('.palette')).toHaveCSS('border-top-width', '1px')
  expect(await groundOf('[cmdk-item][data-selected="true"]')).not.toBe(
    await groundOf('[cmdk-item][data-selected="false"] >> nth=0'),
  )
})

test('every layer gives the focus back to the message field, and a closed pane its own', async ({
  app,
  modelServer,
}) => {
  await readyToChat(app, modelServer)
  await storeChat(app, { id: 'one', title: 'One', messages: [{ role: 'user', text: 'Hello' }] })
  const { page } = app
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openChat(page, 'One')
  // by mark, not by role: a dialog hides what is behind it
  const field = page.locator('[data-focus-home]')
  await field.focus()
  for (const chord of ['k', '/', 'Shift+S', 'Shift+M', 'Shift+P', 'f']) {
    await page.keyboard.press(`ControlOrMeta+${chord}`)
    await expect(field, chord).not.toBeFocused()
    // a layer that has only just been drawn may not listen yet
    await expect(async () => {
      await page.keyboard.press('Escape')
      await expect(field, chord).toBeFocused({ timeout: 500 })
    }).toPass()
  }
  const usage = page.getByRole('button', { name: /^Context: / })
  await usage.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Context usage' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(usage).toBeFocused()
  await page.getByRole('button', { name: 'Close inspector' }).press('Enter')
  await expect(field).toBeFocused()
})
