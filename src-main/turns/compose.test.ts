import { expect, test } from 'vitest'
import { AppError } from '../ipc/app-error'
import { turnInput } from '../testing/turn-builders'
import type { ToolGate } from '../tools/tool-gate'
import { collectTurn } from './compose'
import type { ModelTarget } from './ports'

const target: ModelTarget = {
  connection: { id: 'c', kind: 'openai', name: 'C' },
  model: {
    id: 'c/m',
    connectionId: 'c',
    name: 'm',
    capabilities: { tools: true, vision: false, pdf: false, reasoning: false, promptCache: false },
    windowSource: 'unknown',
    available: true,
  },
  profile: {
    leadingSystems: 'many',
    midSystem: 'none',
    alternate: false,
    userFirst: false,
    marks: 'none',
    usageShape: 'openai',
  },
}

function collected(expose: ToolGate['expose']) {
  const tools: ToolGate = {
    expose,
    run: () => Promise.reject(new Error('nothing runs here')),
    endTurn: () => undefined,
  }
  return collectTurn({ sources: [], tools }, turnInput(), target)
}

test('a turn goes on without tools that fail, and says why', async () => {
  const failed = await collected(() => Promise.reject(new AppError('tool.failed', 'The server is gone.')))
  expect(failed.tools).toEqual({
    tools: [],
    withheld: false,
    absent: expect.objectContaining({ block: 'tools', reason: 'failed', detail: 'The server is gone.' }),
  })
})
