// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest'
import { formatAge, formatBytes, formatTokens, formatWhen, langOf } from './format'
import { chooseLanguage, setLanguage } from './i18n'

beforeEach(() => setLanguage('en'))

describe('formatTokens', () => {
  it.each([
    [0, '0'],
    [812, '812'],
    [1204, '1.20k'],
    [9996, '10.0k'],
    [56_000, '56.0k'],
    [111_800, '112k'],
    [999_700, '1.00M'],
    [1_310_000, '1.31M'],
  ])('%i is %s', (count, shown) => expect(formatTokens(count)).toBe(shown))
})

describe('dates in lists', () => {
  const now = new Date(2026, 10, 30, 15, 0)
  const at = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString()
  it('shows the time today and yesterday, then the weekday, then the date', () => {
    expect(formatWhen(at(2026, 10, 30, 12, 3), now)).toBe('12:03')
    expect(formatWhen(at(2026, 10, 29, 22, 31), now)).toBe('22:31')
    expect(formatWhen(at(2026, 10, 26, 9, 0), now)).toBe('Thu')
    expect(formatWhen(at(2026, 10, 2, 9, 0), now)).toBe('2 Nov')
    expect(formatWhen(at(2025, 10, 2, 9, 0), now)).toBe('2 Nov 2025')
  })
  it('says how old a version is', () => {
    expect(formatAge(at(2026, 10, 27, 15, 0), now)).toBe('3 d')
    expect(formatAge(at(2026, 10, 30, 14, 58), now)).toBe('2 min')
    expect(formatAge(at(2026, 10, 30, 16, 0), now)).toBe('now')
  })
})

it('writes sizes in decimal units', () => {
  expect(formatBytes(900)).toBe('900 B')
  expect(formatBytes(14_200)).toBe('14 KB')
  expect(formatBytes(2_340_000)).toBe('2.3 MB')
})

describe('langOf', () => {
  it('names a script that differs from the page', () => {
    expect(langOf('第三幕我想让渡船在退潮时搁浅')).toBe('zh-CN')
    expect(langOf('plain words')).toBeUndefined()
    setLanguage('zh-CN')
    expect(langOf('plain words')).toBe('en')
    expect(langOf('渡船')).toBeUndefined()
  })
})

it('follows the system only where the setting says so', () => {
  expect(chooseLanguage('system', ['zh-TW', 'en'])).toBe('zh-CN')
  expect(chooseLanguage('system', ['de'])).toBe('en')
  expect(chooseLanguage('en', ['zh-CN'])).toBe('en')
})
