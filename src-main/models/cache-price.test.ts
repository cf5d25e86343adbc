import { expect, test } from 'vitest'
import { assemble } from '../context/assemble/assemble'
import { project } from '../context/assemble/project'
import { timeText } from '../context/assemble/time-text'
import type { ContextBlock, LayoutName } from '../context/contract'
import type { Message, MessagePart } from '../sessions/contract'
import { settingsSchema } from '../settings/contract'
import { noFiles, rig } from '../testing/model-client-rig'
import { PromptCache } from '../testing/prompt-cache'
import { block, item, message, START, sessionSettings, toolPart, turnInput } from '../testing/turn-builders'
import type { ModelTarget } from './client-types'

const TURNS = 20
const words = (about: string, count: number) => Array.from({ length: count }, (_, at) => `${about}${at}`).join(' ')
const PROMPT = words('rule', 1200)
const TOOLS = Array.from({ length: 12 }, (_, at) => ({
  id: `t${at}`,
  name: `search_${at}`,
  description: words('what', 60),
  schema: { type: 'object', properties: { query: { type: 'string' } } },
}))

interface Chat {
  layout: LayoutName
  time: boolean
  memory: boolean
  /** Calls one after the other in every turn; no tools at all without. */
  calls: number
  /** Tools offered; twelve are more than the least the provider keeps. */
  offered: number
  historyLimit: number
}

const finished = (turn: number, calls: number): MessagePart[] =>
  Array.from({ length: calls }, (_, at) => [
    toolPart(`c${turn}-${at}`, words(`result${turn}-${at}-`, 120)),
    { type: 'round' as const, round: at + 2 },
  ]).flat()

function answerOf(turn: number, calls: number): Message {
  const text = words(`answer${turn}-`, 80)
  const parts = [...finished(turn, calls), { type: 'text' as const, text }]
  return message(`a${turn}`, 'assistant', text, { minutes: turn * 3 + 1, parts, modelId: 'c1/small' })
}

const questionOf = (turn: number): Message =>
  message(`u${turn}`, 'user', words(`question${turn}-`, 30), { minutes: turn * 3 })

function blocksAt(turn: number, chat: Chat, epochMs: number): ContextBlock[] {
  const absent = { block: 'memory' as const, reason: 'nothing_relevant' as const }
  const remembered = turn % 3 === 0 ? [] : [item(`m${turn}`, words(`fact${turn}-`, 40))]
  const clock = { zone: turnInput().now.timeZone, language: 'en' as const, templates: {} }
  return [
    block('system_prompt', [item('p', PROMPT)]),
    ...(chat.time ? [block('time', [item('time', timeText(epochMs, clock))])] : []),
    ...(chat.memory ? [block('memory', remembered, remembered.length > 0 ? {} : { absent })] : []),
    block('enhanced_prompt', [item('e', 'Be brief.')]),
  ]
}

/** The body of one round of one turn, as it would leave. */
async function bodyOf(client: ReturnType<typeof rig>['client'], target: ModelTarget, chat: Chat, at: [number, number]) {
  const [turn, round] = at
  const before = Array.from({ length: turn }, (_, one) => [questionOf(one), answerOf(one, chat.calls)]).flat()
  const running = message(`a${turn}`, 'assistant', '', { state: 'streaming', parts: finished(turn, round) })
  const epochMs = START + turn * 3 * 60_000
  const context = { sendTime: chat.time, landmarks: { enabled: chat.time }, historyLimit: chat.historyLimit }
  const input = turnInput({
    branch: [...before, questionOf(turn), ...(round > 0 ? [running] : [])],
    session: sessionSettings({ layout: chat.layout }),
    settings: settingsSchema.parse({ context }),
    now: { ...turnInput().now, epochMs },
  })
  const assembled = assemble({ turn: input, blocks: blocksAt(turn, chat, epochMs) })
  const { messages } = project(assembled.entries, target.profile, { appPrefix: 'Reminders.', cache: assembled.cache })
  const tools = chat.calls > 0 ? { tools: TOOLS.slice(0, chat.offered), toolChoice: 'auto' as const } : { tools: [] }
  return (await client.buildWire({ messages, ...tools, maxOutputTokens: 1000, trace: [] }, target, noFiles)).body
}

/** What twenty turns cost with the marks, where 1 is the same without any. */
async function priceOf(model: string, chat: Chat): Promise<number> {
  const { client, target } = rig('anthropic', 'http://127.0.0.1:9/v1')
  const to = await target(model)
  const cache = new PromptCache(to.profile.minCacheTokens ?? 0)
  const sum = { paid: 0, plain: 0 }
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (let round = 0; round <= chat.calls; round += 1) {
      const { paid, plain, marks } = cache.price(await bodyOf(client, to, chat, [turn, round]))
      expect(marks).toBeLessThanOrEqual(4)
      sum.paid += paid
      sum.plain += plain
    }
  }
  return sum.paid / sum.plain
}

const ROWS = (['documented', 'cache-first'] as const).flatMap((layout) =>
  [true, false].flatMap((time) => [false, true].map((memory) => ({ layout, time, memory }))),
)

test('the marks never cost more than none, and save where the head comes again', async () => {
  const table: string[] = []
  for (const row of ROWS) {
    const cells: string[] = []
    // calls a turn, first without a limit of the history, then with one of 30 messages
    for (const [historyLimit, several] of [
      [0, [0, 1, 3, 8]],
      [30, [0, 3]],
    ] as const) {
      for (const calls of several) {
        const price = await priceOf('claude-sonnet-4-5', { ...row, calls, offered: TOOLS.length, historyLimit })
        cells.push(price.toFixed(2))
        expect.soft(price, JSON.stringify({ ...row, calls, historyLimit })).toBeLessThanOrEqual(1)
      }
    }
    const { layout, time, memory } = row
    table.push(`${layout}, time ${time ? 'on' : 'off'}, memory ${memory ? 'on' : 'off'}: ${cells.join(' ')}`)
  }
  expect(table).toMatchInlineSnapshot(`
    [
      "documented, time on, memory off: 1.00 0.88 0.57 0.32 1.00 0.53",
      "documented, time on, memory on: 1.00 0.88 0.57 0.32 1.00 0.53",
      "documented, time off, memory off: 0.19 0.15 0.13 0.11 0.42 0.28",
      "documented, time off, memory on: 1.00 0.88 0.57 0.32 1.00 0.53",
      "cache-first, time on, memory off: 0.20 0.15 0.13 0.11 0.28 0.21",
      "cache-first, time on, memory on: 0.21 0.17 0.14 0.12 0.30 0.23",
      "cache-first, time off, memory off: 0.19 0.15 0.13 0.11 0.27 0.21",
      "cache-first, time off, memory on: 0.21 0.17 0.14 0.12 0.29 0.22",
    ]
  `)
}, 180_000)

test('where no head comes again, a chat learns from its first loop of tools how long they are', async () => {
  const chat = { layout: 'documented', time: true, memory: true, offered: 1, historyLimit: 0 } as const
  // one mark in forty requests that nobody reads
  expect(await priceOf('claude-sonnet-4-5', { ...chat, calls: 1 })).toBeLessThan(1.01)
  expect(await priceOf('claude-sonnet-4-5', { ...chat, calls: 2 })).toBeLessThan(0.85)
})
