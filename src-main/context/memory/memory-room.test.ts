import { expect, onTestFinished, test } from 'vitest'
import { createBuiltInEmbedder } from '../../models/embedding/built-in-embedder'
import { EVERYDAY_PAIRS, EVERYDAY_QUESTIONS, EVERYDAY_STATEMENTS } from '../../models/embedding/everyday-texts'
import { testRoom } from '../../testing/memory-room-rig'
import { temporaryFolder } from '../../testing/temporary-folder'
import type { MemoryStatus } from './contract'
import { createThreadEngine } from './engine-host'
import { scoreOf } from './retrieval-contract'

const EVERYDAY = {
  statements: [...EVERYDAY_STATEMENTS.en, ...EVERYDAY_STATEMENTS.zh],
  questions: [...EVERYDAY_QUESTIONS.en, ...EVERYDAY_QUESTIONS.zh],
  pairs: EVERYDAY_PAIRS,
}

test('the built-in embedder finds by sense, across languages, in threads', { timeout: 60_000 }, async () => {
  const embedder = createBuiltInEmbedder()
  const { room } = testRoom(temporaryFolder(), {
    embedder: () => embedder,
    everyday: EVERYDAY,
    engine: createThreadEngine(),
  })
  onTestFinished(async () => {
    await room.close()
    await embedder.close()
  })
  for (const text of [
    'The user is allergic to peanuts',
    '用户养了一只叫豆包的橘猫',
    'The user drives a white van',
    'The user works as a gardener',
    '用户每周二去游泳',
  ]) {
    room.save({ text })
  }
  await room.start()
  await room.idle()
  expect(room.handlers['memory.status']({})).toMatchObject({ indexed: 5, pending: 0, failed: 0, dims: 512, total: 5 })
  const food = await room.search({ query: 'What food must I avoid?', limit: 1 })
  expect(food.hits[0]?.memory.text).toBe('The user is allergic to peanuts')
  const pet = await room.search({ query: 'Do I have any pets?', limit: 1 })
  expect(pet.hits[0]?.memory.text).toBe('用户养了一只叫豆包的橘猫')
  for (const hit of pet.hits) expect(scoreOf(hit.parts)).toBeCloseTo(hit.score, 9)
  const { threshold } = (await room.handlers['memory.status']({})) as MemoryStatus
  expect(threshold.note).toMatch(/^In a trial, answers scored 0\.\d\d .* cannot tell them apart/)
  expect(threshold.noteWords?.values).toEqual(threshold.note.match(/0\.\d\d/g))
})

test('what says nearly the same, or replaces it, is suggested by sense; what only sounds alike is not', {
  timeout: 60_000,
}, async () => {
  const embedder = createBuiltInEmbedder()
  const { room } = testRoom(temporaryFolder(), { embedder: () => embedder, everyday: EVERYDAY })
  onTestFinished(async () => {
    await room.close()
    await embedder.close()
  })
  const suggested = async () => {
    const { suggestions } = await room.handlers['memory.suggestions']({})
    return suggestions.map(({ memory, other }) => [other.text, memory.text])
  }
  for (const text of [
    'The user works at Initech',
    'The user is learning Spanish',
    '用户住在北京',
    'The user likes tea',
  ])
    room.save({ text })
  await room.start()
  await room.idle()
  const pairs = [
    ['The user works at Initech', 'The user works at Globex'],
    ['用户住在北京', '用户住在上海'],
    ['The user likes tea', 'The user enjoys drinking tea'],
  ]
  for (const text of ['The user is learning the piano', ...pairs.map(([, text]) => text ?? '')]) room.save({ text })
  await room.idle()
  await expect.poll(async () => (await suggested()).toSorted()).toEqual(pairs.toSorted())
})
