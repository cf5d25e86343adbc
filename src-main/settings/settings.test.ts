import { expect, it } from 'vitest'
import type { AppError } from '../ipc/app-error'
import type { WriteDatabase } from '../storage/database'
import { memoryDatabase } from '../testing/memory-database'
import { settingsMigrations } from './migrations'
import { createSettings } from './settings'

function open(database: WriteDatabase = memoryDatabase(settingsMigrations)) {
  const changed: string[][] = []
  const settings = createSettings({
    database,
    emit: (_name, payload) => changed.push((payload as { ids: string[] }).ids),
  })
  return { database, settings, changed }
}

const row = (database: WriteDatabase, name: string) =>
  database.prepare<[string], { value: string }>('SELECT value FROM setting WHERE name = ?').get(name)?.value

function refusal(act: () => unknown): AppError {
  try {
    act()
  } catch (error) {
    return error as AppError
  }
  throw new Error('nothing was refused')
}

it('starts with the documented defaults', () => {
  const { settings } = open()
  expect(settings.get().context).toMatchObject({ layout: 'documented', historyLimit: 30, reservedOutput: null })
  expect(settings.reply().notices).toBeUndefined()
})

it('merges deeply, stores only what differs, and survives a restart', () => {
  const { settings, database, changed } = open()
  settings.update({ context: { landmarks: { intervalMinutes: 45 } }, memory: { topK: 0 } })
  expect(settings.get().context.landmarks).toEqual({ enabled: true, intervalMinutes: 45 })
  expect(row(database, 'context')).toBe('{"landmarks":{"intervalMinutes":45}}')
  expect(changed).toEqual([['context', 'memory']])
  const again = open(database).settings
  expect(again.get().memory.topK).toBe(0)
  settings.update({ memory: { topK: 3 } })
  expect(row(database, 'memory')).toBeUndefined()
})

it.each([
  [{ context: { foo: 1 } }, 'context.foo'],
  [{ nonsense: {} }, 'nonsense'],
  [{ context: { landmarks: { intervalMinutes: 0 } } }, 'context.landmarks.intervalMinutes'],
  [{ memory: 'off' }, 'memory'],
])('refuses %j and changes nothing', (patch, path) => {
  const { settings, database, changed } = open()
  const error = refusal(() => settings.update({ general: { theme: 'dark' }, ...patch }))
  expect(error.code).toBe('bad_input')
  expect(error.details).toMatchObject({ path })
  expect(settings.get().general.theme).toBe('system')
  expect(row(database, 'general')).toBeUndefined()
  expect(changed).toEqual([])
})

it('falls back value by value and says so', () => {
  const { database } = open()
  const put = database.prepare('INSERT INTO setting (name, value) VALUES (?, ?)')
  put.run('general', '{ not json')
  put.run('context', '{"historyLimit":"many","sendTime":false,"old":1}')
  put.run('fromTheFuture', '{"x":1}')
  const { settings } = open(database)
  expect(settings.get().general.theme).toBe('system')
  expect(settings.get().context).toMatchObject({ historyLimit: 30, sendTime: false })
  expect(
    settings
      .reply()
      .notices?.map((notice) => notice.path)
      .sort(),
  ).toEqual(['context.historyLimit', 'context.old', 'fromTheFuture', 'general'])
})

it('resets a value or a group, and refuses unknown paths', () => {
  const { settings } = open()
  settings.update({ context: { historyLimit: 5, sendTime: false }, memory: { embedder: { model: 'm' } } })
  expect(settings.reset('context.historyLimit').context).toMatchObject({ historyLimit: 30, sendTime: false })
  expect(settings.reset('memory').memory.embedder.model).toBe('')
  expect(refusal(() => settings.reset('context.bar')).details).toEqual({ path: 'context.bar' })
  expect(refusal(() => settings.reset('context.__proto__')).code).toBe('bad_input')
})

it('replaces maps of own keys whole, so that a key can go', () => {
  const { settings, database } = open()
  settings.update({ general: { shortcuts: { 'chat.new': 'Mod+N', 'chat.find': 'Mod+F' } } })
  settings.update({ general: { shortcuts: { 'chat.find': 'Mod+G' } } })
  expect(settings.get().general.shortcuts).toEqual({ 'chat.find': 'Mod+G' })
  expect(open(database).settings.get().general.shortcuts).toEqual({ 'chat.find': 'Mod+G' })
})
