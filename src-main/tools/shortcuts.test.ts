import { expect, test } from 'vitest'
import { listShortcuts, type Runner } from './shortcuts'

test('on a Mac they are listed, with the command that runs each under a name a model may call', async () => {
  const asked: unknown[] = []
  const run: Runner = async (program, args) => {
    asked.push([program, args])
    return 'Log Water\n  Log water!\n\n港务长\n"; rm -rf /\n'
  }
  const { names, reason, commands } = await listShortcuts('darwin', run)
  expect(asked).toEqual([['/usr/bin/shortcuts', ['list']]])
  expect(names).toEqual(['Log Water', 'Log water!', '港务长', '"; rm -rf /'])
  expect(reason).toBeUndefined()
  expect(commands.map((command) => command.name)).toEqual([
    'shortcut_log_water',
    'shortcut_log_water_2',
    'shortcut',
    'shortcut_rm_rf',
  ])
  expect(commands.at(-1)?.argv).toEqual(['/usr/bin/shortcuts', 'run', '"; rm -rf /'])
})

test('a list that cannot be read, and a system without any, say why', async () => {
  const failing: Runner = () => Promise.reject(new Error('not allowed'))
  expect(await listShortcuts('darwin', failing)).toMatchObject({
    names: [],
    reason: expect.stringMatching(/not allowed/),
  })
  expect(await listShortcuts('linux')).toMatchObject({
    names: [],
    commands: [],
    reason: expect.stringMatching(/macOS/),
  })
})
