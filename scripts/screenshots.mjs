// npm run screenshots: pictures of every screen, light and dark, into docs/screenshots. Uses the demo seed and the dry run.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { findChromium } from './bootstrap/find-chromium.mjs'
import { projectNode, ROOT } from './bootstrap/project-node.mjs'
import { runProgram, say } from './bootstrap/run-program.mjs'
import { startHost } from './bootstrap/running-host.mjs'

const OUT = join(ROOT, 'docs/screenshots')
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-dev-shm-usage']
const SETTLE_MS = 900

const rail = (name) => async (page) => {
  const button = page.locator('nav').first().getByRole('button').nth(name)
  if ((await button.getAttribute('aria-current')) === null) await button.click()
}
const tab = (index) => async (page) => {
  await rail(0)(page)
  await page.getByRole('tab').nth(index).click()
}

/** In order: each is reached from the one before. */
const SCREENS = [
  ['chat-context', tab(0)],
  ['chat-sent', tab(1)],
  ['chat-worldbook', tab(2)],
  ['chat-memory', tab(3)],
  ['chat-tools', tab(4)],
  [
    'usage-popover',
    async (page) => {
      await tab(0)(page)
      await page
        .locator(
          'button[aria-haspopup=dialog][aria-label^="Context"],button[aria-haspopup=dialog][aria-label^="上下文"]',
        )
        .first()
        .click()
    },
  ],
  [
    'session-settings',
    async (page) => {
      await page.keyboard.press('Escape')
      await page
        .locator('header')
        .getByRole('button', { name: /Session settings|会话设置|对话设置/ })
        .first()
        .click()
    },
  ],
  [
    'palette',
    async (page) => {
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+k')
    },
  ],
  [
    'worldbooks',
    async (page) => {
      await page.keyboard.press('Escape')
      await rail(1)(page)
    },
  ],
  ['memory', rail(2)],
  ['prompts', rail(3)],
  ['tools', rail(4)],
  ['settings', rail(5)],
]

async function fillChat(host) {
  await host.call('settings.update', { patch: { general: { defaultModelId: 'dry-run/dry-run', firstRunDone: true } } })
  const [book] = await host.call('worldbook.list', {})
  const { sessions } = await host.call('sessions.list', { limit: 5 })
  const shown = sessions.find((session) => session.topicPrompt !== '') ?? sessions[0]
  await host.call('sessions.update', { sessionId: shown.id, patch: { worldbookIds: book ? [book.id] : [] } })
  const { turnId } = await host.call('turns.send', {
    sessionId: shown.id,
    text: 'When does the Kestrel ground at spring tide? 大潮日呢？',
  })
  while ((await host.call('turns.running', {})).some((turn) => turn.turnId === turnId))
    await new Promise((done) => setTimeout(done, 100))
  await host.call('drafts.save', { sessionId: shown.id, text: '如果改成大潮日，他们还来得及抛锚吗？' })
  return shown.title
}

async function shoot(page, name) {
  await page.waitForTimeout(SETTLE_MS)
  await page.screenshot({ path: join(OUT, `${name}.png`) })
}

async function series(browser, host, title, { suffix, theme, language, width }) {
  await host.call('settings.update', { patch: { general: { theme, language } } })
  const page = await browser.newPage({ viewport: { width, height: 800 }, locale: language })
  await page.goto(host.page)
  await page.getByText(title).first().click({ timeout: 15_000 })
  for (const [name, reach] of SCREENS) {
    try {
      await reach(page)
      await shoot(page, `${name}-${suffix}`)
    } catch (error) {
      say(`left out ${name}-${suffix}: ${error.message.split('\n')[0]}`)
      process.exitCode = 1
    }
  }
  await page.close()
}

async function main() {
  mkdirSync(OUT, { recursive: true })
  const data = mkdtempSync(join(tmpdir(), 'strata-screenshots-'))
  const executablePath = await findChromium()
  const browser = await chromium.launch({ executablePath, args: FLAGS })
  try {
    const empty = await startHost(join(data, 'empty'))
    for (const theme of ['light', 'dark']) {
      await empty.call('settings.update', { patch: { general: { theme, language: 'en' } } })
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
      await page.goto(empty.page)
      await shoot(page, `first-run-${theme}`)
      await page.close()
    }
    await empty.stop()
    const full = join(data, 'full')
    await runProgram(projectNode(), [join(ROOT, 'scripts/seed.mjs'), '--data', full, '--messages', '400'])
    const host = await startHost(full)
    const title = await fillChat(host)
    await series(browser, host, title, { suffix: 'light', theme: 'light', language: 'en', width: 1280 })
    await series(browser, host, title, { suffix: 'dark', theme: 'dark', language: 'en', width: 1280 })
    await series(browser, host, title, { suffix: 'zh-light', theme: 'light', language: 'zh-CN', width: 1280 })
    await host.stop()
  } finally {
    await browser.close()
    rmSync(data, { recursive: true, force: true, maxRetries: 5 })
  }
}

await main()
