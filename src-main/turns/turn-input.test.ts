import { expect, test } from 'vitest'
import type { Model } from '../models/contract'
import { settingsSchema } from '../settings/contract'
import { reservedOutput } from './turn-input'

const can = { tools: true, vision: false, pdf: false, reasoning: false, promptCache: false }
const model: Model = {
  id: 'c/m',
  connectionId: 'c',
  name: 'm',
  contextWindow: 32_000,
  capabilities: can,
  windowSource: 'user',
  available: true,
}
const settings = settingsSchema.parse({})

test('the answer’s share is never more than the model gives or the window holds', () => {
  expect(reservedOutput(settings, model, {})).toBe(4096)
  expect(reservedOutput(settings, { ...model, maxOutputTokens: 64_000 }, {})).toBe(8000)
  expect(reservedOutput(settings, model, { reservedOutput: 500_000 })).toBe(32_000)
  expect(reservedOutput(settings, { ...model, maxOutputTokens: 9000 }, { reservedOutput: 500_000 })).toBe(9000)
  expect(reservedOutput(settings, undefined, { reservedOutput: 500_000 })).toBe(500_000)
})
