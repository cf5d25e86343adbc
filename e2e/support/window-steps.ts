import type { Page } from 'playwright/test'
import { connectModel } from './connect-model'
import { expect, type StrataApp } from './launch-app'
import type { ModelServer } from './model-server'

/**
 * Connects the scripted model, marks it as one that calls tools, and puts the first run behind. The calls go past the
 * window, so it also waits until the window has heard of them.
 */
export async function readyToChat(app: StrataApp, server: ModelServer): Promise<void> {
  const modelId = await connectModel(app, server)
  await app.call('models.save', { id: modelId, capabilities: { tools: true } })
  await app.call('settings.update', { patch: { general: { firstRunDone: true, language: 'en' } } })
  await expect(app.page.getByRole('textbox', { name: 'Message', exact: true })).toBeVisible()
}

/** A place on the rail by its name. A click on the one that is open would close its list. */
export async function goTo(page: Page, place: string): Promise<void> {
  const button = page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name: place, exact: true })
  if ((await button.getAttribute('aria-current')) === null) await button.click()
}

/** Shows a chat through the list. */
export async function openChat(page: Page, title: string): Promise<void> {
  await goTo(page, 'Chats')
  const row = page.getByRole('link', { name: title }).or(page.getByRole('button', { name: title }))
  await row.first().click()
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
}

/** Types a message into the chat on screen and sends it. */
export async function say(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message', exact: true })
  await field.fill(text)
  await field.press('Enter')
}

/** The newest request's messages as one text. */
export const lastRequest = (server: ModelServer): string => JSON.stringify(server.requests.at(-1)?.body ?? {})

/** Waits until no answer is being written. */
export async function answersEnd(app: StrataApp): Promise<void> {
  await expect.poll(async () => (await app.call('turns.running', {})).length).toBe(0)
}
