import { describe, expect, it } from 'vitest'
import knownModels from '../../resources/models.json'
import { knownModel } from './known-models'

const OPENAI = 'https://api.openai.com/v1'
const LOCAL = 'http://127.0.0.1:1234/v1'

describe('knownModel', () => {
  it.each([
    ['gpt-4o-mini-2024-07-18', 128_000],
    ['openai/gpt-4.1', 1_047_576],
    ['claude-sonnet-4-5-20250929', 200_000],
    ['claude-opus-5-5', 1_000_000],
    ['models/gemini-2.5-flash', 1_048_576],
    ['qwen3:8b', 40_960],
    ['Qwen/Qwen3-32B-Instruct', 40_960],
    ['llama3.1:8b-instruct-q4_K_M', 131_072],
    ['gemma-3-27b-it.gguf', 131_072],
    ['deepseek/deepseek-chat:free', 1_000_000],
  ])('%s has a window of %i', (name, window) => {
    expect(knownModel(name, LOCAL)?.contextWindow).toBe(window)
  })

  it.each(['gpt-4000', 'gpt-5.99', 'something-else', ''])('%s is not known', (name) => {
    expect(knownModel(name, LOCAL)).toBeUndefined()
  })

  it('tells the maker’s price at the maker’s address only', () => {
    expect(knownModel('gpt-4o', OPENAI)?.price).toEqual({ input: 2.5, output: 10, cachedInput: 1.25, currency: 'USD' })
    expect(knownModel('gpt-4o', LOCAL)?.price).toBeUndefined()
    expect(knownModel('gpt-4o', 'https://api.openai.com.evil.example/v1')?.price).toBeUndefined()
  })

  it('knows what a model can do', () => {
    expect(knownModel('claude-opus-4-8', LOCAL)?.capabilities).toEqual({
      tools: true,
      vision: true,
      pdf: true,
      reasoning: true,
      promptCache: true,
    })
    expect(knownModel('gemma2:9b', LOCAL)?.capabilities).toMatchObject({ tools: false, vision: false })
  })
})

it('the catalogue is sound: every name once, in lower case, sensible figures', () => {
  const names = knownModels.models.flatMap((model) => model.names)
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => name !== name.toLowerCase())).toEqual([])
  for (const model of knownModels.models) {
    expect(model.window).toBeGreaterThanOrEqual(4096)
    if ('input' in model && model.input !== undefined) expect(model.input).toBeLessThan(model.window)
    if ('output' in model && model.output !== undefined) expect(model.output).toBeLessThanOrEqual(model.window)
    if ('price' in model && model.price) expect(model.price[1]).toBeGreaterThanOrEqual(model.price[0] ?? 0)
  }
})
