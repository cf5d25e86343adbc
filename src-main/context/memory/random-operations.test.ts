import { expect, onTestFinished, test } from 'vitest'
import { fakeEmbedder, testRoom } from '../../testing/memory-room-rig'
import { temporaryFolder } from '../../testing/temporary-folder'
import { listMemories } from './repository'

const OPERATIONS = 10_000
const PEOPLE = ['Anna', 'Ben', 'Chen', 'Dora', 'Emil']
const THINGS = ['bicycle', 'garden', 'piano', 'boat', 'bakery', '猫', '吉他', 'visa', 'chess club', 'greenhouse']
const PLACES = ['Oslo', 'Lisbon', '北京', 'Quito', 'Perth', 'Cairo']

/** Small and repeatable: a failure names its seed. */
function drawFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('10,000 random operations: nothing archived, replaced, deleted or ended is ever injected', {
  timeout: 180_000,
}, async () => {
  const draw = drawFrom(20_261_130)
  const embedder = fakeEmbedder()
  const { room, database, clock } = testRoom(temporaryFolder(), { embedder: () => embedder })
  onTestFinished(() => room.close())
  await room.start()
  const ids: string[] = []
  const pick = <T>(from: readonly T[]): T | undefined => from[draw(from.length)]
  const sentence = () => `${pick(PEOPLE)} has a ${pick(THINGS)} in ${pick(PLACES)} since ${1990 + draw(30)}`
  /** The rules, written down a second time: an independent model of what may be used. */
  const removed = new Set<string>()
  const archived = new Set<string>()
  const replaced = new Set<string>()
  const ends = new Map<string, number>()
  const { handlers } = room
  let asked = 0
  let injectedInAll = 0
  for (let step = 0; step < OPERATIONS; step += 1) {
    clock.advance(60_000)
    const id = pick(ids)
    const kind = draw(100)
    const usable = id !== undefined && !removed.has(id)
    if (kind < 22 || !usable) {
      const ending = draw(10) === 0 ? clock.now() + draw(200) * 60_000 : undefined
      const memory = room.save({
        text: sentence(),
        ...(ending === undefined ? {} : { validUntil: new Date(ending).toISOString() }),
      })
      if (!ids.includes(memory.id)) ids.push(memory.id)
      if (memory.validUntil !== undefined) ends.set(memory.id, Date.parse(memory.validUntil))
    } else if (kind < 30) {
      room.save({ id, text: sentence() })
    } else if (kind < 38) {
      const on = draw(2) === 0
      await handlers['memory.archive']({ ids: [id], archived: on })
      if (on) archived.add(id)
      else archived.delete(id)
    } else if (kind < 44) {
      await handlers['memory.remove']({ ids: [id] })
      removed.add(id)
    } else if (kind < 50) {
      const successor = room.save({ text: `${sentence()} (step ${step})`, replaces: id })
      ids.push(successor.id)
      replaced.add(id)
    } else if (kind < 53) {
      room.settingsChanged()
    } else {
      asked += 1
      const query = `does my friend ${pick(PEOPLE)} have a ${pick(THINGS)} in ${pick(PLACES)}`
      const { retrieval } = await handlers['memory.search']({ query, limit: 3 })
      for (const entry of retrieval.candidates.filter((candidate) => candidate.verdict === 'injected')) {
        const where = `${entry.memoryId} at step ${step}`
        expect(removed.has(entry.memoryId), `${where} is deleted`).toBe(false)
        expect(archived.has(entry.memoryId), `${where} is archived`).toBe(false)
        expect(replaced.has(entry.memoryId), `${where} is replaced`).toBe(false)
        expect((ends.get(entry.memoryId) ?? Number.POSITIVE_INFINITY) > clock.now(), `${where} has ended`).toBe(true)
        injectedInAll += 1
      }
    }
  }
  expect(asked).toBeGreaterThan(4_000)
  expect(injectedInAll).toBeGreaterThan(1_000)
  const stored = listMemories(database, { status: 'all', limit: 100_000, nowIso: new Date(clock.now()).toISOString() })
  expect(stored.total).toBe(ids.filter((id) => !removed.has(id)).length)
})
