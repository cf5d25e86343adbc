import { expect, it } from 'vitest'
import { AppError, saidBy } from './app-error'
import {
  asDetail,
  asLastError,
  asMessage,
  phrase,
  readSaid,
  said,
  saidTogether,
  storedSaid,
  textOf,
} from './said-contract'

it('keeps the English sentence and, beside it, the same one with places', () => {
  expect(said`The best of ${8} memories scored ${'0.48'}.`).toEqual({
    text: 'The best of 8 memories scored 0.48.',
    words: { key: 'The best of {0} memories scored {1}.', values: [8, '0.48'] },
  })
  expect(said`the image`).toEqual({ text: 'the image', words: { key: 'the image' } })
})

it('lets sentences stand inside sentences', () => {
  expect(said`It can never fire: ${phrase('its probability is 0')}.`).toEqual({
    text: 'It can never fire: its probability is 0.',
    words: { key: 'It can never fire: {0}.', values: [{ key: 'its probability is 0' }] },
  })
  expect(saidTogether(['One.', said`${2} more.`])).toEqual({
    text: 'One. 2 more.',
    words: { key: '{0} {1}', values: [{ key: 'One.' }, { key: '{0} more.', values: [2] }] },
  })
})

it('adds words to a detail or a message only where they say more than the text', () => {
  expect(asDetail(undefined)).toEqual({})
  expect(asDetail('Plain.')).toEqual({ detail: 'Plain.' })
  expect(asMessage(said`${3} left`)).toEqual({ message: '3 left', words: { key: '{0} left', values: [3] } })
})

it('travels with an error, also through a second one', () => {
  const refused = new AppError('conflict', said`There is a tag named ${'tide'} already.`)
  expect(refused.toReply()).toEqual({
    code: 'conflict',
    message: 'There is a tag named tide already.',
    words: { key: 'There is a tag named {0} already.', values: ['tide'] },
  })
  expect(said`Left out: ${saidBy(refused)}`.words.values).toEqual([refused.words])
  expect(textOf(saidBy(new Error('plain')))).toBe('plain')
  expect(new AppError('conflict', 'Plain.').toReply()).toEqual({ code: 'conflict', message: 'Plain.' })
})

it('is stored as one text and read back, words and all', () => {
  const sentence = said`${3} of ${phrase('the texts')} are left.`
  expect(readSaid(storedSaid(sentence))).toEqual(sentence)
  expect(asLastError(readSaid(storedSaid(sentence)))).toEqual({
    lastError: sentence.text,
    lastErrorWords: sentence.words,
  })
  for (const plain of ['The server is down.', '{"text": broken', '{"text":"a"}', ''])
    expect(readSaid(storedSaid(plain))).toBe(plain)
})
