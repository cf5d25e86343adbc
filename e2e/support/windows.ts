import type { Page, Route } from 'playwright/test'
import { expect } from './launch-app'

/** A second page on the same web host. */
export async function secondWindow(page: Page): Promise<Page> {
  const token = await page.evaluate(() => sessionStorage.getItem('strata.token'))
  const other = await page.context().newPage()
  await other.goto(`${new URL('/', page.url()).href}#token=${token}`)
  await expect(other.getByRole('textbox', { name: 'Message', exact: true })).toBeVisible()
  return other
}

/** From now on calls of this name are refused in this page, until the returned function is called. */
export async function refuseCalls(page: Page, name: string, message: string): Promise<() => Promise<void>> {
  const refuse = (route: Route) => {
    const asked = route.request().postDataJSON() as { name: string }
    if (asked.name !== name) return route.fallback()
    return route.fulfill({ json: { ok: false, error: { code: 'internal', message } } })
  }
  await page.route('**/api/call', refuse)
  return () => page.unroute('**/api/call', refuse)
}

/** From now on calls of this name reach the host only when the returned function is called. */
export async function delayCalls(page: Page, name: string): Promise<() => void> {
  const gate = Promise.withResolvers<void>()
  await page.route('**/api/call', async (route) => {
    const asked = route.request().postDataJSON() as { name: string }
    if (asked.name === name) await gate.promise
    return route.fallback()
  })
  return () => gate.resolve()
}
