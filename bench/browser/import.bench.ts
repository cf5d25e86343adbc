import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chatGptFile, claudeFile, strataFile, tavernFile, zipOf } from '../../e2e/support/import-files'
import { type BenchHost, median, startBrowser, startHost, yardstick } from './start-host'

/** Messages of every file. */
const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 200_000)
const LENGTH = 160
const one = { chats: 1, messages: MESSAGES, length: LENGTH }
const many = { chats: MESSAGES / 40, messages: 40, length: LENGTH }

const folder = mkdtempSync(join(tmpdir(), 'strata-bench-'))
const loopFile = join(folder, 'loop')
const say = (line: string) => process.stdout.write(`${line}\n`)
const ms = (value: number) => `${value.toFixed(0)} ms`.padStart(9)

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
  say(`yardstick (20 million integer steps): ${ms(median([yardstick(), yardstick(), yardstick()]))}`)
  say(
    'the longest stretch the main process / the page did nothing else, by the clock (and in its own work), and how long the step took',
  )
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The main process's longest stretch since it was asked last: by the clock, and what of it was its own work. */
async function longestStretch(host: BenchHost): Promise<[number, number]> {
  rmSync(loopFile, { force: true })
  host.child.kill('SIGUSR2')
  while (!existsSync(loopFile) || readFileSync(loopFile, 'utf8') === '')
    await new Promise((done) => setTimeout(done, 20))
  const [clock = 0, work = 0] = readFileSync(loopFile, 'utf8').split(' ').map(Number)
  return [clock, work]
}

const watchPage = (page: Page) =>
  page.evaluate(() => {
    Reflect.set(window, 'longest', 0)
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        Reflect.set(window, 'longest', Math.max(Number(Reflect.get(window, 'longest')), entry.duration))
      }
    }).observe({ entryTypes: ['longtask'] })
  })

const longestOfPage = (page: Page) =>
  page.evaluate(() => {
    const longest = Number(Reflect.get(window, 'longest'))
    Reflect.set(window, 'longest', 0)
    return longest
  })

const FILES: [string, string, () => string | Uint8Array][] = [
  ['SillyTavern, one chat', 'Ada.jsonl', () => tavernFile(one)],
  ['ChatGPT, one chat', 'conversations.json', () => chatGptFile(one)],
  ['ChatGPT, chats of 40, ZIP', 'export.zip', () => zipOf({ 'conversations.json': chatGptFile(many) })],
  ['Claude, chats of 40', 'conversations.json', () => claudeFile(many)],
  ['Strata, one chat', 'all.strata.json', () => strataFile(one)],
  ['Strata, formatted', 'all.strata.json', () => JSON.stringify(JSON.parse(strataFile(one)), null, 1)],
]

it.each(FILES)('%s', async (name, fileName, make) => {
  const path = join(folder, fileName)
  const content = make()
  writeFileSync(path, content)
  const dataDir = mkdtempSync(join(tmpdir(), 'strata-bench-'))
  const host = await startHost(dataDir, {
    LOOP_FILE: loopFile,
    NODE_OPTIONS: `--import ${join(import.meta.dirname, 'loop/loop-probe.mjs')}`,
  })
  await host.call('settings.update', { patch: { general: { firstRunDone: true, language: 'en' } } })
  const page = await host.open(browser)
  await page.getByRole('button', { name: 'Chat list' }).click()
  await page.getByRole('menuitem', { name: 'Import chats' }).click()
  await page.getByRole('button', { name: 'Strata', exact: true }).click()
  await watchPage(page)
  await longestStretch(host)
  say(`\n${name}, ${(content.length / 1_000_000).toFixed(0)} million characters or bytes`)
  const step = async (what: string, act: () => Promise<unknown>) => {
    const began = performance.now()
    await act()
    const took = performance.now() - began
    const [clock, work] = await longestStretch(host)
    say(`  ${what.padEnd(18)} ${ms(clock)} (work ${ms(work)}) / page ${ms(await longestOfPage(page))} in ${ms(took)}`)
  }
  const dialog = page.getByRole('dialog')
  await step('sent and tried out', async () => {
    await dialog.locator('input[type="file"]').setInputFiles(path)
    await dialog.getByText(/messages$/).waitFor({ timeout: 600_000 })
  })
  await step('imported', async () => {
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.waitFor({ state: 'hidden', timeout: 600_000 })
  })
  await step('indexed', async () => {
    for (;;) {
      // the number of the last message: what is rare is found without counting
      const { total } = await host.call('sessions.search', { query: String(MESSAGES - 1), limit: 1 })
      if (total > 0) return
      await new Promise((done) => setTimeout(done, 1000))
    }
  })
  const { sessions } = await host.call('sessions.list', { limit: 1 })
  expect(sessions).toHaveLength(1)
  await page.context().close()
  await host.stop()
  rmSync(dataDir, { recursive: true, force: true })
})
