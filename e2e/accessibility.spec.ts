import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright/test'
import { expect, test } from './support/launch-app'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Each violation as one line: the rule, and where. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).withTags(RULES).setLegacyMode(true).analyze()
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}`))
}

for (const theme of ['light', 'dark'] as const) {
  test(`an empty start has no accessibility violation, ${theme}`, async ({ app }) => {
    await app.call('settings.update', { patch: { general: { theme } } })
    await app.page.reload()
    await expect(app.page.getByRole('textbox').last()).toBeVisible()
    expect(await violations(app.page)).toEqual([])
  })
}
