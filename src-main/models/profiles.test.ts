import { describe, expect, it } from 'vitest'
import type { ConnectionKind, WireProfile } from './contract'
import { defaultProfile, mergeProfile, tighten } from './profiles'

function short(profile: WireProfile): string {
  const { leadingSystems, midSystem, alternate, userFirst, marks } = profile
  return [leadingSystems, midSystem, alternate ? 'turns' : '-', userFirst ? 'user' : '-', marks].join(' ')
}

describe('defaultProfile', () => {
  it.each<[ConnectionKind, string | undefined, string, string]>([
    ['anthropic', undefined, 'claude-opus-4-8', 'many anthropic - user anthropic4'],
    ['anthropic', undefined, 'claude-opus-5', 'many anthropic - user anthropic4'],
    ['anthropic', undefined, 'claude-sonnet-5-5', 'many anthropic - user anthropic4'],
    ['anthropic', undefined, 'claude-sonnet-4-6', 'many none - user anthropic4'],
    ['anthropic', undefined, 'claude-opus-4-20250514', 'many none - user anthropic4'],
    ['anthropic', undefined, 'claude-3-5-haiku-20241022', 'many none - user anthropic4'],
    ['openai', undefined, 'gpt-5.5', 'many anywhere - - openai'],
    ['openai-compatible', 'https://x.openai.azure.com/openai/v1', 'gpt-5.5', 'many anywhere - - openai'],
    ['openai-compatible', 'https://openrouter.ai/api/v1', 'openai/gpt-5.5', 'many none - - none'],
    ['openai-compatible', 'https://api.deepseek.com', 'deepseek-chat', 'many none - - none'],
    ['openai-compatible', 'https://api.x.ai/v1', 'grok-4', 'many none - - none'],
    ['openai-compatible', 'https://notx.ai/v1', 'grok-4', 'one none turns user none'],
    ['openai-compatible', 'http://127.0.0.1:1234/v1', 'qwen3', 'one none turns user none'],
    ['openai-compatible', 'http://127.0.0.1:1234/v1', 'google/gemma-3-12b', 'inUser none turns user none'],
    ['openai-compatible', 'http://127.0.0.1:1234/v1', 'gemma-7b-it', 'inUser none turns user none'],
    ['openai-compatible', 'http://127.0.0.1:1234/v1', 'gemma-4-27b', 'one none turns user none'],
    ['ollama', undefined, 'mistral:7b', 'inUser none turns user none'],
    ['ollama', undefined, 'mistral-small3.2', 'one none turns user none'],
    ['google', undefined, 'gemini-2.5-pro', 'many none turns user none'],
  ])('%s %s %s', (kind, baseUrl, model, expected) => {
    expect(short(defaultProfile(kind, { ...(baseUrl === undefined ? {} : { baseUrl }), model }))).toBe(expected)
  })
})

describe('tighten', () => {
  const loose = defaultProfile('openai')
  const strict = defaultProfile('ollama', { model: 'gemma3' })

  it.each([
    ['System message must be at the beginning.', { midSystem: 'none' }],
    ['Error rendering prompt with jinja template: "System message must be at the beginning."', { midSystem: 'none' }],
    ['Conversation roles must alternate user/assistant/user/assistant/...', { alternate: true, userFirst: true }],
    ['System role not supported', { midSystem: 'none' }],
    ["role 'system' is not supported on this model", { midSystem: 'none' }],
    ['Developer instruction is not enabled for models/gemma-3-27b-it', { midSystem: 'none' }],
    ['The first message must be from the user', { userFirst: true }],
    ['temperature must be 1', undefined],
    ['The model does not exist', undefined],
    ['System overloaded, please start again later', undefined],
  ])('%s', (words, changed) => {
    expect(tighten(loose, words)?.changed).toEqual(changed)
  })

  it('goes one step at a time and ends', () => {
    let profile = loose
    const steps: string[] = []
    for (let at = 0; at < 10; at++) {
      const next = tighten(profile, 'System message must be at the beginning.')
      if (!next) break
      steps.push(Object.keys(next.changed).join())
      profile = next.profile
    }
    expect(steps).toEqual(['midSystem', 'leadingSystems', 'leadingSystems'])
    expect(profile.leadingSystems).toBe('inUser')
  })

  it('has nothing left for the strictest profile', () => {
    for (const words of [
      'System role not supported',
      'roles must alternate',
      'System message must be at the beginning',
    ])
      expect(tighten(strict, words)).toBeUndefined()
  })
})

it('a patch with undefined fields says nothing', () => {
  const base = defaultProfile('openai')
  expect(mergeProfile(base, { marks: undefined, alternate: true })).toEqual({ ...base, alternate: true })
})
