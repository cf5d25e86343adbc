import { expect, test } from 'vitest'
import { contentWordCount, tokensOf } from './tokens'

const texts = (text: string) => tokensOf(text).map((token) => token.text)

test('English words are stemmed, irregular forms too, and stop words leave', () => {
  expect(texts('She went running with the children')).toEqual(texts('go run child'))
})

test('Han text gives singles and pairs, but no pair of two stop characters', () => {
  expect(texts('我的伞')).toEqual(['的伞', '伞'])
  expect(tokensOf('海风').map(({ text, weight }) => [text, weight])).toEqual([
    ['海', 0.35],
    ['海风', 1],
    ['风', 0.35],
  ])
})

test.each(['2 May', 'May 2nd', '5月2日', '五月二日', '2026-05-02', '5月2号'])('%s is the same day', (text) => {
  expect(texts(text)).toContain('date:5-2')
})

test('content words: Latin words without stop words, every two Han characters', () => {
  expect(contentWordCount('where does my sister live')).toBe(2)
  expect(contentWordCount('北京天气')).toBe(2)
})

test('what a text is about: by its words, in both languages, each topic once', () => {
  expect(texts('my daughter and her brother')).toEqual([
    'daughter',
    'brother',
    'about:children',
    'about:family',
    'about:siblings',
  ])
  expect(texts('我的女儿')).toContain('about:children')
  expect(texts('two cats, a dog').filter((text) => text === 'about:pet')).toHaveLength(1)
  expect(texts('quantum physics').filter((text) => text.startsWith('about:'))).toEqual([])
})
