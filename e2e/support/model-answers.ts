/** What the fake model server says when it is asked once. */
export interface ScriptedAnswer {
  /** Cut into pieces of `pieceLength` characters (4 unless told). */
  text?: string
  reasoning?: string
  toolCalls?: { id: string; name: string; arguments: unknown }[]
  usage?: { input: number; output: number; cached?: number }
  finish?: 'stop' | 'length' | 'tool_calls' | 'content_filter'
  pieceLength?: number
  /** Milliseconds between pieces. */
  pauseMs?: number
  /** Holds the answer back after this many pieces until `release` is called. */
  holdAfter?: number
  /** Cuts the connection after this many pieces, without an ending. */
  cutAfter?: number
  /** Ends with a JSON line that stops in the middle. */
  halfLine?: boolean
  /** An error instead of a stream; `html` is what a proxy in front would say. */
  error?: { status: number; message?: string; html?: string; headers?: Record<string, string> }
}

export type Protocol = 'openai' | 'anthropic' | 'google' | 'ollama'

/** How a protocol writes a stream: the frames before, for each piece, and after. */
interface Dialect {
  contentType: string
  begin(model: string, answer: ScriptedAnswer): string[]
  reasoning(text: string): string
  text(text: string): string
  end(answer: ScriptedAnswer): string[]
}

const DEFAULT_USAGE: NonNullable<ScriptedAnswer['usage']> = { input: 100, output: 20 }

const sse = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const named = (value: { type: string; [field: string]: unknown }) => `event: ${value.type}\n${sse(value)}`

const openaiChunk = (delta: object, finish: string | null = null) =>
  sse({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })

const openai: Dialect = {
  contentType: 'text/event-stream',
  begin: () => [openaiChunk({ role: 'assistant', content: '' })],
  reasoning: (text) => openaiChunk({ reasoning_content: text }),
  text: (text) => openaiChunk({ content: text }),
  end({ toolCalls = [], usage = DEFAULT_USAGE, finish }) {
    const calls = toolCalls.map(({ id, name, arguments: input }, index) =>
      openaiChunk({
        tool_calls: [{ index, id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
      }),
    )
    const total = {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
    }
    return [
      ...calls,
      openaiChunk({}, finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')),
      sse({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage: total }),
      'data: [DONE]\n\n',
    ]
  },
}

const ANTHROPIC_FINISH = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
} as const

/** Anthropic numbers its blocks: reasoning is block 0 when there is any, the text block 1, tools come after. */
const anthropic: Dialect = {
  contentType: 'text/event-stream',
  begin(model, { reasoning }) {
    const usage = { input_tokens: 1, output_tokens: 0 }
    const message = { id: 'm1', type: 'message', role: 'assistant', model, content: [], usage }
    const thinking = { type: 'thinking', thinking: '', signature: '' }
    const blocks = [
      ...(reasoning ? [{ type: 'content_block_start', index: 0, content_block: thinking }] : []),
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    ]
    return [{ type: 'message_start', message }, ...blocks].map(named)
  },
  reasoning: (thinking) =>
    named({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking } }),
  text: (text) => named({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text } }),
  end({ toolCalls = [], usage = DEFAULT_USAGE, finish, reasoning }) {
    const calls = toolCalls.flatMap(({ id, name, arguments: input }, at) => {
      const index = at + 2
      return [
        { type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input: {} } },
        {
          type: 'content_block_delta',
          index,
          delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
        },
        { type: 'content_block_stop', index },
      ]
    })
    const cached = usage.cached ?? 0
    const totals = { input_tokens: usage.input - cached, cache_read_input_tokens: cached, output_tokens: usage.output }
    const reason = ANTHROPIC_FINISH[finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')]
    return [
      ...(reasoning ? [{ type: 'content_block_stop', index: 0 }] : []),
      { type: 'content_block_stop', index: 1 },
      ...calls,
      { type: 'message_delta', delta: { stop_reason: reason }, usage: totals },
      { type: 'message_stop' },
    ].map(named)
  },
}

const googlePart = (part: object) => sse({ candidates: [{ content: { role: 'model', parts: [part] }, index: 0 }] })

const google: Dialect = {
  contentType: 'text/event-stream',
  begin: () => [],
  reasoning: (text) => googlePart({ text, thought: true }),
  text: (text) => googlePart({ text }),
  end({ toolCalls = [], usage = DEFAULT_USAGE, finish }) {
    const calls = toolCalls.map(({ name, arguments: args }) => googlePart({ functionCall: { name, args } }))
    const usageMetadata = {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output,
      cachedContentTokenCount: usage.cached ?? 0,
      totalTokenCount: usage.input + usage.output,
    }
    const finishReason = finish === 'length' ? 'MAX_TOKENS' : 'STOP'
    return [
      ...calls,
      sse({ candidates: [{ content: { role: 'model', parts: [] }, finishReason, index: 0 }], usageMetadata }),
    ]
  },
}

const line = (value: unknown) => `${JSON.stringify(value)}\n`
const ollamaPart = (message: object) =>
  line({ model: 'm', message: { role: 'assistant', content: '', ...message }, done: false })

const ollama: Dialect = {
  contentType: 'application/x-ndjson',
  begin: () => [],
  reasoning: (thinking) => ollamaPart({ thinking }),
  text: (content) => ollamaPart({ content }),
  end({ toolCalls = [], usage = DEFAULT_USAGE, finish }) {
    const calls = toolCalls.map(({ name, arguments: input }) =>
      ollamaPart({ tool_calls: [{ function: { name, arguments: input } }] }),
    )
    const done = { model: 'm', message: { role: 'assistant', content: '' }, done: true, done_reason: finish ?? 'stop' }
    return [...calls, line({ ...done, prompt_eval_count: usage.input, eval_count: usage.output })]
  },
}

const DIALECTS: Record<Protocol, Dialect> = { openai, anthropic, google, ollama }

export interface WrittenAnswer {
  contentType: string
  begin: string[]
  /** One frame for each piece of reasoning, then of text: what `pauseMs`, `holdAfter` and `cutAfter` count. */
  pieces: string[]
  end: string[]
  half: string
}

export function writeAnswer(protocol: Protocol, model: string, answer: ScriptedAnswer): WrittenAnswer {
  const dialect = DIALECTS[protocol]
  const { pieceLength = 4, reasoning = '', text = '' } = answer
  const whole = dialect.text('never finished')
  return {
    contentType: dialect.contentType,
    begin: dialect.begin(model, answer),
    pieces: [...cut(reasoning, pieceLength).map(dialect.reasoning), ...cut(text, pieceLength).map(dialect.text)],
    end: dialect.end(answer),
    half: whole.slice(0, whole.length / 2),
  }
}

/** Whole characters only: half an emoji is no text. */
function cut(text: string, length: number): string[] {
  const characters = [...text]
  const pieces: string[] = []
  for (let at = 0; at < characters.length; at += length) pieces.push(characters.slice(at, at + length).join(''))
  return pieces
}

/** The whole answer at once, for the calls that do not stream. */
export function wholeAnswer(protocol: Protocol, { text = '', usage = DEFAULT_USAGE }: ScriptedAnswer): unknown {
  const { input, output } = usage
  switch (protocol) {
    case 'openai': {
      const message = { role: 'assistant', content: text }
      const total = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
      return { id: 'c1', created: 1, model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }], usage: total }
    }
    case 'anthropic': {
      const content = [{ type: 'text', text }]
      const total = { input_tokens: input, output_tokens: output }
      return {
        id: 'm1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content,
        stop_reason: 'end_turn',
        usage: total,
      }
    }
    case 'google': {
      const content = { role: 'model', parts: [{ text }] }
      const usageMetadata = { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output }
      return { candidates: [{ content, finishReason: 'STOP', index: 0 }], usageMetadata }
    }
    case 'ollama': {
      const message = { role: 'assistant', content: text }
      return { model: 'm', message, done: true, done_reason: 'stop', prompt_eval_count: input, eval_count: output }
    }
  }
}
