import type { RequestFit } from '../../models/request-fit'
import type { SentName } from './bodies'

/** A refusal of a real server, what had been sent, and what it teaches; null = nothing. */
export type Refusal = readonly [what: string, sent: SentName, status: number, body: unknown, teaches: RequestFit | null]

const openAi = (message: string, more: object = {}) => ({ error: { message, type: 'invalid_request_error', ...more } })
const extra = (...loc: (string | number)[]) => ({
  detail: [
    {
      type: 'extra_forbidden',
      loc: ['body', ...loc],
      msg: 'Extra inputs are not permitted',
      input: { include_usage: true, tools: 1 },
    },
  ],
})
const router = (raw: unknown, code = 400) => ({
  error: {
    message: 'Provider returned error',
    code,
    metadata: { raw: typeof raw === 'string' ? raw : JSON.stringify(raw), provider_name: 'Some' },
  },
})
const google = (message: string, ...fields: string[]) => [
  {
    error: {
      code: 400,
      message,
      status: 'INVALID_ARGUMENT',
      ...(fields.length > 0 && {
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: fields.map((field) => ({ field, description: message })),
          },
        ],
      }),
    },
  },
]

export const KNOWN_REFUSALS: readonly Refusal[] = [
  // tools
  [
    'vLLM without a parser',
    'plain',
    400,
    {
      object: 'error',
      message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    },
    { leaveOut: ['tools'] },
  ],
  [
    'llama.cpp without jinja',
    'plain',
    500,
    { error: { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' } },
    { leaveOut: ['tools'] },
  ],
  [
    'OpenRouter without an endpoint',
    'plain',
    404,
    {
      error: {
        code: 404,
        message:
          'No endpoints found that support tool use. Try disabling "get_time". To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing',
      },
    },
    { leaveOut: ['tools'] },
  ],
  [
    'Gemma at Google',
    'google',
    400,
    google('Function calling is not enabled for models/gemma-3-27b-it'),
    { leaveOut: ['tools'] },
  ],
  ['strict schema', 'plain', 422, extra('tools'), { leaveOut: ['tools'] }],
  ['old gateway', 'plain', 400, openAi('Unrecognized request argument supplied: tools'), { leaveOut: ['tools'] }],
  [
    'Ollama',
    'ollama',
    400,
    { error: 'registry.ollama.ai/library/gemma3:12b does not support tools' },
    { leaveOut: ['tools'] },
  ],
  ['Groq', 'plain', 400, openAi('`tool calling` is not supported with this model'), { leaveOut: ['tools'] }],
  ['Chinese gateway', 'plain', 400, { code: 20015, message: '该模型不支持 tools 参数' }, { leaveOut: ['tools'] }],
  [
    'through OpenRouter, plain',
    'plain',
    400,
    router('This model does not support function calling'),
    { leaveOut: ['tools'] },
  ],
  [
    'tool_choice alone',
    'plain',
    400,
    openAi("Unknown parameter: 'tool_choice'.", { param: 'tool_choice', code: 'unknown_parameter' }),
    { leaveOut: ['tool_choice'] },
  ],
  [
    'parallel calls',
    'plain',
    400,
    openAi("Unsupported parameter: 'parallel_tool_calls' is not supported with this model.", {
      param: 'parallel_tool_calls',
    }),
    { leaveOut: ['parallel_tool_calls'] },
  ],
  // body fields
  ['stream_options', 'plain', 422, extra('stream_options'), { leaveOut: ['stream_options'] }],
  [
    'stream_options, a nested field',
    'plain',
    422,
    extra('stream_options', 'include_usage'),
    { leaveOut: ['stream_options.include_usage'] },
  ],
  [
    'two at once',
    'plain',
    422,
    { detail: [...extra('stream_options').detail, ...extra('store').detail] },
    { leaveOut: ['stream_options', 'store'] },
  ],
  [
    'serde',
    'plain',
    422,
    'Failed to deserialize the JSON body into the target type: unknown field `stream_options`, expected one of `model`, `messages`, `max_tokens`, `temperature`, `tools` at line 1 column 210',
    { leaveOut: ['stream_options'] },
  ],
  [
    'max_tokens at a relay',
    'plain',
    400,
    openAi(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { param: 'max_tokens', code: 'unsupported_parameter' },
    ),
    { rename: { max_tokens: 'max_completion_tokens' } },
  ],
  [
    'max_tokens without advice',
    'plain',
    400,
    openAi('max_tokens is not allowed for this model'),
    { rename: { max_tokens: 'max_completion_tokens' } },
  ],
  [
    'the other way round',
    'newer',
    422,
    extra('max_completion_tokens'),
    { rename: { max_completion_tokens: 'max_tokens' } },
  ],
  [
    'temperature, the default only',
    'plain',
    400,
    openAi(
      "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.",
      { param: 'temperature', code: 'unsupported_value' },
    ),
    { leaveOut: ['temperature'] },
  ],
  [
    'temperature, deprecated',
    'anthropic',
    400,
    { type: 'error', error: { type: 'invalid_request_error', message: '`temperature` is deprecated for this model.' } },
    { leaveOut: ['temperature'] },
  ],
  ['top_k', 'plain', 400, { error: { message: 'Unknown field: top_k' } }, { leaveOut: ['top_k'] }],
  [
    'Gemini, a nested field',
    'google',
    400,
    google(
      'Invalid JSON payload received. Unknown name "thinkingConfig" at \'generation_config\': Cannot find field.',
      'generation_config',
    ),
    { leaveOut: ['generationConfig.thinkingConfig'] },
  ],
  [
    'Gemini, no thinking',
    'google',
    400,
    google('Thinking is not enabled for models/gemini-1.5-flash'),
    { leaveOut: ['generationConfig.thinkingConfig'] },
  ],
  [
    'Responses, include',
    'responses',
    400,
    openAi('Encrypted content is not supported with this model.', { param: 'include' }),
    { leaveOut: ['include'] },
  ],
  [
    'a list of the allowed',
    'plain',
    400,
    openAi(
      'Unexpected keyword argument "reasoning_effort". Allowed parameters are: model, messages, max_tokens, temperature, top_k, tools, tool_choice, stream.',
    ),
    { leaveOut: ['reasoning_effort'] },
  ],
  // messages
  ['content: null, Go', 'looped', 400, openAi('invalid message content type: <nil>'), { emptyContent: true }],
  [
    'content: null, pydantic',
    'looped',
    422,
    {
      detail: [
        {
          type: 'string_type',
          loc: ['body', 'messages', 2, 'content'],
          msg: 'Input should be a valid string',
          input: null,
        },
      ],
    },
    { emptyContent: true },
  ],
  [
    'content: null, OpenAI',
    'looped',
    400,
    openAi("Invalid value for 'content': expected a string, got null.", { param: 'messages.[2].content' }),
    { emptyContent: true },
  ],
  [
    'reasoning demanded, DeepSeek',
    'looped',
    400,
    openAi('The `reasoning_content` in the thinking mode must be passed back to the API.'),
    { reasoningBack: 'demanded' },
  ],
  [
    'reasoning demanded, Moonshot',
    'looped',
    400,
    openAi('thinking is enabled but reasoning_content is missing in assistant tool call message at index 2'),
    { reasoningBack: 'demanded' },
  ],
  ['reasoning refused', 'reasoned', 422, extra('messages', 2, 'reasoning_content'), { reasoningBack: 'refused' }],
  [
    'reasoning refused, Groq',
    'reasoned',
    400,
    openAi(
      "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning_content' is unsupported)]",
    ),
    { reasoningBack: 'refused' },
  ],
  [
    'prefill, Claude',
    'anthropicPrefilled',
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message:
          'This model does not support assistant message prefill. The conversation must end with a user message.',
      },
    },
    { prefill: false },
  ],
  [
    'prefill, Mistral',
    'prefilled',
    400,
    {
      object: 'error',
      message: 'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
      type: 'invalid_request_error',
    },
    { prefill: false },
  ],
  [
    'prefill, llama.cpp',
    'prefilled',
    500,
    { error: { code: 500, message: 'Assistant response prefill is incompatible with enable_thinking.' } },
    { prefill: false },
  ],
  // numbers: lowered, not dropped
  [
    'max_tokens above the limit, OpenAI',
    'plain',
    400,
    openAi(
      'max_tokens is too large: 32000. This model supports at most 16384 completion tokens, whereas you provided 32000.',
      { param: 'max_tokens' },
    ),
    { most: { max_tokens: 16_384 } },
  ],
  [
    'max_tokens above the limit, Anthropic',
    'anthropic',
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message:
          'max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet-20241022',
      },
    },
    { most: { max_tokens: 8192 } },
  ],
  [
    'max_tokens above the limit, DeepSeek',
    'plain',
    400,
    openAi('Invalid max_tokens value, the valid range of max_tokens is [1, 8192]'),
    { most: { max_tokens: 8192 } },
  ],
  // nothing to learn
  [
    'context too long, vLLM',
    'plain',
    400,
    {
      object: 'error',
      message:
        "This model's maximum context length is 8192 tokens. However, you requested 40000 tokens (8000 in the messages, 32000 in the completion). Please reduce the length of the messages or completion.",
    },
    null,
  ],
  [
    'context too long, named',
    'plain',
    400,
    openAi(
      "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 32768 tokens and your request has 5000 input tokens (32000 > 32768 - 5000).",
      { param: 'max_tokens' },
    ),
    null,
  ],
  [
    'one tool’s schema',
    'plain',
    400,
    openAi("Invalid schema for function 'get_time': In context=(), object schema missing properties.", {
      param: 'tools[0].function.parameters',
      code: 'invalid_function_parameters',
    }),
    null,
  ],
  [
    'one tool’s name',
    'anthropic',
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
      },
    },
    null,
  ],
  [
    'a call without its result',
    'looped',
    400,
    openAi(
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: c1",
    ),
    null,
  ],
  [
    'ids of calls',
    'looped',
    400,
    { object: 'error', message: 'Tool call id was c1 but must be a-z, A-Z, 0-9, with a length of 9.' },
    null,
  ],
  ['an image', 'plain', 400, openAi('Invalid image: unsupported image format image/heic'), null],
  [
    'temperature out of range',
    'plain',
    400,
    openAi("Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 7 instead.", {
      param: 'temperature',
    }),
    null,
  ],
  [
    'no such model',
    'plain',
    404,
    openAi('The model `m` does not exist or you do not have access to it.', { code: 'model_not_found' }),
    null,
  ],
  ['a field of nobody', 'plain', 400, openAi('Unknown field: best_of'), null],
  [
    'broken inside',
    'plain',
    500,
    { error: { message: 'Internal server error: could not store the result', type: 'server_error' } },
    null,
  ],
  [
    'content filter',
    'looped',
    400,
    openAi('The response was filtered due to the prompt triggering the content management policy', {
      code: 'content_filter',
    }),
    null,
  ],
  [
    'too many tools',
    'plain',
    400,
    openAi(
      "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 140 instead.",
      { param: 'tools', code: 'array_above_max_length' },
    ),
    null,
  ],
]
