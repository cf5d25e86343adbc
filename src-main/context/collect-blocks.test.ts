import { describe, expect, it } from 'vitest'
import { settingsSchema } from '../settings/contract'
import { block, item, turnInput } from '../testing/turn-builders'
import type { BlockSource } from './block-source'
import { type ClockTimers, collectBlocks } from './collect-blocks'
import { BLOCKS, type Block } from './contract'

/** Timers a test fires by hand. */
function handTimers(): ClockTimers & { fire(): void; open: number } {
  const waiting = new Set<() => void>()
  return {
    set(run) {
      waiting.add(run)
      return run
    },
    clear(timer) {
      waiting.delete(timer as () => void)
    },
    fire() {
      for (const run of [...waiting]) run()
    },
    get open() {
      return waiting.size
    },
  }
}

const says = (name: Block, asked?: Block[]): BlockSource => ({
  block: name,
  async collect() {
    asked?.push(name)
    return block(name, [item(name, `text of ${name}`)])
  },
})

describe('collectBlocks', () => {
  it('gives one block each, in the documented order, whatever order the rooms come in', async () => {
    const sources = BLOCKS.toReversed()
      .filter((name) => name !== 'memory')
      .map((name) => says(name))
    const blocks = await collectBlocks(sources, turnInput(), 3000)
    expect(blocks.map((one) => one.block)).toEqual(BLOCKS)
    expect(blocks.filter((one) => one.absent).map((one) => one.absent)).toEqual([
      { block: 'memory', reason: 'not_set_up' },
    ])
  })

  it('goes on without a late room, aborts it and ignores what it says afterwards', async () => {
    const timers = handTimers()
    let aborted = false
    const late: BlockSource = {
      block: 'memory',
      collect: (_turn, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted = true
            reject(new Error('too late to matter'))
          })
        }),
    }
    const waiting = collectBlocks([says('time'), late], turnInput(), 3000, timers)
    await new Promise((resolve) => setImmediate(resolve))
    timers.fire()
    const blocks = await waiting
    expect(blocks.find((one) => one.block === 'memory')?.absent).toMatchObject({
      block: 'memory',
      reason: 'timed_out',
      detail: 'No answer within 3 s.',
    })
    expect(blocks.find((one) => one.block === 'time')?.items).toHaveLength(1)
    expect(aborted).toBe(true)
    expect(timers.open).toBe(0)
  })

  it('goes on without a room that throws, at once or later', async () => {
    const sources: BlockSource[] = [
      {
        block: 'memory',
        collect: () => {
          throw new Error('disk gone')
        },
      },
      { block: 'worldbook', collect: () => Promise.reject(new Error('no index')) },
    ]
    const blocks = await collectBlocks(sources, turnInput(), 3000)
    const absent = blocks.flatMap((one) => (one.absent?.reason === 'failed' ? [one.absent] : []))
    expect(absent).toEqual([
      { block: 'memory', reason: 'failed', detail: 'disk gone' },
      { block: 'worldbook', reason: 'failed', detail: 'no index' },
    ])
  })

  it('does not even ask what isolation withholds, and lets the time in by its setting', async () => {
    const asked: Block[] = []
    const sources = BLOCKS.map((name) => says(name, asked))
    const blocks = await collectBlocks(sources, turnInput({ isolated: true }), 3000)
    expect(asked).toEqual(['system_prompt', 'topic_prompt', 'worldbook', 'enhanced_prompt'])
    expect(blocks.flatMap((one) => (one.absent ? [`${one.block} ${one.absent.reason}`] : []))).toEqual([
      'time isolated',
      'memory isolated',
      'recent_conversation_memory isolated',
      'user_profile_memory isolated',
    ])
    const settings = settingsSchema.parse({ isolation: { sendTime: true } })
    const withTime = await collectBlocks(sources, turnInput({ isolated: true, settings }), 3000)
    expect(withTime.find((one) => one.block === 'time')?.items).toHaveLength(1)
  })

  it('does not ask what a what-if switches off', async () => {
    const asked: Block[] = []
    const turn = turnInput({ overrides: { blocksOff: ['memory', 'tools', 'draft'] } })
    const blocks = await collectBlocks([says('memory', asked), says('time', asked)], turn, 3000)
    expect(asked).toEqual(['time'])
    expect(blocks.find((one) => one.block === 'memory')?.absent?.reason).toBe('what_if')
  })
})
