import { describe, expect, it } from 'vitest'
import { settingsSchema } from '../settings/contract'
import { sessionSettings, turnInput } from '../testing/turn-builders'
import { localTime } from './assemble/time-text'
import type { BlockSource, TurnInput } from './block-source'
import { createEnhancedPromptSource } from './enhanced-prompt/enhanced-prompt-block'
import { NO_SENTENCE } from './templates-contract'
import { createTimeSource } from './time/time-block'
import { createTopicPromptSource } from './topic-prompt/topic-prompt-block'

const collect = (source: BlockSource, turn: Partial<TurnInput>) =>
  source.collect(turnInput(turn), new AbortController().signal)

const withContext = (context: Record<string, unknown>) => settingsSchema.parse({ context })

describe('topic prompt', () => {
  it('is the session’s text, or absent with the right reason', async () => {
    const topic = (topicPrompt: string) =>
      collect(createTopicPromptSource(), { session: sessionSettings({ topicPrompt }) })
    expect((await topic('About tea')).items[0]).toMatchObject({ id: 'topic:s1', text: 'About tea' })
    expect((await topic('   ')).absent?.reason).toBe('empty')
    expect((await topic('')).absent?.reason).toBe('not_set_up')
  })
})

describe('enhanced prompt', () => {
  const enhanced = (own: string | null, general: string) =>
    collect(createEnhancedPromptSource(), {
      session: sessionSettings({ enhancedPrompt: own }),
      settings: withContext({ enhancedPrompt: general }),
    })

  it('takes the session’s, else the one in Settings', async () => {
    expect((await enhanced('Mine', 'General')).items[0]).toMatchObject({ id: 'enhanced:s1', text: 'Mine' })
    expect((await enhanced(null, 'General')).items[0]).toMatchObject({ id: 'enhanced:settings', text: 'General' })
    expect((await enhanced('', 'General')).absent?.reason).toBe('off')
    expect((await enhanced(null, '')).absent?.reason).toBe('not_set_up')
  })

  it('carries its sentence in the prompt language', async () => {
    expect((await enhanced('Mine', '')).framing).toContain('filled in automatically')
    const chinese = await collect(createEnhancedPromptSource(), {
      language: 'zh-CN',
      session: sessionSettings({ enhancedPrompt: '简短' }),
    })
    expect(chinese.framing).toContain('自动填入')
  })
})

describe('time', () => {
  it('says local time, weekday, zone and ISO 8601 in the prompt language', async () => {
    const english = await collect(createTimeSource(), {})
    expect(english.items[0]?.text).toBe(
      'Local time 2026-03-02 09:00, Monday. Time zone Asia/Shanghai. ISO 8601: 2026-03-02T09:00:00+08:00',
    )
    const chinese = await collect(createTimeSource(), { language: 'zh-CN' })
    expect(chinese.items[0]?.text).toBe(
      '本地时间 2026-03-02 09:00，星期一。时区 Asia/Shanghai。ISO 8601：2026-03-02T09:00:00+08:00',
    )
  })

  it('follows daylight saving, negative and half-hour offsets, and UTC', () => {
    const iso = (at: string, zone: string) => localTime(Date.parse(at), zone, 'en').iso
    expect(iso('2026-07-01T12:00:00Z', 'America/New_York')).toBe('2026-07-01T08:00:00-04:00')
    expect(iso('2026-01-01T02:00:00Z', 'America/New_York')).toBe('2025-12-31T21:00:00-05:00')
    expect(iso('2026-01-01T20:00:00Z', 'Asia/Kolkata')).toBe('2026-01-02T01:30:00+05:30')
    expect(iso('2026-01-01T00:00:00Z', 'UTC')).toBe('2026-01-01T00:00:00+00:00')
  })

  it('is off when switched off, and leaves nothing where the template is blank', async () => {
    expect((await collect(createTimeSource(), { settings: withContext({ sendTime: false }) })).absent?.reason).toBe(
      'off',
    )
    const blank = withContext({ templates: { time: NO_SENTENCE } })
    expect((await collect(createTimeSource(), { settings: blank })).absent?.reason).toBe('empty')
    const own = withContext({ templates: { time: '{clock} {nothing}' } })
    expect((await collect(createTimeSource(), { settings: own })).items[0]?.text).toBe('09:00 {nothing}')
  })
})
