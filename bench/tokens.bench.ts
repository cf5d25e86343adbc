import { expect, it } from 'vitest'
import { modelMigrations } from '../src-main/models/migrations'
import { createTokenCounters } from '../src-main/models/tokens/counters'
import { estimateTokens } from '../src-main/models/tokens/estimate'
import { memoryDatabase } from '../src-main/testing/memory-database'

const NOW = '2026-01-01T00:00:00.000Z'
const WORDS =
  'the guide counted water skins twice 大家都明白了 before const value = items.map((item) => item.id) snow'.split(' ')

/** Repeatable prose, code and Chinese of this many characters. */
function prose(characters: number, seed: number): string {
  let text = ''
  for (let at = seed; text.length < characters; at += 7)
    text += `${WORDS[at % WORDS.length]}${at % 13 === 0 ? '.\n' : ' '}`
  return text.slice(0, characters)
}

async function median(name: string, runs: number, act: (run: number) => unknown): Promise<void> {
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const from = performance.now()
    await act(run)
    times.push(performance.now() - from)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => (times[Math.min(runs - 1, Math.floor(runs * share))] ?? 0).toFixed(3)
  process.stdout.write(`${name.padEnd(72)} p50 ${at(0.5)} ms  p95 ${at(0.95)} ms\n`)
}

it('counting tokens', async () => {
  const database = memoryDatabase(modelMigrations)
  const counters = createTokenCounters({ database, now: () => NOW, primeTimeoutMs: 60_000 })
  const counter = counters.forModel('dry-run/gpt-4o')
  const draft = prose(8000, 1)
  const history = Array.from({ length: 2000 }, (_, at) => `${at} ${prose(200, at)}`)
  const huge = prose(200_000, 3).repeat(80)
  await median('the first text, worker and vocabulary loaded', 1, () => counter.prime(['warm']))
  await median('2,000 messages of 400 KB for the first time, off the main thread', 1, () => counter.prime(history))
  await median('the same from the cache', 50, () => history.reduce((sum, text) => sum + counter.count(text), 0))
  await median('one new message of 200 characters, off the main thread', 200, (run) =>
    counter.prime([`${prose(200, run)} ${run}`]),
  )
  await median('a keystroke in a draft of 8,000 characters, off the main thread', 200, async (run) => {
    await counter.prime([`${draft}${run}`])
    expect(counter.count(`${draft}${run}`)).toBeGreaterThan(1000)
  })
  await median('the same estimated, on the main thread', 200, (run) => estimateTokens(`${draft}${run}`))
  await median('200,000 letters without a blank, off the main thread', 20, (run) =>
    counter.prime([`${'a'.repeat(200_000)}${run}`]),
  )
  await median('200,000 characters of prose, off the main thread', 20, (run) => counter.prime([prose(200_000, run)]))
  await median('16,000,000 characters estimated, on the main thread', 20, (run) => estimateTokens(`${huge}${run}`))
  await counters.close()
})
