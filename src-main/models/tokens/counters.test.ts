import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { WriteDatabase } from '../../storage/database'
import { memoryDatabase, NOW } from '../../testing/model-client-rig'
import { saveConnection } from '../repository'
import { createTokenCounters, looksTruncated, type TokenCounters } from './counters'
import { tokenisationOf } from './encoding'
import { estimateTokens } from './estimate'

let database: WriteDatabase
let counters: TokenCounters
beforeEach(() => {
  database = memoryDatabase()
  saveConnection(database, {
    id: 'c1',
    name: 'Test',
    kind: 'openai',
    headers: {},
    override: {},
    learned: { profile: {} },
    createdAt: NOW,
  })
  counters = createTokenCounters({ database, now: () => NOW, primeTimeoutMs: 15_000 })
})
afterEach(() => counters.close())

describe('exact counts', () => {
  it('are those of the encoding, off the main thread, and cached', async () => {
    const counter = counters.forModel('c1/gpt-4o')
    const text = 'The quick brown fox jumps over the lazy dog. 敏捷的棕色狐狸。 const x = 1;'
    expect(await counter.prime([text, '', text])).toBe(true)
    expect(counter.count(text)).toBe(countTokens(text))
    expect(counter.count('')).toBe(0)
  })

  it('cl100k for older models differs from o200k', async () => {
    const text = '你好，世界。今天天气怎么样？我们去公园散步吧。'
    const [old, young] = [counters.forModel('c1/gpt-4'), counters.forModel('c1/gpt-4o')]
    await Promise.all([old.prime([text]), young.prime([text])])
    expect(young.count(text)).toBe(countTokens(text))
    expect(old.count(text)).toBeGreaterThan(young.count(text))
  })

  it('special tokens are ordinary text', async () => {
    const counter = counters.forModel('c1/gpt-4o')
    const text = 'a <|endoftext|> b <|im_start|>'
    expect(await counter.prime([text])).toBe(true)
    expect(counter.count(text)).toBe(countTokens(text, { disallowedSpecial: new Set() }))
    expect(counter.count(text)).toBeGreaterThan(8)
  })

  it('long runs are cut: a paste of 200,000 letters, digits, marks or blanks comes back', async () => {
    const counter = counters.forModel('c1/gpt-4o')
    const texts = [
      'a'.repeat(200_000),
      '9'.repeat(200_000),
      '='.repeat(200_000),
      ' '.repeat(200_000),
      '字'.repeat(200_000),
      '😀'.repeat(100_000),
    ]
    expect(await counter.prime(texts)).toBe(true)
    for (const text of texts) expect(counter.count(text)).toBeGreaterThan(500)
  })

  it('without a worker the estimate stands', async () => {
    const alone = createTokenCounters({
      database,
      now: () => NOW,
      startWorker: () => {
        throw new Error('none')
      },
    })
    const counter = alone.forModel('c1/gpt-4o')
    expect(await counter.prime(['Hello there'])).toBe(false)
    expect(counter.count('Hello there')).toBe(Math.round(estimateTokens('Hello there')))
  })
})

const SAMPLES = {
  english:
    'When the caravan reached the last well before the mountains, the guide counted the water skins twice and said nothing. Everybody understood. They would walk at night, rest at noon, and speak as little as possible until the snow line came into view.',
  chinese:
    '商队到达山前最后一口井时，向导把水囊数了两遍，什么也没有说。大家都明白了。他们将在夜里赶路，中午休息，在看见雪线之前尽量少说话。',
  japanese:
    '隊商が山の手前の最後の井戸に着いたとき、案内人は水袋を二度数えて、何も言わなかった。みんなわかっていた。夜に歩き、昼に休み、雪の線が見えるまではできるだけ話さない。',
  korean:
    '대상이 산 앞의 마지막 우물에 이르렀을 때 안내인은 물주머니를 두 번 세고 아무 말도 하지 않았다. 모두가 알아들었다. 밤에 걷고 낮에 쉬며 눈이 보일 때까지 되도록 말을 아낄 것이다.',
  code: 'export function clamp(value: number, low: number, high: number): number {\n  if (low > high) throw new RangeError("low is above high: " + low)\n  return Math.min(high, Math.max(low, value))\n}\n',
}

describe('the estimate', () => {
  it.each(Object.entries(SAMPLES))('is near the exact count: %s', (_name, text) => {
    const exact = countTokens(text)
    // short samples vary more than whole documents do
    expect(Math.abs(estimateTokens(text) - exact) / exact).toBeLessThan(0.18)
  })
})

describe('encodings', () => {
  it.each([
    ['gpt-5.5', 'o200k', 1],
    ['gpt-4.1-mini', 'o200k', 1],
    ['o3', 'o200k', 1],
    ['openai/gpt-oss-20b', 'o200k', 1],
    ['gpt-4-turbo', 'cl100k', 1],
    ['gpt-3.5-turbo', 'cl100k', 1],
    ['claude-3-5-sonnet-20241022', 'o200k', 1.1],
    ['claude-opus-4-20250514', 'o200k', 1.1],
    ['claude-sonnet-4-6', 'o200k', 1.1],
    ['claude-opus-4-7', 'o200k', 1.4],
    ['claude-opus-5', 'o200k', 1.4],
    ['deepseek-chat', 'o200k', 0.95],
    ['qwen3:8b', 'o200k', 0.97],
    ['gemini-2.5-pro', 'o200k', 1],
    ['', 'o200k', 1],
  ])('%s', (name, encoding, factor) => {
    expect(tokenisationOf(name)).toEqual({ encoding, factor })
  })
})

describe('calibration', () => {
  const factor = (id: string) =>
    database.prepare("SELECT factor, samples FROM model_calibration WHERE connection_id = 'c1' AND name = ?").get(id)

  it('moves by three tenths towards what was reported, and is kept', () => {
    counters.calibrate('c1/m', 1000, 1200)
    expect(factor('m')).toEqual({ factor: expect.closeTo(1.06, 6), samples: 1 })
    counters.calibrate('c1/m', 1060, 1200)
    expect(factor('m')).toEqual({ factor: expect.closeTo(1.06 + 0.3 * (1.2 - 1.06), 6), samples: 2 })
    expect(counters.forModel('c1/m').quality).toBe('calibrated')
    const later = createTokenCounters({ database, now: () => NOW })
    expect(later.forModel('c1/m').quality).toBe('calibrated')
    expect(later.forModel('c1/m').count('word '.repeat(1000))).toBeGreaterThan(1000)
  })

  it('stays within its clamps', () => {
    for (let at = 0; at < 40; at++) counters.calibrate('c1/m', 1000, 100_000)
    expect(factor('m')).toMatchObject({ factor: 2.5 })
  })

  it('ignores small requests and ones the server cut', () => {
    counters.calibrate('c1/m', 400, 800)
    expect(counters.forModel('c1/m').quality).toBe('estimated')
    counters.calibrate('c1/m', 4000, 4000)
    counters.calibrate('c1/m', 4000, 2000)
    expect(factor('m')).toEqual({ factor: 1, samples: 1 })
  })

  it('looksTruncated only trusts a calibrated estimate', () => {
    expect(looksTruncated(10_000, 4096, 'calibrated')).toBe(true)
    expect(looksTruncated(10_000, 7100, 'calibrated')).toBe(false)
    expect(looksTruncated(10_000, 4096, 'estimated')).toBe(false)
    expect(looksTruncated(300, 10, 'calibrated')).toBe(false)
  })
})
