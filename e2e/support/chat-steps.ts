import type { Locator, Page } from 'playwright/test'

export const messageField = (page: Page): Locator => page.getByRole('textbox', { name: 'Message', exact: true })
export const transcript = (page: Page): Locator => page.getByRole('log', { name: 'Transcript' })

/** A chat's row in the list. */
export const chatRow = (page: Page, title: string): Locator =>
  page.locator('button.ses[data-session]').filter({ has: page.locator('b', { hasText: title }) })

/** Picks an entry of the `…` menu below a message. */
export async function messageMenu(page: Page, message: Locator, entry: string): Promise<void> {
  await message.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

/** Picks an entry of a row's context menu, or of a submenu of it. */
export async function rowMenu(page: Page, row: Locator, ...path: string[]): Promise<void> {
  await row.click({ button: 'right' })
  for (const [index, entry] of path.entries()) {
    const item = page
      .getByRole('menuitem', { name: entry, exact: true })
      .or(page.getByRole('menuitemcheckbox', { name: entry, exact: true }))
    await item.focus()
    await item.press(index === path.length - 1 ? 'Enter' : 'ArrowRight')
  }
}

/** What the page puts on the clipboard from now on, newest last. */
export async function watchClipboard(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const copied: string[] = []
    Reflect.set(window, 'copied', copied)
    const clipboard = { writeText: async (text: string) => void copied.push(text) }
    Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
  })
  return () => page.evaluate(() => Reflect.get(window, 'copied') as string[])
}

/** Keeps what the page saves from now on, oldest first: both hosts save through an object address. */
export async function watchSaves(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const saved: Blob[] = []
    Reflect.set(window, 'saved', saved)
    const make = URL.createObjectURL.bind(URL)
    URL.createObjectURL = (file) => {
      if (file instanceof Blob) saved.push(file)
      return make(file)
    }
  })
  return () => page.evaluate(() => Promise.all((Reflect.get(window, 'saved') as Blob[]).map((file) => file.text())))
}
