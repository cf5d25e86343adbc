import { setTimeout as pause } from 'node:timers/promises'

const FIELD = { name: 'Message', exact: true }

/** Two windows of one app: real pages in Chromium that stay open while the app ends and starts again. */
export async function openWindows({ chromium, life, title }) {
  const { chromium: browserType } = await import('playwright')
  const browser = await browserType.launch({
    executablePath: chromium,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
  })
  const pages = []
  for (const name of ['left', 'right']) {
    const context = await browser.newContext({ locale: 'en-US' })
    const page = await context.newPage()
    await page.goto(life.page)
    await page.locator('button.ses[data-session]').filter({ hasText: title }).first().click()
    await page.getByRole('textbox', FIELD).waitFor()
    pages.push({ name, page })
  }
  return { browser, pages }
}

/** One person, now at this window and now at that one: types a message, sends it with Enter, and types on at once. */
export async function typeAtRandom({ pages, sessionId, truth, random, end, counts, numbers }) {
  let window = random.pick(pages)
  while (Date.now() < end.at) {
    if (random.chance(0.2)) {
      // looking over to the other window takes a moment
      await pause(700)
      window = random.pick(pages)
    }
    const token = `soak-${window.name}-${numbers.next++}`
    truth.messages.set(token, { sessionId, state: 'typed', at: Date.now() })
    const field = window.page.getByRole('textbox', FIELD)
    try {
      await field.pressSequentially(`Say ${token}. `, { delay: random.between(0, 8), timeout: 4000 })
      await field.press('Enter', { timeout: 4000 })
      counts.typed += 1
    } catch {
      // begun and not typed to its end: nobody knows how much of it there is
      truth.messages.delete(token)
      return
    }
    await pause(random.between(50, 900))
  }
}

/** A word begun in one window and sent from the other before the rest of it was known there: all letters are there. */
function isCut(token, texts) {
  return Array.from({ length: token.length - 1 }, (_, at) => at + 1).some(
    (at) =>
      texts.some((text) => new RegExp(`${token.slice(0, at)}(?!${token[at]})`).test(text)) &&
      texts.some((text) => new RegExp(`(^|\\s)${token.slice(at)}\\.`).test(text)),
  )
}

/**
 * Where every typed message is once nothing runs: once in the chat, or still in the queue or the draft; never twice, never
 * nowhere.
 */
export function checkTyped({ truth, texts, stored, waiting, faults, counts }) {
  for (const [token, entry] of truth.messages) {
    if (entry.state !== 'typed') continue
    const times = stored.get(token) ?? 0
    const kept = waiting.includes(token)
    if (times > 1) faults.push(`typed message ${token} is stored ${times} times`)
    if (times === 1 && kept) faults.push(`typed message ${token} is sent and still waits`)
    if (times >= 1) entry.state = 'stored'
    if (times > 0 || kept) continue
    entry.state = 'lost'
    if (isCut(token, texts)) counts.cut += 1
    else faults.push(`typed message ${token} is nowhere`)
  }
}
