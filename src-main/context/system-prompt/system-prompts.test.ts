import { beforeEach, describe, expect, it } from 'vitest'
import { idSequence } from '../../testing/id-sequence'
import { memoryDatabase } from '../../testing/memory-database'
import { sessionSettings, turnInput } from '../../testing/turn-builders'
import { systemPromptHandlers } from './handlers'
import { systemPromptMigrations } from './migrations'
import { defaultPromptId, readPrompt } from './repository'
import { createSystemPromptSource } from './system-prompt-block'

const signal = new AbortController().signal

function room() {
  const database = memoryDatabase(systemPromptMigrations)
  const events: unknown[] = []
  const sessions = new Map<string, string | null>([
    ['s1', 'p-1'],
    ['s2', 'p-1'],
  ])
  let minute = 0
  const handlers = systemPromptHandlers({
    database,
    ids: idSequence('p'),
    nowIso: () => `2026-03-02T09:0${minute++}:00+08:00`,
    emit: (name, payload) => events.push([name, payload]),
    countSessions: (id) => [...sessions.values()].filter((one) => one === id).length,
    moveSessions: (from, to) => {
      for (const [session, prompt] of sessions) if (prompt === from) sessions.set(session, to)
    },
  })
  return { database, events, handlers, sessions }
}

describe('global prompts', () => {
  let given: ReturnType<typeof room>
  beforeEach(() => {
    given = room()
  })

  it('saves, counts its sessions and keeps the first day on an edit', async () => {
    const { handlers, events, database } = given
    await handlers['system-prompts.save']({ name: 'Plain', text: ' Be plain.\n' })
    const edited = await handlers['system-prompts.save']({ id: 'p-1', name: 'Plainer', text: 'x' })
    expect(edited).toEqual({
      id: 'p-1',
      name: 'Plainer',
      text: 'x',
      isDefault: false,
      usedBySessions: 2,
      createdAt: '2026-03-02T09:00:00+08:00',
      updatedAt: '2026-03-02T09:01:00+08:00',
    })
    expect(events).toEqual([
      ['system-prompts.changed', { ids: ['p-1'] }],
      ['system-prompts.changed', { ids: ['p-1'] }],
    ])
    expect(readPrompt(database, 'p-1')?.name).toBe('Plainer')
  })

  it('has one default at most and moves it', async () => {
    const { handlers, database, events } = given
    await handlers['system-prompts.save']({ name: 'One', text: '1' })
    await handlers['system-prompts.save']({ name: 'Two', text: '2' })
    await handlers['system-prompts.set-default']({ id: 'p-1' })
    const listed = await handlers['system-prompts.set-default']({ id: 'p-2' })
    expect(listed.map((prompt) => [prompt.id, prompt.isDefault])).toEqual([
      ['p-1', false],
      ['p-2', true],
    ])
    expect(events.at(-1)).toEqual(['system-prompts.changed', { ids: ['p-1', 'p-2'] }])
    await handlers['system-prompts.set-default']({ id: null })
    expect(defaultPromptId(database)).toBeNull()
  })

  it('gives the sessions of a removed prompt the default one', async () => {
    const { handlers, sessions } = given
    await handlers['system-prompts.save']({ name: 'One', text: '1' })
    await handlers['system-prompts.save']({ name: 'Two', text: '2' })
    await handlers['system-prompts.set-default']({ id: 'p-2' })
    expect(await handlers['system-prompts.remove']({ id: 'p-1' })).toEqual({ removed: 1 })
    expect([...sessions.values()]).toEqual(['p-2', 'p-2'])
    expect(await handlers['system-prompts.remove']({ id: 'p-1' })).toEqual({ removed: 0 })
  })

  it('refuses to edit or choose what is not there', () => {
    const { handlers } = given
    expect(() => handlers['system-prompts.save']({ id: 'gone', name: 'x', text: '' })).toThrow(/no global prompt gone/)
    expect(() => handlers['system-prompts.set-default']({ id: 'gone' })).toThrow(/no global prompt gone/)
  })

  it('puts the text in word for word, or says why not', async () => {
    const { handlers, database } = given
    await handlers['system-prompts.save']({ name: 'One', text: ' Keep\n spaces ' })
    await handlers['system-prompts.save']({ name: 'Blank', text: ' \n' })
    const source = createSystemPromptSource({ read: (id) => readPrompt(database, id) })
    const collect = (globalPromptId: string | null) =>
      source.collect(turnInput({ session: sessionSettings({ globalPromptId }) }), signal)
    expect((await collect('p-1')).items).toEqual([
      expect.objectContaining({ id: 'p-1', label: 'One', text: ' Keep\n spaces ', cacheHint: 'stable' }),
    ])
    expect((await collect('p-2')).absent).toEqual({ block: 'system_prompt', reason: 'empty', detail: 'Blank' })
    expect((await collect(null)).absent?.reason).toBe('none_selected')
    expect((await collect('gone')).absent?.reason).toBe('none_selected')
  })
})
