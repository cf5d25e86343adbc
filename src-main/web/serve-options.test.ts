import { describe, expect, it } from 'vitest'
import { hasToken, knownHosts } from './request-guard'
import { readServeOptions, UsageError } from './serve-options'

describe('readServeOptions', () => {
  it('is on loopback, on a free port, with a fresh token unless told otherwise', () => {
    const first = readServeOptions([])
    expect(first).toMatchObject({ host: '127.0.0.1', port: 0, data: undefined })
    expect(first.token.length).toBeGreaterThanOrEqual(32)
    expect(readServeOptions([]).token).not.toBe(first.token)
    expect(readServeOptions(['--port', '80', '--token', 't', '--data', 'd'])).toMatchObject({
      port: 80,
      token: 't',
      data: 'd',
    })
  })

  it.each([
    [['--port', '70000']],
    [['--port', 'x']],
    [['--port', '-1']],
    [['--unknown']],
    [['stray']],
    [['--token', '']],
    [['--token', 'with space']],
    [['--host', '0.0.0.0']],
    [['--host', '0.0.0.0', '--allow-remote']],
    [['--host', '0.0.0.0', '--allow-remote', '--token', 'x'.repeat(23)]],
  ])('refuses %j with words', (args) => {
    expect(() => readServeOptions(args)).toThrow(UsageError)
  })

  it('opens to others only with both conditions', () => {
    const args = ['--host', '0.0.0.0', '--allow-remote', '--token', 'x'.repeat(24)]
    expect(readServeOptions(args)).toMatchObject({ host: '0.0.0.0' })
  })
})

describe('the guard', () => {
  it('knows its own names with their port', () => {
    const hosts = knownHosts('127.0.0.1', 5000, ['chat.example:443'])
    expect([...hosts]).toEqual(['127.0.0.1:5000', 'localhost:5000', '[::1]:5000', 'chat.example:443'])
    expect(knownHosts('::1', 80).has('[::1]')).toBe(true)
  })

  it('takes the scheme in any case, and nothing but the whole token', () => {
    expect(hasToken({ authorization: 'bearer abc' }, 'abc')).toBe(true)
    expect(hasToken({ authorization: 'Bearer ab' }, 'abc')).toBe(false)
    expect(hasToken({}, 'abc')).toBe(false)
  })
})
