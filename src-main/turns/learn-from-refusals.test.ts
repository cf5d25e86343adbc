import { expect, test } from 'vitest'
import { AppError } from '../ipc/app-error'
import { askLearning } from './learn-from-refusals'
import type { ModelTarget } from './ports'

const target = { connection: { id: 'c', kind: 'openai', name: 'C' } } as ModelTarget
const refused = (what: string) => ({ error: new AppError('model.rejected', what), spoke: false, stopped: false })
const answered = { spoke: true, stopped: false }

/** Every refusal teaches something; `ends` are what the server says in turn. */
async function ask(ends: ReturnType<typeof refused>[] | object[]) {
  const kept: string[] = []
  const left = [...ends]
  let asked = 0
  const learn = (to: ModelTarget, error: AppError) => ({
    target: { ...to },
    what: error.message,
    keep: () => kept.push(error.message),
  })
  const end = await askLearning({ learn }, target, async () => {
    asked += 1
    const next = left.shift()
    if (!next) throw new Error('Asked once too often.')
    return next as ReturnType<typeof refused>
  })
  return { asked, kept, error: end.error?.message }
}

test('answers four refusals in a row, and remembers all once the request is taken', async () => {
  expect(await ask(['a', 'b', 'c', 'd'].map(refused).concat(answered as never))).toEqual({
    asked: 5,
    kept: ['a', 'b', 'c', 'd'],
    error: undefined,
  })
})

test('gives up after that, and remembers nothing', async () => {
  expect(await ask(['a', 'b', 'c', 'd', 'e', 'f'].map(refused))).toEqual({ asked: 5, kept: [], error: 'e' })
})

test('an answer that had begun is not asked for again; one stopped by hand proves nothing', async () => {
  expect(await ask([{ ...refused('a'), spoke: true }])).toMatchObject({ asked: 1, kept: [] })
  expect(await ask([refused('a'), { spoke: false, stopped: true }])).toEqual({ asked: 2, kept: [], error: undefined })
  expect(await ask([refused('a'), { ...refused('cut'), spoke: true }])).toEqual({ asked: 2, kept: ['a'], error: 'cut' })
})
