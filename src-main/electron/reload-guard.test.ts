import { expect, it } from 'vitest'
import { createReloadGuard } from './reload-guard'

it('lets a page be loaded again twice a minute, and again when a minute has passed', () => {
  let now = 1_000_000
  const may = createReloadGuard(() => now)
  expect([may(), may(), may(), may()]).toEqual([true, true, false, false])
  now += 59_999
  expect(may()).toBe(false)
  now += 1
  expect([may(), may(), may()]).toEqual([true, true, false])
})

it('is not fooled by a clock that is put back', () => {
  let now = 1_000_000
  const may = createReloadGuard(() => now)
  may()
  now -= 10_000
  may()
  expect(may()).toBe(false)
})
