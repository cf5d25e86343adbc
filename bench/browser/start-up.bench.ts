import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type DemoContent, seed } from '../../src-main/seed/seed'
import { median, startBrowser, startHost, yardstick } from './start-host'

const RUNS = 5

it('starts the web host cold and paints the first list', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'strata-bench-'))
  const browser = await startBrowser()
  try {
    const filling = await startHost(dataDir)
    const content = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../resources/seed/demo.json'), 'utf8'),
    ) as DemoContent
    await seed({ call: filling.call, content, now: Date.now(), extraSessions: 600 })
    await filling.call('settings.update', { patch: { general: { firstRunDone: true } } })
    await filling.stop()
    const ready: number[] = []
    const painted: number[] = []
    const listed: number[] = []
    for (let run = 0; run < RUNS; run++) {
      const host = await startHost(dataDir)
      ready.push(host.readyMs)
      const began = performance.now()
      const page = await host.open(browser)
      await page.locator('.ses').first().waitFor()
      listed.push(performance.now() - began)
      painted.push(
        await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN),
      )
      await page.context().close()
      await host.stop()
    }
    const stick = median([yardstick(), yardstick(), yardstick()])
    const line = (name: string, values: readonly number[]) =>
      process.stdout.write(
        `${name}: median ${median(values).toFixed(0)} ms, ${(median(values) / stick).toFixed(1)} yardsticks of ${stick.toFixed(0)} ms\n`,
      )
    line('process start to ready line (614 chats)', ready)
    line('first contentful paint', painted)
    line('address entered to the list on screen', listed)
    expect(ready).toHaveLength(RUNS)
  } finally {
    await browser.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
