import { expect, it } from 'vitest'
import { carriedSettings, fittingSettings } from './carry-settings'
import { settingsSchema } from './contract'
import { mergeFields } from './settings-fields'

const withChanges = (patch: Record<string, unknown>) =>
  settingsSchema.parse(mergeFields(settingsSchema.parse({}), patch))

it('carries what was changed, and nothing that names a connection or this installation', () => {
  const settings = withChanges({
    general: { theme: 'dark', defaultModelId: 'c/m', firstRunDone: true, shortcuts: { 'chat.new': 'Alt+N' } },
    memory: { topK: 5, embedder: { kind: 'ollama', connectionId: 'c', model: 'm' } },
  })
  expect(carriedSettings(settings)).toEqual({
    general: { theme: 'dark', shortcuts: { 'chat.new': 'Alt+N' } },
    memory: { topK: 5 },
  })
  expect(carriedSettings(settingsSchema.parse({}))).toEqual({})
})

it('takes what stands at its default here and leaves what was chosen here', () => {
  const here = withChanges({ general: { theme: 'light' } })
  const carried = {
    general: { theme: 'dark', language: 'zh-CN', firstRunDone: true, shortcuts: { 'chat.new': 'Alt+N' } },
    context: { historyLimit: -1, landmarks: { intervalMinutes: 60 } },
    memory: { topK: 3, embedder: { connectionId: 'c' } },
    moon: { phase: 1 },
  }
  expect(fittingSettings(here, carried)).toEqual({
    patch: {
      general: { language: 'zh-CN', shortcuts: { 'chat.new': 'Alt+N' } },
      context: { landmarks: { intervalMinutes: 60 } },
    },
    count: 3,
    refused: ['context.historyLimit', 'moon.phase'],
  })
  expect(fittingSettings(here, 'nonsense')).toEqual({ patch: {}, count: 0, refused: [] })
})
