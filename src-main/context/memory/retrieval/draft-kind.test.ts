import { expect, test } from 'vitest'
import { asksAboutPast, asksAboutSelf, isEmptyQuery } from './draft-kind'

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
  'heyyy!!',
  'Hello everyone :)',
  'hey there, how are you doing?',
  'haha',
  'ok great, thanks',
  '您好呀',
  '早上好啊',
  '大家好',
  '好的，谢谢',
  '嗨，你好',
])('%j asks for nothing', (text) => {
  expect(isEmptyQuery(text)).toBe(true)
})

test.each([
  'my dog',
  'hi, my dog',
  'good restaurant',
  '你好，我的猫叫什么',
  '好吃的',
  '猫',
  'Kubernetes',
  '2026',
  'שלום עולם',
])('%j asks for something', (text) => {
  expect(isEmptyQuery(text)).toBe(false)
})

test.each([
  'Where did I used to live?',
  'Where did I use to work?',
  'Where did I work before Globex?',
  'Who was my last employer?',
  'Did I ever own a bicycle?',
  '我以前住在哪里',
  '我原先住在哪？',
  '我曾住在哪里',
  '上一份工作是什么',
])('%s: about the past', (text) => {
  expect(asksAboutPast(text)).toBe(true)
})

test.each([
  'Where do I live?',
  'Is it used to make tea?',
  'I am not used to the cold',
  'What is an example of an exam?',
  '原来如此，我住哪里？',
])('%s: not about the past', (text) => {
  expect(asksAboutPast(text)).toBe(false)
})

test.each([
  'What is my address?',
  'How do I get to my office?',
  'Is a glass bridge a good idea for me?',
  '我对什么过敏',
  '点菜要注意什么？',
  '晚餐哪些肉不能选？',
  '装修时地面该怎么选？',
])('%s: about oneself', (text) => {
  expect(asksAboutSelf(text)).toBe(true)
})

test.each([
  'Tell me a joke',
  'Fix this function for me',
  'Could you write a poem for me?',
  '帮我写一首诗',
  '怎么给列表排序？',
  '把这句话翻译成英文',
  'How do I undo a commit?',
  'My code throws an exception, why?',
  'I would like to learn how interest rates work',
  '我的代码报错了怎么办？',
])('%s: not about oneself', (text) => {
  expect(asksAboutSelf(text)).toBe(false)
})
