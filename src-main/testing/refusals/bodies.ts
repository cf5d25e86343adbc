const tool = {
  type: 'function',
  function: { name: 'get_time', description: 'The time', parameters: { type: 'object' } },
}
const call = { id: 'c1', type: 'function', function: { name: 'get_time', arguments: '{}' } }
const user = { role: 'user', content: 'Hello' }

const plain = {
  model: 'm',
  max_tokens: 32_000,
  temperature: 0.7,
  top_k: 40,
  store: false,
  reasoning_effort: 'high',
  messages: [{ role: 'system', content: 'Be brief.' }, user],
  tools: [tool],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  stream: true,
  stream_options: { include_usage: true },
}
const looped = [
  ...plain.messages,
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'c1', content: '9' },
]

/** Requests as they left, one of each protocol and shape. */
export const SENT = {
  plain,
  newer: { model: 'm', max_completion_tokens: 32_000, messages: [user], stream: true },
  looped: { ...plain, messages: looped },
  reasoned: {
    ...plain,
    messages: looped.map((message) =>
      message.role === 'assistant' ? { ...message, content: '', reasoning_content: 'Hm.' } : message,
    ),
  },
  prefilled: {
    ...plain,
    tools: undefined,
    tool_choice: undefined,
    messages: [...plain.messages, { role: 'assistant', content: 'Once' }],
  },
  anthropic: {
    model: 'claude',
    max_tokens: 32_000,
    temperature: 0.7,
    thinking: { type: 'enabled', budget_tokens: 8000 },
    system: [],
    stream: true,
    messages: [user],
    tools: [{ name: 'get_time', input_schema: { type: 'object' } }],
    tool_choice: { type: 'auto' },
  },
  anthropicPrefilled: {
    model: 'claude',
    max_tokens: 32_000,
    stream: true,
    messages: [user, { role: 'assistant', content: [{ type: 'text', text: 'Once' }] }],
  },
  google: {
    generationConfig: { maxOutputTokens: 32_000, temperature: 0.7, thinkingConfig: { includeThoughts: true } },
    contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
    tools: [{ functionDeclarations: [{ name: 'get_time' }] }],
    toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
  },
  ollama: {
    model: 'm',
    messages: [user],
    stream: true,
    options: { num_ctx: 16_384, num_predict: 1000 },
    tools: [tool],
  },
  responses: {
    model: 'm',
    input: [],
    max_output_tokens: 1000,
    store: false,
    include: ['reasoning.encrypted_content'],
    stream: true,
    tools: [tool],
    tool_choice: 'auto',
  },
} as const

export type SentName = keyof typeof SENT
