import { describe, expect, test } from 'vitest'
import { argvOf, runCommand } from './commands'
import type { CommandTool } from './contract'

const node = process.execPath
const command = (argv: string[], fields: Partial<CommandTool> = {}): CommandTool => ({
  id: 'c',
  name: 'c',
  description: '',
  schema: { type: 'object' },
  argv,
  workingFolder: null,
  env: {},
  timeoutSeconds: 10,
  outputLimitBytes: 10_000,
  enabled: true,
  ...fields,
})
const never = new AbortController().signal

describe('command tools', () => {
  test('an argument stays one argument, whatever a shell would make of it', async () => {
    const hostile = '"; rm -rf / #`$(whoami)`'
    const result = await runCommand(
      command([node, '-e', 'process.stdout.write(JSON.stringify(process.argv.slice(1)))', '{text}']),
      { text: hostile },
      never,
    )
    expect(result).toEqual({ outcome: 'completed', text: JSON.stringify([hostile]) })
  })

  test('templates fill in, spread lists and leave out what is missing', () => {
    expect(
      argvOf(['cmd', '--name={name}', '{files}', '{absent}', '{n}'], { name: 'a b', files: ['x', 'y'], n: 3 }),
    ).toEqual(['cmd', '--name=a b', 'x', 'y', '3'])
    expect(argvOf(['cmd', 'a{absent}b'], {})).toEqual(['cmd', 'a{absent}b'])
    expect(argvOf(['{toString}'], {})).toEqual([])
  })

  test('a command that does not exist says so', async () => {
    const result = await runCommand(command(['no-such-command-8231']), {}, never)
    expect(result.outcome).toBe('failed')
    expect(result.text).toMatch(/not found/)
  })

  test('the exit code and standard error are told', async () => {
    const result = await runCommand(command([node, '-e', 'console.error("bad tide"); process.exit(4)']), {}, never)
    expect(result).toEqual({ outcome: 'failed', text: 'bad tide\n[exit code 4]' })
  })

  test('time and output are bounded', async () => {
    const slow = await runCommand(
      command([node, '-e', 'setInterval(() => {}, 1000)'], { timeoutSeconds: 0.3 }),
      {},
      never,
    )
    expect(slow.outcome).toBe('timed_out')
    const loud = await runCommand(
      command([node, '-e', 'for (;;) process.stdout.write("x".repeat(10000))'], { outputLimitBytes: 500 }),
      {},
      never,
    )
    expect(loud.outcome).toBe('failed')
    expect(loud.text.length).toBeLessThan(700)
  })

  test('stopping ends it', async () => {
    const control = new AbortController()
    const running = runCommand(command([node, '-e', 'setInterval(() => {}, 1000)']), {}, control.signal)
    setTimeout(() => control.abort(), 200)
    expect((await running).outcome).toBe('stopped')
  })
})
