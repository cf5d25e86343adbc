import { afterAll, expect, it } from 'vitest'
import { assemble } from '../src-main/context/assemble/assemble'
import { ledgerOf } from '../src-main/context/assemble/ledger'
import { project } from '../src-main/context/assemble/project'
import { usageOf } from '../src-main/context/assemble/usage'
import type { BlockSource, TurnInput } from '../src-main/context/block-source'
import { collectBlocks } from '../src-main/context/collect-blocks'
import { BLOCKS, type LayoutName } from '../src-main/context/contract'
import { modelMigrations } from '../src-main/models/migrations'
import { createTokenCounters } from '../src-main/models/tokens/counters'
import { estimateTokens } from '../src-main/models/tokens/estimate'
import type { Message } from '../src-main/sessions/contract'
import { memoryDatabase } from '../src-main/testing/memory-database'
import {
  block,
  depthItem,
  item,
  message,
  PROFILES,
  sessionSettings,
  toolPart,
  turnInput,
} from '../src-main/testing/turn-builders'

const SIZES = [200, 1000, 2000, 4000, 10_000, 20_000]
const ROUNDS = 31
const WARM = 10
const SENTENCE = 'The guide counted the water skins twice before the caravan left the last well. '

/** A chat with a tool round in every fourth answer, ten minutes a turn, about 180 characters a message. */
function chat(size: number): Message[] {
  return Array.from({ length: size }, (_, n) => {
    const text = `${n}: ${SENTENCE.repeat(2)}`
    if (n % 2 === 0) return message(`m${n}`, 'user', text, { minutes: n * 5 })
    const parts =
      n % 8 === 7
        ? [toolPart(`c${n}`, SENTENCE), { type: 'round' as const, round: 2 }, { type: 'text' as const, text }]
        : [{ type: 'text' as const, text }]
    return message(`m${n}`, 'assistant', text, { parts, minutes: n * 5 + 1 })
  })
}

const rooms: BlockSource[] = BLOCKS.map((name) => {
  const items =
    name === 'worldbook'
      ? [depthItem('d4', SENTENCE, 4, 'system'), item('w', SENTENCE, { at: 'worldbook_before' })]
      : [item(name, SENTENCE)]
  return { block: name, collect: async () => block(name, items) }
})

/** The app's own counter: old texts come from its cache, new ones from its worker. */
const counters = createTokenCounters({
  database: memoryDatabase(modelMigrations),
  now: () => '2026-01-01T00:00:00.000Z',
  primeTimeoutMs: 60_000,
})
const counter = counters.forModel('dry-run/gpt-4o')
afterAll(() => counters.close())

interface Steps {
  collect: number
  assemble: number
  project: number
  ledger: number
  usage: number
  total: number
}

async function oneTurn(turn: TurnInput, profile: keyof typeof PROFILES): Promise<Steps> {
  const began = performance.now()
  const blocks = await collectBlocks(rooms, turn, 3000)
  const collected = performance.now()
  const { entries } = assemble({ turn, blocks })
  const assembled = performance.now()
  const { messages } = project(entries, PROFILES[profile], { appPrefix: 'Reminders stand in tags.' })
  const projected = performance.now()
  const texts: string[] = []
  for (const { parts } of messages) for (const { pieces } of parts) for (const { text } of pieces) texts.push(text)
  const counting = counter.prime(texts)
  const asked = performance.now()
  // counting what is new happens on another thread, and is waited for by whoever wants exact figures
  await counting
  const waited = performance.now() - asked
  const ledger = ledgerOf(
    messages,
    [],
    (text) => counter.count(text),
    () => '',
  )
  const counted = performance.now() - waited
  usageOf(ledger, { window: 1_000_000, reserved: 4000 }, 'estimated')
  const done = performance.now() - waited
  return {
    collect: collected - began,
    assemble: assembled - collected,
    project: projected - assembled,
    ledger: counted - projected,
    usage: done - counted,
    total: done - began,
  }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Each round is a new turn: the stored messages, their objects read anew but not their parts, and a new one. */
async function measure(size: number, historyLimit: number, layout: LayoutName, profile: keyof typeof PROFILES) {
  const before = chat(size - 1)
  const session = sessionSettings({ historyLimit, layout })
  const rounds: Steps[] = []
  let cpu = process.cpuUsage()
  for (let round = 0; round < ROUNDS + WARM; round++) {
    if (round === WARM) cpu = process.cpuUsage()
    const draft = message(`draft${round}`, 'user', `${round} ${SENTENCE}`, { minutes: size * 5 + round })
    const steps = await oneTurn(turnInput({ session, branch: [...before.map((one) => ({ ...one })), draft] }), profile)
    if (round >= WARM) rounds.push(steps)
  }
  const { user, system } = process.cpuUsage(cpu)
  const row: Record<string, string | number> = { messages: size, limit: historyLimit || 'all', layout, profile }
  for (const step of ['collect', 'assemble', 'project', 'ledger', 'usage', 'total'] as const) {
    row[`${step} ms`] = median(rounds.map((one) => one[step])).toFixed(3)
  }
  row['best ms'] = Math.min(...rounds.map((one) => one.total)).toFixed(3)
  // On a busy machine the clock counts other programs too; processor time (collection of garbage included) does not.
  const cpuMs = (user + system) / 1000 / ROUNDS
  row['cpu ms'] = cpuMs.toFixed(3)
  return { row, cpuMs }
}

async function table(historyLimit: number, layout: LayoutName, profile: keyof typeof PROFILES): Promise<void> {
  const results: ({ size: number } & Awaited<ReturnType<typeof measure>>)[] = []
  for (const size of SIZES) results.push({ size, ...(await measure(size, historyLimit, layout, profile)) })
  console.table(results.map((one) => one.row))
  const at = (size: number) => results.find((one) => one.size === size)?.cpuMs ?? 0
  console.log(
    `doubling, processor time: 1,000→2,000 ×${(at(2000) / at(1000)).toFixed(2)}, 2,000→4,000 ×${(at(4000) / at(2000)).toFixed(2)}, 10,000→20,000 ×${(at(20_000) / at(10_000)).toFixed(2)}`,
  )
  expect(results).toHaveLength(SIZES.length)
}

it('a warm turn, the whole history sent', () => table(0, 'documented', 'openai'))
it('a warm turn, the whole history sent, strict alternation', () => table(0, 'documented', 'unknown'))
it('a warm turn, the default window of 30', () => table(30, 'documented', 'openai'))
it('a warm turn, cache-first, a window of 300', () => table(300, 'cache-first', 'anthropic'))

it('how much of each request is a byte-identical prefix of the one before, over 100 turns', async () => {
  const rows = []
  for (const layout of ['documented', 'cache-first'] as const) {
    let before = ''
    let shared = 0
    let all = 0
    for (let length = 1; length <= 100; length++) {
      const branch = chat(2 * length - 1)
      const epochMs = Date.parse(branch.at(-1)?.createdAt ?? '')
      const now = { ...turnInput().now, epochMs }
      const turn = turnInput({ branch, now, session: sessionSettings({ historyLimit: 60, layout }) })
      const { createTimeSource } = await import('../src-main/context/time/time-block')
      const fresh: BlockSource[] = rooms.map((room) => {
        if (room.block === 'time') return createTimeSource()
        if (room.block !== 'memory') return room
        return { block: 'memory', collect: async () => block('memory', [item(`m${length}`, `${length} ${SENTENCE}`)]) }
      })
      const blocks = await collectBlocks(fresh, turn, 3000)
      const { messages } = project(assemble({ turn, blocks }).entries, PROFILES.anthropic, { appPrefix: 'Reminders.' })
      const bytes = messages
        .map((one) => `${one.role}\n${one.parts.flatMap((part) => part.pieces.map((piece) => piece.text)).join('')}`)
        .join('\n\u0000')
      let same = 0
      while (same < bytes.length && bytes[same] === before[same]) same++
      shared += estimateTokens(bytes.slice(0, same))
      all += estimateTokens(bytes)
      before = bytes
    }
    rows.push({ layout, 'shared prefix %': ((100 * shared) / all).toFixed(1), 'tokens sent': Math.round(all) })
  }
  console.table(rows)
  expect(rows).toHaveLength(2)
})
