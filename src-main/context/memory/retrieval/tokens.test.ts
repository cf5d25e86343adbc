import { expect, test } from 'vitest'
import { asksAboutPast, asksAboutSelf, contentWordCount, isEmptyQuery, tokensOf } from './tokens'

const texts = (text: string) => tokensOf(text).map((token) => token.text)

test('English words are stemmed, irregular forms too, and stop words leave', () => {
  expect(texts('She went running with the children')).toEqual(texts('go run child'))
})

test('Han text gives singles and pairs, but no pair of two stop characters', () => {
  expect(texts('我的猫')).toEqual(['的猫', '猫'])
  expect(tokensOf('喝茶').map(({ text, weight }) => [text, weight])).toEqual([
    ['喝', 0.35],
    ['喝茶', 1],
    ['茶', 0.35],
  ])
})

test.each(['2 May', 'May 2nd', '5月2日', '五月二日', '2026-05-02', '5月2号'])('%s is the same day', (text) => {
  expect(texts(text)).toContain('date:5-2')
})

test.each([
  '',
  '   ',
  '🙂🙂',
  '...!?',
  'hi',
  'Hello!',
  'thanks 🙏',
  '你好',
  '谢谢！',
  'what is it',
  'and then?',
  '的了吗',
])('%j asks for nothing', (text) => {
  expect(isEmptyQuery(text)).toBe(true)
})

test.each(['my dog', '猫', 'Kubernetes', '2026', 'שלום עולם'])('%j asks for something', (text) => {
  expect(isEmptyQuery(text)).toBe(false)
})

test('content words: Latin words without stop words, every two Han characters', () => {
  expect(contentWordCount('where does my sister live')).toBe(2)
  expect(contentWordCount('北京天气')).toBe(2)
})

test('questions about the past and about oneself', () => {
  expect(asksAboutPast('Where did I used to live?')).toBe(true)
  expect(asksAboutPast('我以前住在哪里')).toBe(true)
  expect(asksAboutPast('Where do I live?')).toBe(false)
  expect(asksAboutSelf('What is my address?')).toBe(true)
  expect(asksAboutSelf('Tell me a joke')).toBe(false)
  expect(asksAboutSelf('帮我写一首诗')).toBe(false)
  expect(asksAboutSelf('How do I undo a commit?')).toBe(false)
  expect(asksAboutSelf('How do I get to my office?')).toBe(true)
  expect(asksAboutSelf('我对什么过敏')).toBe(true)
})
