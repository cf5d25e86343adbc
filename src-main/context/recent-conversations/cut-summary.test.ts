import { expect, test } from 'vitest'
import { cutToLength } from './cut-summary'

test('a summary within its length stays as it is', () => {
  expect(cutToLength(' They agreed on Oslo. ')).toBe('They agreed on Oslo.')
})

test('a longer one keeps its first whole sentences, in words or in Chinese characters', () => {
  const english = Array.from({ length: 30 }, (_, at) => `Sentence number ${at} has exactly seven words.`).join(' ')
  const cut = cutToLength(english)
  expect(cut.split(/\s+/)).toHaveLength(140)
  expect(cut.endsWith('words.')).toBe(true)
  const chinese = cutToLength('他们决定周五去看海，带上三本书。'.repeat(20))
  expect(chinese.replace(/[，。]/g, '').length).toBeLessThanOrEqual(140)
  expect(chinese.endsWith('。')).toBe(true)
})

test('one endless sentence is cut after a word', () => {
  expect(cutToLength('word '.repeat(300))).toBe(`${'word '.repeat(139)}word…`)
  expect(cutToLength('🙂'.repeat(1_500)).endsWith('🙂')).toBe(true)
})
