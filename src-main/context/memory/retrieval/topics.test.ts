import { expect, test } from 'vitest'
import english from '../../../../resources/locales/en/memory.json'
import chinese from '../../../../resources/locales/zh-CN/memory.json'
import { TOPIC_NAMES, topicsOf } from './topics'

test('every topic has a name in both languages', () => {
  expect(Object.keys(english.topic).toSorted()).toEqual(TOPIC_NAMES.toSorted())
  expect(Object.keys(chinese.topic).toSorted()).toEqual(TOPIC_NAMES.toSorted())
})

test('a word may have several topics, and most have none', () => {
  expect([...topicsOf(['aquarium', '近视', 'photosynthesi'])]).toEqual(['about:pet', 'about:sight'])
  expect([...topicsOf(['seafood', 'constructor'])]).toEqual(['about:food'])
})
