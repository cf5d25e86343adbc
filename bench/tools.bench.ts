import { afterAll, beforeAll, expect, it } from 'vitest'
import { modelMigrations } from '../src-main/models/migrations'
import { createTokenCounters } from '../src-main/models/tokens/counters'
import { memoryDatabase } from '../src-main/testing/memory-database'
import { schemaProblem } from '../src-main/tools/arguments'
import { decideTool, type ToolSituation } from '../src-main/tools/policy'
import { nameTools } from '../src-main/tools/registry'
import type { ToolSetting } from '../src-main/tools/repository'
import type { Tool } from '../src-main/tools/tool'

const TOOLS = 300
const RUNS = 200
const counters = createTokenCounters({
  database: memoryDatabase(modelMigrations),
  now: () => '2026-01-01T00:00:00.000Z',
  primeTimeoutMs: 60_000,
})
const counter = counters.forModel('bench/gpt-4o')
const rows: Record<string, string>[] = []

/** About what servers list: eight arguments with a sentence each, 1.4 kB of JSON. */
function listedTool(at: number): Tool {
  const properties = Object.fromEntries(
    Array.from({ length: 8 }, (_, n) => [
      `field_${n}`,
      { type: n % 2 ? 'string' : 'number', description: `Argument ${n} of tool ${at}: what it is for, and its unit.` },
    ]),
  )
  const schema = { type: 'object', properties, required: ['field_0', 'field_1'] }
  const unusable = schemaProblem(schema)
  return {
    subject: {
      id: `mcp/server-${at % 10}/tool_${at}`,
      origin: 'mcp',
      enabledByDefault: true,
      defaultPolicy: 'ask',
      server: { id: `server-${at % 10}`, selectedForChat: at % 7 !== 0, state: at % 11 === 0 ? 'failed' : 'ready' },
      ...(unusable === undefined ? {} : { unusable }),
    },
    name: `tool_${at % 280}`,
    serverName: `server ${at % 10}`,
    description: `Tool ${at} looks something up. It is the right one when a question names its number.`,
    schema,
    run: async () => ({ outcome: 'completed', text: '' }),
  }
}

const tools = Array.from({ length: TOOLS }, (_, at) => listedTool(at))
const settings = new Map<string, ToolSetting>(
  tools
    .slice(0, 50)
    .map(({ subject }, at) => [
      subject.id,
      { enabled: at % 2 === 0, policy: at % 3 === 0 ? 'deny' : null, description: null },
    ]),
)
const situation: ToolSituation = {
  isolated: false,
  temporary: false,
  modelHasTools: true,
  memory: { enabled: true, write: true, activeRetrieval: true, topK: 3 },
  choices: Object.fromEntries(tools.slice(50, 90).map(({ subject }) => [subject.id, 'allow' as const])),
}

async function measure(name: string, act: () => unknown): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < RUNS; run += 1) {
    const began = performance.now()
    await act()
    times.push(performance.now() - began)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(RUNS - 1, Math.floor(RUNS * share))] ?? 0
  rows.push({ what: name, 'p50 ms': at(0.5).toFixed(2), 'p95 ms': at(0.95).toFixed(2), worst: at(1).toFixed(2) })
  return at(0.5)
}

const decided = () =>
  nameTools(tools, settings).map((tool) => ({ tool, decision: decideTool(tool.subject, situation) }))

async function counted(): Promise<number> {
  const texts = decided().map(({ tool: { name, description, schema } }) =>
    JSON.stringify({ name, description, parameters: schema }),
  )
  await counter.prime(texts)
  return texts.reduce((sum, text) => sum + counter.count(text), 0)
}

beforeAll(async () => {
  await counted()
})
afterAll(async () => {
  process.stdout.write(`${TOOLS} tools, median of ${RUNS} runs; the goal is 20 ms warm\n`)
  for (const row of rows)
    process.stdout.write(
      `${Object.values(row)
        .map((cell, at) => cell.padEnd(at ? 10 : 52))
        .join('')}\n`,
    )
  await counters.close()
})

it('names, settings and policy', async () => {
  const open = decided().filter(({ decision }) => decision.available).length
  expect(open).toBeGreaterThan(100)
  expect(open).toBeLessThan(TOOLS)
  await measure('names, settings and policy', decided)
})

it('policy and token counting, warm', async () => {
  expect(await counted()).toBeGreaterThan(TOOLS * 100)
  await measure('the same and the tokens of every definition, warm', counted)
})

it('schemas checked for the first time', async () => {
  await measure('schemas of new tools checked, once per listing', () =>
    Array.from({ length: TOOLS }, (_, at) => listedTool(at)),
  )
})
