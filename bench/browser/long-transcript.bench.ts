import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ModelServer, startModelServer } from '../../e2e/support/model-server'
import { type DemoContent, LONG_SESSION_ID, seed } from '../../src-main/seed/seed'
import { type BenchHost, median, startBrowser, startHost, yardstick } from './start-host'

const SWITCHES = 30
const LINES = 3000
const TURNS = Number(process.env.BENCH_TURNS ?? 500)
const PASTE_CHARS = 200_000

let host: BenchHost
let browser: Browser
let model: ModelServer
let page: Page
const dataDir = mkdtempSync(join(tmpdir(), 'strata-bench-'))
const say = (line: string) => process.stdout.write(`${line}\n`)
const ms = (value: number) => `${value.toFixed(0)} ms`

beforeAll(async () => {
  model = await startModelServer()
  host = await startHost(dataDir)
  const content = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../resources/seed/demo.json'), 'utf8'),
  ) as DemoContent
  await seed({ call: host.call, content, now: Date.now(), extraSessions: 600 })
  const { id } = await host.call('connections.save', {
    name: 'Scripted',
    kind: 'openai-compatible',
    baseUrl: `${model.url}/v1`,
    apiKey: 'sk-bench-0000000001',
  })
  const [first] = await host.call('models.refresh', { connectionId: id })
  await host.call('settings.update', {
    patch: {
      general: { firstRunDone: true, language: 'en', defaultModelId: first?.id ?? null, titleFromModel: false },
    },
  })
  browser = await startBrowser()
  page = await host.open(browser)
  await page.locator('.ses').first().waitFor()
  await page.waitForTimeout(2000)
  say(`yardstick (20 million integer steps): ${ms(median([yardstick(), yardstick(), yardstick()]))}`)
})

afterAll(async () => {
  await browser?.close()
  await host?.stop()
  await model?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Opens a chat as a press on its row does and waits until it is painted. Milliseconds. */
const openBy = (id: string) =>
  page.evaluate(async (sessionId) => {
    const row = document.querySelector<HTMLElement>(`[data-session="${CSS.escape(sessionId)}"]`)
    if (!row) return -1
    const began = performance.now()
    row.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0 }))
    row.click()
    const isShown = () => row.hasAttribute('aria-current') && document.querySelector('.log .msg')
    while (!isShown() && performance.now() - began < 10_000) await new Promise(requestAnimationFrame)
    await new Promise<void>((painted) => {
      const channel = new MessageChannel()
      channel.port1.onmessage = () => painted()
      requestAnimationFrame(() => channel.port2.postMessage(0))
    })
    return performance.now() - began
  }, id)

/** Records every main-thread block from now on; the answer gives them in ms, longest first. */
async function watchBlocks(): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const blocks: number[] = []
    Reflect.set(window, 'blocks', blocks)
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) blocks.push(entry.duration)
    }).observe({ type: 'longtask' })
  })
  return () => page.evaluate(() => (Reflect.get(window, 'blocks') as number[]).toSorted((a, b) => b - a))
}

it('switches between 600 chats', async () => {
  const ids = await page.$$eval('.ses[data-session]', (rows) =>
    rows.map((row) => row.getAttribute('data-session') ?? ''),
  )
  const first: number[] = []
  const again: number[] = []
  for (let index = 0; index < SWITCHES; index++) {
    const id = ids[index % ids.length] ?? ''
    if (id === LONG_SESSION_ID) continue
    const took = await openBy(id)
    ;(index < ids.length ? first : again).push(took)
    await page.waitForTimeout(300)
  }
  say(`switch, first visit: median ${ms(median(first))}, worst ${ms(Math.max(...first))} of ${first.length}`)
  say(`switch, seen before: median ${ms(median(again))}, worst ${ms(Math.max(0, ...again))} of ${again.length}`)
})

it('opens and scrolls 20,000 messages', async () => {
  say(`open 20,000 messages: ${ms(await openBy(LONG_SESSION_ID))}`)
  const blocks = await watchBlocks()
  const frames = await page.evaluate(async () => {
    const log = document.querySelector('.log') as HTMLElement
    const gaps: number[] = []
    let at = performance.now()
    for (let step = 0; step < 240; step++) {
      log.scrollBy(0, -160)
      await new Promise(requestAnimationFrame)
      gaps.push(performance.now() - at)
      at = performance.now()
    }
    return gaps.toSorted((a, b) => a - b)
  })
  const long = await blocks()
  say(
    `scroll up 240 steps: frame median ${ms(median(frames))}, p95 ${ms(frames[228] ?? 0)}; blocks over 50 ms: ${long.length}, longest ${ms(long[0] ?? 0)}`,
  )
  const nodes = await page.evaluate(() => document.querySelectorAll('.log *').length)
  say(`elements in the transcript: ${nodes}`)
})

it('streams an answer of 3,000 lines', async () => {
  await host.call('sessions.create', { title: 'Stream' })
  await page.getByRole('button', { name: 'New chat' }).click()
  const code = Array.from({ length: LINES }, (_, n) =>
    n % 40
      ? `const tide${n} = depth(${n}) * 1.7 // 水深`
      : `\`\`\`\n\n**Part ${n}**\n\n| a | b |\n|---|---|\n| ${n} | $x_${n}$ |\n\n\`\`\`ts`,
  )
  model.answer({ text: `\`\`\`ts\n${code.join('\n')}\n\`\`\`\n`, pieceLength: 60 })
  const blocks = await watchBlocks()
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Go')
  await page.keyboard.press('Enter')
  const began = performance.now()
  await page.locator('.log .msg').nth(1).waitFor()
  for (;;) {
    await page.waitForTimeout(500)
    if ((await host.call('turns.running', {})).length === 0) break
  }
  await page.getByText(`Part ${LINES - 40}`).waitFor()
  await page.waitForTimeout(1500)
  const long = await blocks()
  say(
    `stream ${LINES} lines: ${ms(performance.now() - began)}; blocks over 50 ms: ${long.length}, longest ${ms(long[0] ?? 0)}, sum ${ms(long.reduce((a, b) => a + b, 0))}`,
  )
})

it('takes a text of 200,000 characters into the composer', async () => {
  const blocks = await watchBlocks()
  const took = await page.evaluate(async (chars) => {
    const field = document.querySelector('textarea[aria-label="Message"]') as HTMLTextAreaElement
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set
    const began = performance.now()
    set?.call(field, '潮水 tide '.repeat(chars / 8))
    field.dispatchEvent(new Event('input', { bubbles: true }))
    await new Promise(requestAnimationFrame)
    return performance.now() - began
  }, PASTE_CHARS)
  await page.waitForTimeout(2500)
  const long = await blocks()
  say(`${PASTE_CHARS} characters as text: ${ms(took)} to the next frame; longest block ${ms(long[0] ?? 0)}`)
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('')
})

it('keeps its heap over many turns', async () => {
  const session = await host.call('sessions.create', { title: 'Heap' })
  await page.locator(`[data-session="${session.id}"]`).click()
  const heap = async () => {
    await page.evaluate(() => (Reflect.get(globalThis, 'gc') as (() => void) | undefined)?.())
    return page.evaluate(
      () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize / 1e6,
    )
  }
  const marks: string[] = []
  const seen: number[] = []
  for (let turn = 1; turn <= TURNS; turn++) {
    model.answer({ text: `Answer ${turn}.\n\n- one\n- two\n\n\`\`\`ts\nconst n = ${turn}\n\`\`\`\n`, pieceLength: 40 })
    await host.call('turns.send', { sessionId: session.id, text: `Question ${turn}` })
    while ((await host.call('turns.running', {})).length > 0) await new Promise((next) => setTimeout(next, 10))
    if (turn % Math.max(1, Math.round(TURNS / 5)) === 0) {
      await page.waitForTimeout(500)
      seen.push(await heap())
      marks.push(`${turn}: ${seen.at(-1)?.toFixed(1)} MB`)
    }
  }
  say(
    `renderer heap after turns ${marks.join(', ')}; last to first ratio ${((seen.at(-1) ?? 0) / (seen[0] ?? 1)).toFixed(2)}`,
  )
  expect(seen.length).toBeGreaterThan(0)
})
