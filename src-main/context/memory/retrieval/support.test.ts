import { describe, expect, test } from 'vitest'
import { RetrievalEngine } from './engine'
import { isSupported } from './support'
import { tokensOf } from './tokens'

function inCommon(draft: string, memory: string, glosses?: [draft: string, memory: string]): boolean {
  const shared = (one: string, two: string) => {
    const held = new Set(tokensOf(two).map((token) => token.text))
    return [...new Set(tokensOf(one).map((token) => token.text))].filter((text) => held.has(text))
  }
  return isSupported({ words: shared(draft, memory), glosses: glosses === undefined ? [] : shared(...glosses) })
}

describe('what two texts have in common', () => {
  test.each([
    ['Nice, the call went through', 'My dog is called Bruno'],
    ['Run it again', 'I run every evening'],
    ['Money well spent', 'I keep my money in a sock'],
    ['Sounds great', 'I like great halls'],
  ])('one everyday word is not enough: %s', (draft, memory) => expect(inCommon(draft, memory)).toBe(false))

  test.each([
    ['Which beagle food is best?', 'My dog is a beagle'],
    ['Is the money in the bank?', 'I keep my money at the bank'],
    ['What may kids eat?', 'My daughter hates soup'],
  ])('a telling word, two words or a topic of two words is: %s', (draft, memory) =>
    expect(inCommon(draft, memory)).toBe(true),
  )

  test('a Chinese word counts once, however many English words it is read as', () => {
    expect(inCommon('这样工作正常', '我在银行工作', ['work job normal', 'bank work job'])).toBe(false)
    expect(inCommon('蜘蛛有毒吗', '她怕蜘蛛', ['spider poison', 'fear spider'])).toBe(true)
  })

  test('single characters are no words', () => expect(inCommon('上班', '上海')).toBe(false))
})

test('a reply with one everyday word is still ranked, and not injected', () => {
  const engine = new RetrievalEngine()
  engine.upsert({
    id: 'a',
    revision: 1,
    text: 'Marta works as a dentist',
    neighbours: [],
    entities: [],
    rawTurn: false,
    importance: 0.5,
    confidence: 1,
    updatedAt: 0,
    superseded: false,
    archived: false,
  })
  const verdictOf = (draft: string) =>
    engine.search({ draft, mode: 'hybrid', topK: 3, now: 1 }).candidates.map((entry) => entry.verdict)
  expect(verdictOf('Good, that works.')).toEqual(['below_margin'])
  expect(verdictOf('Who is a good dentist?')).toEqual(['injected'])
})
