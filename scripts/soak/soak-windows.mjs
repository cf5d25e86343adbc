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
      truth.typed.push(`Say ${token}. `)
    } catch {
      // begun and not typed to its end: nobody knows how much of it there is
      truth.messages.delete(token)
      truth.unfinished = true
      return
    }
    await pause(random.between(50, 900))
  }
}

/** How often each letter stands in some texts; white space between the pieces of a draft may differ. */
function lettersOf(texts) {
  const counts = new Map()
  for (const letter of texts.join('').replace(/\s/g, '')) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  return counts
}

const difference = (a, b) =>
  [...a].flatMap(([letter, times]) => Array(Math.max(0, times - (b.get(letter) ?? 0))).fill(letter)).join('')

/**
 * Where every typed message is once nothing runs: once in the chat, or still in the queue or the draft; never twice, never
 * nowhere. A word begun in one window and sent from the other before the rest of it was known there is cut: then its
 * letters are all there, in pieces.
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
    entry.state = 'cut'
    counts.cut += 1
  }
  checkLetters(truth, texts, faults)
}

/** No letter that was typed is gone, and none stands there twice. What was found wrong once is not told again. */
function checkLetters(truth, texts, faults) {
  const found = lettersOf(texts)
  const typed = lettersOf(truth.typed)
  const [gone, added] = [difference(typed, found), difference(found, typed)]
  if (!gone && !added) return
  // of a message that was not typed to its end any part may be there
  if (!truth.unfinished)
    faults.push(`of what was typed in two windows "${gone}" is gone and "${added}" is there too often`)
  truth.unfinished = false
  truth.typed = texts
}
