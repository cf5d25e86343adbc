// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { setLanguage } from '../../i18n/i18n'
import { aPreview } from '../../testing/previews'
import { spokenTokens, spokenUsage } from './usage-words'

afterEach(() => setLanguage('en'))

it('says large numbers as each language says them', () => {
  expect([812, 5404, 56_000, 1_310_000].map(spokenTokens)).toEqual([
    '812',
    '5.4 thousand',
    '56 thousand',
    '1.3 million',
  ])
  setLanguage('zh-CN')
  expect([812, 5404, 111_616].map(spokenTokens)).toEqual(['812', '5400', '11.2万'])
})

it('never says that nothing is used where something is', () => {
  const { usage } = aPreview()
  const small = { ...usage, used: 400, budget: 112_000, percent: 0.36, over: 0 }
  expect(spokenUsage(small)).toBe('Context: less than 1 percent used, 400 of 112 thousand tokens')
})
