import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '../ipc/app-error'
import { createStorageHealth, type StorageHealth } from './health'
import type { StorageState } from './health-contract'
import { ailmentOf } from './storage-error'

const coded = (code: string, message = code) => Object.assign(new Error(message), { code })
const FULL = coded('SQLITE_FULL', 'database or disk is full')

let full: Error | undefined
let told: StorageState[]
let lost: string[]
let health: StorageHealth

const disk = () => {
  if (full) throw full
}

function open(readOnlyReason?: string): StorageHealth {
  return createStorageHealth({
    probe: disk,
    nowIso: () => '2026-12-01T00:00:00Z',
    onChange: (state) => told.push(state),
    onLost: (what) => lost.push(what),
    readOnlyReason,
  })
}

beforeEach(() => {
  vi.useFakeTimers()
  full = undefined
  told = []
  lost = []
  health = open()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('what ails the disk', () => {
  it.each([
    [coded('SQLITE_FULL'), 'full'],
    [coded('EDQUOT'), 'full'],
    [coded('SQLITE_IOERR_SHMSIZE'), 'full'],
    [coded('SQLITE_IOERR_WRITE'), 'failing'],
    [coded('EIO'), 'failing'],
    [coded('SQLITE_BUSY_SNAPSHOT'), 'held'],
    [coded('SQLITE_READONLY_DIRECTORY'), 'read-only'],
    [coded('EROFS'), 'read-only'],
    [
      new Error('lance error: LanceError(IO): Generic LocalFileSystem error: No space left on device (os error 28)'),
      'full',
    ],
    [new Error('wrapped', { cause: new Error('again', { cause: coded('ENOSPC') }) }), 'full'],
    [new AppError('storage.full', 'The disk is full: the file was not kept.'), 'full'],
  ])('%s is %s', (error, ailment) => expect(ailmentOf(error)).toBe(ailment))

  it.each([
    new Error('the model says: the disk is full, os error'),
    coded('ECONNRESET'),
    coded('SQLITE_CONSTRAINT_FOREIGNKEY'),
    new AppError('model.unreachable', 'The server does not answer.', { cause: coded('EIO') }),
    'disk full',
    undefined,
  ])('%s is none of its ailments', (error) => expect(ailmentOf(error)).toBeUndefined())
})

describe('what the disk refuses', () => {
  it('is kept in the order of its lane, and done when there is room', async () => {
    const done: string[] = []
    const write = (name: string) => () => {
      disk()
      done.push(name)
    }
    full = FULL
    expect(health.keep('a', write('first'))).toBe(false)
    expect(health.keep('b', write('other'))).toBe(false)
    expect(health.keep('a', write('second'))).toBe(false)
    expect(health.state()).toMatchObject({ trouble: { code: 'storage.full' }, waiting: 3 })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(done).toEqual([])
    full = undefined
    await vi.advanceTimersByTimeAsync(5_000)
    expect(done).toEqual(['first', 'other', 'second'])
    expect(told.map((state) => state.trouble?.code)).toEqual(['storage.full', undefined])
    expect(health.state()).toEqual({ trouble: null, waiting: 0 })
  })

  it('says nothing of room that is gone again before everything is written', async () => {
    const listener = vi.fn()
    health.whenWell(listener)
    let large = true
    full = FULL
    health.keep('a', () => {
      if (full || large) throw FULL
    })
    full = undefined
    await vi.advanceTimersByTimeAsync(60_000)
    expect(health.troubled).toBe(true)
    expect(listener).not.toHaveBeenCalled()
    large = false
    await vi.advanceTimersByTimeAsync(5_000)
    expect(health.troubled).toBe(false)
    expect(listener).toHaveBeenCalledOnce()
  })

  it('throws at once what is not the disk’s fault, and gives up what fails so later', async () => {
    const bug = new Error('a bug')
    expect(() =>
      health.keep('a', () => {
        throw bug
      }),
    ).toThrow(bug)
    full = FULL
    health.keep('a', disk)
    health.keep('b', () => {
      throw bug
    })
    const after = vi.fn()
    health.keep('c', after)
    full = undefined
    await vi.advanceTimersByTimeAsync(5_000)
    expect(lost).toEqual(['b'])
    expect(after).toHaveBeenCalledOnce()
  })

  it('is tried once more at the end, and counted when that is in vain', () => {
    const write = vi.fn(disk)
    full = FULL
    health.keep('a', write)
    expect(health.close()).toBe(1)
    expect(write).toHaveBeenCalledTimes(2)
    full = undefined
    health = open()
    expect(health.close()).toBe(0)
  })

  it('tells of another ailment, and tries less and less often', async () => {
    let probes = 0
    health = createStorageHealth({
      probe: () => {
        probes += 1
        disk()
      },
      nowIso: () => 'now',
      onChange: (state) => told.push(state),
      onLost: () => undefined,
    })
    full = FULL
    health.note(FULL)
    full = coded('SQLITE_BUSY')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(told.map((state) => state.trouble?.code)).toEqual(['storage.full', 'storage.locked'])
    expect(probes).toBeLessThan(20)
    expect(probes).toBeGreaterThan(10)
  })

  it('waits for nothing in a folder that is only read', () => {
    health = open('A newer version wrote it.')
    const write = vi.fn()
    expect(health.keep('a', write)).toBe(false)
    expect(health.note(coded('SQLITE_READONLY'))?.code).toBe('storage.newer_version')
    expect(write).not.toHaveBeenCalled()
    expect(health.state()).toEqual({ trouble: null, waiting: 0 })
  })
})

it('work kept by work that is written makes nothing else go missing', async () => {
  full = FULL
  const written: number[] = []
  const inner = () => written.push(-1)
  const write = (at: number) => () => {
    disk()
    written.push(at)
    // another lane, and the disk fills up again in between
    if (at === 0) {
      full = FULL
      health.keep('inner', () => {
        disk()
        inner()
      })
      full = undefined
    }
  }
  for (let at = 0; at < 5000; at += 1) health.keep('outer', write(at))
  full = undefined
  await vi.advanceTimersByTimeAsync(60_000)
  // the oldest was given up for the one more, and it was the one being written
  expect(lost).toEqual(['outer'])
  expect(written).toEqual([...Array.from({ length: 5000 }, (_, at) => at), -1])
})

it('what comes after the last try is called lost', () => {
  full = FULL
  health.keep('early', disk)
  expect(health.close()).toBe(1)
  expect(health.keep('late', disk)).toBe(false)
  expect(lost).toEqual(['late'])
})
