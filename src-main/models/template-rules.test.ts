import { afterEach, describe, expect, it } from 'vitest'
import { project } from '../context/assemble/project'
import type { RequestEntry } from '../context/request-contract'
import { asMessage } from '../ipc/said-contract'
import { collectParts, noFiles, request, rig, text, textOf } from '../testing/model-client-rig'
import { startTemplateServer, type Template, type TemplateServer } from '../testing/template-servers'
import type { ConnectionKind, WireProfile } from './contract'

let server: TemplateServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const spoken = (role: 'user' | 'assistant', words: string): RequestEntry => ({
  kind: 'message',
  role,
  messageId: words,
  parts: [text(words)],
})
const reminder = (words: string): RequestEntry => ({
  kind: 'reminder',
  source: 'enhanced',
  role: 'system',
  parts: [text(words)],
})

/** Several leading systems, an answer before any question, neighbours of one role, reminders at every place. */
const AWKWARD: readonly RequestEntry[] = [
  { kind: 'leading', group: 'stable', parts: [text('Stable one.')] },
  { kind: 'leading', group: 'dynamic', parts: [text('Dynamic one.')] },
  spoken('assistant', 'Welcome.'),
  spoken('user', 'First.'),
  spoken('user', 'Second.'),
  reminder('Reminder in the middle.'),
  spoken('assistant', 'Answer.'),
  reminder('Reminder before the end.'),
  spoken('user', 'Last question.'),
  reminder('Enhanced at the end.'),
]
const WORDS = [
  'Stable one.',
  'Dynamic one.',
  'Welcome.',
  'First.',
  'Second.',
  'Reminder in the middle.',
  'Answer.',
  'Reminder before the end.',
  'Last question.',
  'Enhanced at the end.',
]

const options = { signal: new AbortController().signal, readFile: noFiles }
const APP_PREFIX = 'Tagged reminders come from the app.'

async function open(template: Template, kind: ConnectionKind) {
  server = await startTemplateServer(template)
  return rig(kind, server.baseUrl)
}

function projected(profile: WireProfile) {
  return request(project(AWKWARD, profile, { appPrefix: APP_PREFIX }).messages)
}

describe('the default profile of a model passes its own template', () => {
  it.each<[Template, ConnectionKind, string]>([
    ['qwen', 'openai-compatible', 'qwen3-32b'],
    ['mistral', 'openai-compatible', 'mistral-small-3.2'],
    ['gemma', 'openai-compatible', 'gemma-3-27b-it'],
    ['gemma', 'openai-compatible', 'mixtral-8x7b-instruct'],
    ['openai', 'openai', 'gpt-4o'],
    ['anthropic', 'anthropic', 'claude-opus-4-8'],
    ['anthropic-old', 'anthropic', 'claude-sonnet-4-5'],
    ['google', 'google', 'gemini-2.0-flash'],
    ['ollama', 'ollama', 'qwen3:8b'],
  ])('%s by %s with %s', async (template, kind, model) => {
    const { client, target } = await open(template, kind)
    const to = await target(model)
    const parts = await collectParts(client.stream(projected(to.profile), to, options))
    expect(parts.filter((part) => part.type === 'error')).toEqual([])
    expect(textOf(parts)).toBe('Good day.')
    const raw = server?.requests[0]?.raw ?? ''
    for (const words of WORDS) expect(raw.split(words)).toHaveLength(2)
  })
})

describe('a profile that is too loose is tightened until the server agrees', () => {
  const LOOSE: WireProfile = {
    leadingSystems: 'many',
    midSystem: 'anywhere',
    alternate: false,
    userFirst: false,
    marks: 'none',
    usageShape: 'openai',
  }
  it.each<[Template, number]>([
    ['qwen', 2],
    ['mistral', 3],
    ['gemma', 4],
  ])('%s in at most %i steps', async (template, steps) => {
    const { client, target } = await open(template, 'openai-compatible')
    let to = await target('unheard-of', LOOSE)
    const said: string[] = []
    for (let step = 0; step <= steps; step++) {
      const parts = await collectParts(client.stream(projected(to.profile), to, options))
      const last = parts.at(-1)
      if (last?.type !== 'error') break
      const learned = client.learn(to, last.error)
      if (!learned) throw new Error(`Nothing learned from: ${last.error.message}`)
      said.push(asMessage(learned.what).message)
      to = learned.target
    }
    expect(said.length).toBeGreaterThan(0)
    expect(said.length).toBeLessThanOrEqual(steps)
    const parts = await collectParts(client.stream(projected(to.profile), to, options))
    expect(textOf(parts)).toBe('Good day.')
    expect((await client.target('c1/unheard-of')).profile).toMatchObject({ midSystem: 'none' })
  })
})
