import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { SOURCE_HOOK } from '../ipc/thread'
import { lastResort, UNEXPECTED_EXIT } from './last-resort'

const CHILD = fileURLToPath(new URL('../testing/last-resort-child.ts', import.meta.url))
const FLAGS = ['--disable-warning=ExperimentalWarning', '--experimental-transform-types', '--import', SOURCE_HOOK]

async function endOf(way: string, closePipe = false): Promise<{ said: string[]; code: number | null }> {
  const child = spawn(process.execPath, [...FLAGS, CHILD, way], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  const said: string[] = []
  child.on('message', (text) => said.push(String(text)))
  if (closePipe) child.stdout?.destroy()
  else child.stdout?.resume()
  const [code] = (await once(child, 'exit')) as [number | null]
  return { said, code }
}

it('ends in order after an error in a callback, with a code of its own, words, and none of a person’s in the log', async () => {
  const { said, code } = await endOf('throw')
  expect(code).toBe(UNEXPECTED_EXIT)
  expect(said).toContain('ended')
  expect(said.filter((line) => line.startsWith('told'))).toHaveLength(1)
  expect(said.find((line) => line.startsWith('log'))).toContain('last-resort-child')
  expect(said.join('\n')).not.toContain('what a person wrote')
})

it.each(['full', 'socket'])('lives on after %s, and troubles nobody', async (way) => {
  const { said, code } = await endOf(way)
  expect(code).toBe(0)
  expect(said.at(-1)).toBe('still here')
  expect(said.filter((line) => line.startsWith('told'))).toEqual([])
})

it('lives on after a promise nobody looked at, and says so once', async () => {
  const { said, code } = await endOf('promise')
  expect(code).toBe(0)
  expect(said.filter((line) => line.startsWith('told'))).toHaveLength(1)
  expect(said.filter((line) => line.startsWith('log'))).toHaveLength(2)
})

it('lives on when nobody reads what it prints', async () => {
  const { said, code } = await endOf('pipe', true)
  expect({ code, last: said.at(-1) }).toEqual({ code: 0, last: 'still here' })
})

it('writes few lines of a failure in a loop, says it once a minute, and ends once', () => {
  let now = 0
  const log = { error: vi.fn(), warn: vi.fn() }
  const tell = vi.fn()
  const end = vi.fn()
  const resort = lastResort({ log, app: () => ({ noteStorage: () => false, tell }), end, now: () => now })
  for (let time = 0; time < 1000; time += 1) resort.rejection(new Error('again'))
  expect(log.error.mock.calls.length).toBeLessThanOrEqual(30)
  expect(tell).toHaveBeenCalledOnce()
  now += 60_000
  resort.rejection(new Error('again'))
  expect(tell).toHaveBeenCalledTimes(2)
  resort.exception(new Error('one'))
  resort.exception(new Error('two'))
  expect(end).toHaveBeenCalledOnce()
})
