import { expect, test } from 'vitest'
import { inFirstPerson } from './built-in-reader'
import { loadGlossBridge, numeralValue } from './gloss-bridge'
import { scriptOf } from './script'

const bridge = loadGlossBridge()

test.each([
  ['用户对花生过敏', /^I to peanut allergic/],
  ['我养了一只猫', /keep a pet cat$/],
  ['我喜歡喝茶', /like drink tea/],
  ['我用 React 写代码', /use React write code/],
])('%s reads as English words', (text, words) => {
  expect(bridge.gloss(text)).toMatch(words)
})

test('a common noun is chosen before a surname, and an explanation is cut to its head', () => {
  expect(bridge.gloss('王国')).toContain('kingdom')
  expect(bridge.gloss('花生').split(' ').length).toBeLessThan(9)
})

test('segmentation takes fewest words and keeps the tail of a weekday', () => {
  expect(bridge.segment('每周二去游泳')).toEqual(['每', '周二', '去', '游泳'])
})

test.each([
  ['十一', 11],
  ['六百', 600],
  ['两千零二十六', 2026],
  ['二〇二六', 2026],
  ['三万五千', 35_000],
])('%s is %i', (text, value) => {
  expect(numeralValue(text)).toBe(value)
})

test('unknown characters and emoji leave no words', () => {
  expect(bridge.gloss('🙂')).toBe('')
  expect(bridge.gloss('的了吗')).toBe('')
})

test.each([
  ['I like tea', 'latin'],
  ['我喜欢 tea', 'han'],
  ['猫が好きです', 'other'],
  ['Привет', 'other'],
  ['🙂 123', 'none'],
])('%s is %s', (text, script) => {
  expect(scriptOf(text)).toBe(script)
})

test('a note about "the user" is read as the user would say it; a user interface stays one', () => {
  expect(inFirstPerson("The user's cat likes the user")).toBe('my cat likes I')
  expect(inFirstPerson('The user interface is dark')).toBe('The user interface is dark')
})
