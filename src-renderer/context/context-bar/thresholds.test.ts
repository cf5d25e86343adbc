import { expect, it } from 'vitest'
import { levelOf, settleLevel } from './thresholds'

const at = (percent: number, over = 0) => ({ percent, over })

it('names the states at 75, 90 and past the budget', () => {
  expect([74.9, 75, 89.9, 90, 100].map((percent) => levelOf(at(percent)))).toEqual([0, 1, 1, 2, 2])
  expect(levelOf(at(100.1, 1))).toBe(3)
})

it('rises at once and falls only once it is clearly below', () => {
  expect(settleLevel(0, at(75))).toBe(1)
  expect(settleLevel(1, at(74))).toBe(1)
  expect(settleLevel(1, at(71.9))).toBe(0)
  expect(settleLevel(2, at(88))).toBe(2)
  expect(settleLevel(2, at(86))).toBe(1)
  expect(settleLevel(3, at(99))).toBe(3)
  expect(settleLevel(3, at(96))).toBe(2)
})
