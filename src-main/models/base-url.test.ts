import { describe, expect, it } from 'vitest'
import { baseUrlOf, deploymentOf, isLocalAddress, normaliseBaseUrl, queryOf } from './base-url'
import type { ConnectionKind } from './contract'

describe('normaliseBaseUrl', () => {
  it.each<[ConnectionKind, string, string | undefined]>([
    ['openai-compatible', ' https://example.com/v1/ ', 'https://example.com/v1'],
    ['openai-compatible', 'https://example.com/v1/chat/completions', 'https://example.com/v1'],
    ['openai-compatible', 'https://example.com/api/v1/models/', 'https://example.com/api/v1'],
    ['openai-compatible', 'http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['openai', '', undefined],
    ['openai', 'https://api.openai.com', 'https://api.openai.com/v1'],
    ['openai', 'https://api.openai.com/v1/responses', 'https://api.openai.com/v1'],
    ['anthropic', 'https://proxy.example', 'https://proxy.example/v1'],
    ['anthropic', 'https://proxy.example/v1/messages', 'https://proxy.example/v1'],
    ['google', 'https://generativelanguage.googleapis.com', 'https://generativelanguage.googleapis.com/v1beta'],
    ['ollama', 'http://localhost:11434/api/chat', 'http://localhost:11434'],
    ['ollama', 'http://localhost:11434/v1/', 'http://localhost:11434'],
    ['dry-run', 'https://anything', undefined],
    [
      'openai',
      'https://res.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21',
      'https://res.openai.azure.com/openai/deployments/d?api-version=2024-10-21',
    ],
    ['openai-compatible', 'https://example.com/v1/?tenant=a%20b&x=1#top', 'https://example.com/v1?tenant=a%20b&x=1'],
    ['openai', 'https://proxy.example?', 'https://proxy.example/v1'],
  ])('%s: %s -> %s', (kind, raw, expected) => {
    expect(normaliseBaseUrl(kind, raw)).toBe(expected)
  })

  it.each<[string, string]>([
    ['', 'needs an address'],
    ['localhost:1234/v1', 'Did you mean http://localhost:1234/v1 ?'],
    ['api.example.com/v1', 'Did you mean https://api.example.com/v1 ?'],
    ['ftp://example.com', 'must begin with http://'],
    ['https://', 'is no web address'],
    ['https://me:secret@example.com/v1', 'key field'],
    ['https://example.com/v1?api_key=abc', 'key field'],
  ])('%s is refused: %s', (raw, words) => {
    expect(() => normaliseBaseUrl('openai-compatible', raw)).toThrow(
      expect.objectContaining({ code: 'bad_input', message: expect.stringContaining(words) }),
    )
  })
})

it('tells own machines from others', () => {
  expect(['http://localhost:1', 'http://192.168.1.4:1234/v1', 'http://box.local:8080'].every(isLocalAddress)).toBe(true)
  expect(['https://api.example.com', 'http://8.8.8.8'].some(isLocalAddress)).toBe(false)
})

it('parts an address from its query, and a deployment from its resource', () => {
  const azure = {
    kind: 'openai' as const,
    baseUrl: 'https://r.openai.azure.com/openai/deployments/my%20gpt?api-version=2024-10-21',
  }
  expect([baseUrlOf(azure), queryOf(azure)]).toEqual([
    'https://r.openai.azure.com/openai/deployments/my%20gpt',
    'api-version=2024-10-21',
  ])
  expect(deploymentOf(baseUrlOf(azure))).toEqual({
    name: 'my gpt',
    listUrl: 'https://r.openai.azure.com/openai/models',
  })
  expect(queryOf({})).toBe('')
  expect(deploymentOf('https://r.openai.azure.com/openai/v1')).toBeUndefined()
})
