import type { ConnectionKind, DetectedServer } from '../../src-main/models/contract'

export interface Provider {
  id: string
  name: string
  kind: ConnectionKind
  /** Absent = the kind's own address. */
  baseUrl?: string
  /** The key is the point of most providers; local servers rarely want one. */
  needsKey: boolean
  local?: boolean
}

export const PROVIDERS: readonly Provider[] = [
  {
    id: 'deepseek',
    name: 'DeepSeek',
    kind: 'openai-compatible',
    baseUrl: 'https://api.deepseek.com/v1',
    needsKey: true,
  },
  { id: 'openai', name: 'OpenAI', kind: 'openai', needsKey: true },
  { id: 'anthropic', name: 'Anthropic', kind: 'anthropic', needsKey: true },
  { id: 'google', name: 'Google Gemini', kind: 'google', needsKey: true },
  {
    id: 'qwen',
    name: '通义千问 Qwen',
    kind: 'openai-compatible',
    baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
    needsKey: true,
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    kind: 'openai-compatible',
    baseUrl: 'https://openrouter.ai/api/v1',
    needsKey: true,
  },
  { id: 'compatible', name: 'OpenAI-compatible', kind: 'openai-compatible', baseUrl: '', needsKey: false },
]

/** Where the usual local servers listen unless told otherwise. */
export const LOCAL_SERVERS: readonly Provider[] = [
  { id: 'ollama', name: 'Ollama', kind: 'ollama', baseUrl: 'http://127.0.0.1:11434', needsKey: false, local: true },
  {
    id: 'lm-studio',
    name: 'LM Studio',
    kind: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:1234/v1',
    needsKey: false,
    local: true,
  },
  {
    id: 'llama-cpp',
    name: 'llama.cpp',
    kind: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:8080/v1',
    needsKey: false,
    local: true,
  },
]

/** A local server with what was found of it. */
export function withDetected(provider: Provider, found: readonly DetectedServer[]): Provider & { models?: number } {
  const server = found.find(
    ({ name }) => name.toLowerCase().replace(/\W/g, '') === provider.name.toLowerCase().replace(/\W/g, ''),
  )
  return server ? { ...provider, kind: server.kind, baseUrl: server.baseUrl, models: server.models } : provider
}
