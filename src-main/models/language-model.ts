import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'
import { baseUrlOf } from './base-url'
import type { ModelTarget } from './client-types'
import { ollamaLanguageModel } from './ollama-language-model'
import { isOpenAiHost } from './profiles'
import type { Protocol } from './reading/read-body'

/** Adapters insist on a key and would else look for one in the environment; the empty header is taken off again. */
const NO_KEY = ''

function withoutEmptyAuth(send: typeof fetch): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers)
    for (const [name, value] of [...headers]) {
      if (value.trim() === '' || /^bearer$/i.test(value.trim())) headers.delete(name)
    }
    return send(input, { ...init, headers })
  }
}

/** Only OpenAI itself is sure to have the Responses protocol; others at an own address get chat completions. */
export function usesResponses(baseUrl: string): boolean {
  return new URL(baseUrl).hostname === 'api.openai.com'
}

/** What a connection's server speaks. */
export function protocolOf({ connection }: ModelTarget): Protocol {
  switch (connection.kind) {
    case 'dry-run':
    case 'openai-compatible':
      return 'chat'
    case 'openai':
      return usesResponses(baseUrlOf(connection)) ? 'responses' : 'chat'
    case 'anthropic':
    case 'google':
    case 'ollama':
      return connection.kind
  }
}

/** The protocol adapter of a connection's kind. Every request of it goes through `send`. */
export function languageModel(target: ModelTarget, send: typeof fetch, ids: () => string): LanguageModel {
  const { connection, model } = target
  const baseURL = baseUrlOf(connection)
  const headers = { ...connection.headers, ...target.secretHeaders }
  const settings = { baseURL, headers, apiKey: target.apiKey ?? NO_KEY, fetch: withoutEmptyAuth(send) }
  switch (connection.kind) {
    case 'dry-run':
    case 'openai-compatible':
      // their reasoning models refuse `max_tokens`, which this adapter would send
      if (isOpenAiHost(baseURL)) return createOpenAI(settings).chat(model.name)
      return createOpenAICompatible({ ...settings, name: 'openaiCompatible', includeUsage: true })(model.name)
    case 'openai': {
      const openai = createOpenAI(settings)
      return usesResponses(baseURL) ? openai.responses(model.name) : openai.chat(model.name)
    }
    case 'anthropic':
      return createAnthropic(settings)(model.name)
    case 'google':
      return createGoogle(settings)(model.name)
    case 'ollama':
      return ollamaLanguageModel({
        baseUrl: baseURL,
        model: model.name,
        ...(model.contextWindow === undefined ? {} : { contextWindow: model.contextWindow }),
        headers: target.apiKey ? { authorization: `Bearer ${target.apiKey}`, ...headers } : headers,
        fetch: send,
        ids,
      })
  }
}
