import { expect, it } from 'vitest'
import { aSession } from '../testing/builders'
import { listRows } from './list-rows'

const now = new Date(2026, 10, 30, 15, 0)
const at = (day: number, hour = 12) => new Date(2026, 10, day, hour).toISOString()
const folder = (id: string, parentId: string | null = null, order = 0) => ({ id, name: id, parentId, order })
const none = new Set<string>()
const shape = (input: Partial<Parameters<typeof listRows>[0]>) =>
  listRows({ sessions: [], folders: [], closedFolders: none, view: 'active', tagId: null, now, ...input }).map((row) =>
    row.kind === 'session'
      ? `${' '.repeat(row.depth)}${row.id}`
      : row.kind === 'folder'
        ? `[${row.folder.id} ${row.count}]`
        : row.id,
  )

it('stands pinned first, then folders, then days', () => {
  const sessions = [
    aSession({ id: 'a', updatedAt: at(30) }),
    aSession({ id: 'p', pinned: true, updatedAt: at(30), folderId: 'f' }),
    aSession({ id: 'y', updatedAt: at(29) }),
    aSession({ id: 'in', folderId: 'f', updatedAt: at(28) }),
    aSession({ id: 'deep', folderId: 'g', updatedAt: at(28) }),
    aSession({ id: 'old', updatedAt: at(2) }),
  ]
  expect(shape({ sessions, folders: [folder('f'), folder('g', 'f')] })).toEqual([
    'pinned',
    'p',
    '[f 2]',
    '[g 1]',
    '  deep',
    ' in',
    'today',
    'a',
    'yesterday',
    'y',
    'earlier',
    'old',
  ])
})

it('hides what a closed folder holds and keeps its count', () => {
  const sessions = [aSession({ id: 'in', folderId: 'f', updatedAt: at(28) })]
  expect(shape({ sessions, folders: [folder('f')], closedFolders: new Set(['f']) })).toEqual(['[f 1]'])
})

it('loses no chat whose folder is gone', () => {
  expect(shape({ sessions: [aSession({ id: 'a', folderId: 'gone', updatedAt: at(30) })] })).toEqual(['today', 'a'])
})

it('filters by tag and leaves empty folders out then', () => {
  const sessions = [aSession({ id: 'a', tagIds: ['t'], updatedAt: at(30) }), aSession({ id: 'b', updatedAt: at(30) })]
  expect(shape({ sessions, folders: [folder('f')], tagId: 't' })).toEqual(['today', 'a'])
})
