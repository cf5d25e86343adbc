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
  secretNames: [],
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

  test('only a short list of harmless variables is inherited, beside its own', async () => {
    process.env.CANARY_KEY = 'not for commands'
    const print = command([
      node,
      '-p',
      'JSON.stringify([process.env.CANARY_KEY, process.env.PATH, process.env.HARBOUR])',
    ])
    const { text } = await runCommand({ ...print, env: { HARBOUR: 'Lisbon' } }, {}, never)
    delete process.env.CANARY_KEY
    expect(JSON.parse(text)).toEqual([null, process.env.PATH, 'Lisbon'])
  })

  test('children of the command end with it', async () => {
    const script = `const { spawn } = require('node:child_process')
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
      console.log(child.pid); setInterval(() => {}, 1000)`
    const { outcome, text } = await runCommand(command([node, '-e', script], { timeoutSeconds: 1 }), {}, never)
    expect(outcome).toBe('timed_out')
    const pid = Number(text.split('\n')[0])
    const isAlive = () => {
      try {
        process.kill(pid, 0)
        return true
      } catch {
        return false
      }
    }
    while (isAlive()) await new Promise((resolve) => setTimeout(resolve, 20))
  })

  test('a grandchild that left its group and holds the pipe is not waited for', async () => {
    const script = `const { spawn } = require('node:child_process')
      spawn(process.execPath, ['-e', 'setTimeout(() => {}, 8000)'], { stdio: 'inherit', detached: true }).unref()
      console.log('started'); setInterval(() => {}, 1000)`
    const { outcome, text } = await runCommand(command([node, '-e', script], { timeoutSeconds: 0.5 }), {}, never)
    expect([outcome, text.split('\n')[0]]).toEqual(['timed_out', 'started'])
  })

  test('a character across two pieces stays whole, and the limit leaves no half one', async () => {
    const script = `const b = Buffer.from('港务长'); process.stdout.write(b.subarray(0, 4)); setTimeout(() => process.stdout.write(b.subarray(4)), 100)`
    expect((await runCommand(command([node, '-e', script]), {}, never)).text).toBe('港务长')
    const limit = command([node, '-e', `process.stdout.write('港务长'.repeat(100))`], { outputLimitBytes: 100 })
    const { text } = await runCommand(limit, {}, never)
    expect(text).not.toContain('\uFFFD')
    expect(text).toMatch(/^[港务长]+\n\[stopped/)
  })

  test('a folder that is not there, and an argument no program takes, are told', async () => {
    const lost = await runCommand(command([node, '-v'], { workingFolder: '/no/such/folder' }), {}, never)
    expect(lost).toMatchObject({ outcome: 'failed', text: expect.stringMatching(/working folder/) })
    const zero = await runCommand(command([node, '{a}']), { a: 'x\0y' }, never)
    expect(zero).toMatchObject({ outcome: 'failed', text: expect.stringMatching(/zero byte/) })
  })
})
