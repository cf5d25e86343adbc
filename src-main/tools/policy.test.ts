import { describe, expect, test } from 'vitest'
import { decideTool, type ToolSituation, type ToolSubject } from './policy'

const open: ToolSituation = {
  isolated: false,
  temporary: false,
  modelHasTools: true,
  memory: { enabled: true, write: true, activeRetrieval: true, topK: 3 },
  choices: {},
}
const plain: ToolSubject = { id: 'command/a', origin: 'command', enabled: true, policy: 'ask' }
const server = (fields: Partial<NonNullable<ToolSubject['server']>>): ToolSubject => ({
  ...plain,
  id: 'mcp/s/t',
  origin: 'mcp',
  server: { id: 's', selectedForChat: true, state: 'ready', ...fields },
})
const memoryOf = (fields: Partial<ToolSituation['memory']>): ToolSituation => ({
  ...open,
  memory: { ...open.memory, ...fields },
})
const saves: ToolSubject = { ...plain, id: 'built-in/save_memory', origin: 'built-in', needs: 'memory-write' }
const searches: ToolSubject = { ...saves, id: 'built-in/search_memory', needs: 'memory-search' }

describe('the policy function', () => {
  test.each<[string, ToolSubject, ToolSituation, string | undefined]>([
    ['nothing in the way', plain, open, undefined],
    [
      'isolation comes before everything else',
      { ...plain, enabled: false },
      { ...open, isolated: true, temporary: true },
      'isolated',
    ],
    ['a temporary chat', plain, { ...open, temporary: true }, 'temporary'],
    ['a model without tools', plain, { ...open, modelHasTools: false }, 'model_without_tools'],
    ['switched off', { ...plain, enabled: false }, open, 'tool_disabled'],
    ['switched off for this chat', plain, { ...open, choices: { 'command/a': 'off' } }, 'tool_disabled'],
    ['switched on for this chat', { ...plain, enabled: false }, { ...open, choices: { 'command/a': 'on' } }, undefined],
    ['always denied', { ...plain, policy: 'deny' }, open, 'always_denied'],
    ['denied for this chat', plain, { ...open, choices: { 'command/a': 'deny' } }, 'always_denied'],
    ['memory off', saves, memoryOf({ enabled: false }), 'memory_off'],
    ['memory write off', saves, memoryOf({ write: false }), 'memory_write_off'],
    ['write off does not concern searching', searches, memoryOf({ write: false }), undefined],
    ['active retrieval off', searches, memoryOf({ activeRetrieval: false }), 'active_retrieval_off'],
    ['Top K 0 leaves nothing to look for', searches, memoryOf({ topK: 0 }), 'top_k_is_zero'],
    ['Top K 0 does not concern saving', saves, memoryOf({ topK: 0 }), undefined],
    ['a server that is not selected', server({ selectedForChat: false }), open, 'server_not_selected'],
    ['a server that is down', server({ state: 'failed', lastError: 'no such command' }), open, 'server_down'],
    ['a server that is up', server({}), open, undefined],
    ['an unusable schema', { ...plain, unusable: 'too large' }, open, 'tool_disabled'],
    ['a server this chat left out', server({}), { ...open, choices: { 'mcp/s': 'off' } }, 'server_not_selected'],
    [
      'a server only this chat uses',
      server({ selectedForChat: false }),
      { ...open, choices: { 'mcp/s': 'on' } },
      undefined,
    ],
    [
      'one tool of a server only this chat uses',
      server({ selectedForChat: false }),
      { ...open, choices: { 'mcp/s/t': 'on' } },
      undefined,
    ],
    [
      'an earlier "this session" does not bring back a server that was left out',
      server({ selectedForChat: false }),
      { ...open, choices: { 'mcp/s/t': 'allow' } },
      'server_not_selected',
    ],
  ])('%s', (_name, subject, situation, reason) => {
    const decision = decideTool(subject, situation)
    expect(decision.reason).toBe(reason)
    expect(decision.available).toBe(reason === undefined)
    expect(decision.configured).toBe(true)
  })

  test('a chat may ask more or less than the setting does', () => {
    expect(decideTool(plain, { ...open, choices: { 'command/a': 'allow' } }).policy).toBe('allow')
    expect(decideTool({ ...plain, policy: 'allow' }, { ...open, choices: { 'command/a': 'ask' } }).policy).toBe('ask')
    expect(decideTool(plain, open).policy).toBe('ask')
    const both = { 'command/a': 'on', 'policy/command/a': 'allow' } as const
    expect(decideTool({ ...plain, enabled: false }, { ...open, choices: both })).toMatchObject({
      available: true,
      policy: 'allow',
    })
  })

  test('the error of a server that is down is told', () => {
    expect(decideTool(server({ state: 'failed', lastError: 'no such command' }), open).reasonDetail).toBe(
      'no such command',
    )
  })
})
