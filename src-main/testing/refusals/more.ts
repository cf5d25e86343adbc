import type { RequestFit } from '../../models/request-fit'
import type { SentName } from './bodies'
import type { Refusal } from './known'

const L = (...leaveOut: string[]): RequestFit => ({ leaveOut })

function refused(sent: SentName, status: number, body: unknown, teaches: RequestFit | null): Refusal {
  return [JSON.stringify(body).slice(0, 120), sent, status, body, teaches]
}

/** Other wordings and shapes of the same kinds, each a line. */
export const MORE_REFUSALS: readonly Refusal[] = [
  refused('plain', 400, { error: { message: 'I do not know what stream_options is' } }, L('stream_options')),
  refused('plain', 400, { error: "Field 'tool_choice' is unknown" }, L('tool_choice')),
  refused(
    'plain',
    422,
    { detail: [{ loc: ['body', 'temperature'], msg: 'extra fields not permitted', type: 'value_error.extra' }] },
    L('temperature'),
  ),
  refused(
    'plain',
    422,
    {
      detail: [
        {
          loc: ['body', 'temperature'],
          msg: 'ensure this value is less than or equal to 0.5',
          type: 'value_error.number.not_le',
        },
      ],
    },
    null,
  ),
  refused('plain', 422, { detail: 'store: Extra inputs are not permitted' }, L('store')),
  refused('plain', 400, { error: { message: 'store is not a recognized parameter' } }, L('store')),
  refused('plain', 500, { error: { message: 'Could not store conversation' } }, null),
  refused('plain', 400, { error: { message: 'This model does not accept tools.' } }, L('tools')),
  refused('plain', 400, { error: { message: 'Tool calling disabled on this deployment' } }, L('tools')),
  refused('plain', 501, 'tool_choice not implemented', L('tool_choice')),
  refused('plain', 400, { message: '模型不支持函数调用' }, L('tools')),
  refused('plain', 400, { message: '参数 stream_options 非法' }, L('stream_options')),
  refused('plain', 400, { message: '不支持的参数：temperature' }, L('temperature')),
  refused('plain', 400, { error: { message: 'tools: property not allowed' } }, L('tools')),
  refused(
    'plain',
    400,
    { error: { message: 'The following parameters are not supported: temperature, top_k' } },
    L('temperature', 'top_k'),
  ),
  refused('plain', 400, { error: { message: 'unsupported parameters: [stream_options]' } }, L('stream_options')),
  refused('plain', 400, { error: { message: 'To use tool calling, start the server with --jinja' } }, L('tools')),
  refused(
    'plain',
    400,
    { error: { message: 'temperature is not supported when reasoning is enabled' } },
    L('temperature'),
  ),
  refused('plain', 400, { error: { message: "Invalid value for 'temperature': must be between 0 and 0.5" } }, null),
  refused(
    'plain',
    400,
    { error: { message: "'max_tokens' is deprecated in favor of 'max_completion_tokens'" } },
    { rename: { max_tokens: 'max_completion_tokens' } },
  ),
  refused(
    'newer',
    400,
    { error: { message: 'max_completion_tokens is not supported; use max_tokens' } },
    { rename: { max_completion_tokens: 'max_tokens' } },
  ),
  refused(
    'newer',
    400,
    { error: { message: 'Unexpected parameter max_completion_tokens, did you mean max_tokens?' } },
    { rename: { max_completion_tokens: 'max_tokens' } },
  ),
  refused(
    'plain',
    400,
    { error: { message: 'max_tokens (32000) must be less than 8193' } },
    { most: { max_tokens: 8192 } },
  ),
  refused(
    'plain',
    400,
    { error: { message: 'max_tokens must be at most 4096', param: 'max_tokens' } },
    { most: { max_tokens: 4096 } },
  ),
  refused(
    'plain',
    400,
    {
      error: {
        message:
          'Requested token count exceeds the model’s maximum context length of 32768 tokens. You requested a total of 40000 tokens: 8000 tokens from the input messages and 32000 tokens for the completion. Please reduce the number of tokens in the input messages or the completion to fit within the limit.',
      },
    },
    null,
  ),
  refused(
    'looped',
    400,
    { error: { message: "Missing required field 'content' in message 3" } },
    { emptyContent: true },
  ),
  refused('looped', 400, { error: { message: 'Value error, content cannot be None' } }, { emptyContent: true }),
  refused('looped', 400, { error: { message: 'messages.[2].content: null is not allowed' } }, { emptyContent: true }),
  refused(
    'looped',
    422,
    {
      detail: [
        {
          type: 'string_type',
          loc: ['body', 'messages', 2, 'assistant', 'content'],
          msg: 'Input should be a valid string',
        },
      ],
    },
    { emptyContent: true },
  ),
  refused(
    'looped',
    422,
    { detail: [{ type: 'missing', loc: ['body', 'messages', 2, 'reasoning_content'], msg: 'Field required' }] },
    { reasoningBack: 'demanded' },
  ),
  refused(
    'reasoned',
    400,
    { error: { message: "Unrecognized key(s) in object: 'reasoning_content'", param: 'messages.2' } },
    { reasoningBack: 'refused' },
  ),
  refused(
    'reasoned',
    400,
    { error: { message: 'unknown field "reasoning_content" in message' } },
    { reasoningBack: 'refused' },
  ),
  refused('prefilled', 400, { error: { message: 'last message must be a user message' } }, { prefill: false }),
  refused(
    'prefilled',
    400,
    { error: { message: 'The final message cannot be from the assistant' } },
    { prefill: false },
  ),
  refused(
    'prefilled',
    400,
    { error: { message: 'Conversations ending with an assistant turn are not accepted.' } },
    { prefill: false },
  ),
  refused(
    'prefilled',
    400,
    { error: { message: 'continue_final_message requires add_generation_prompt=false' } },
    null,
  ),
  refused('prefilled', 400, { error: { message: '最后一条消息必须是用户消息' } }, { prefill: false }),
  refused('plain', 400, { error: { message: 'last message must be a user message' } }, null),
  refused(
    'anthropic',
    400,
    {
      type: 'error',
      error: { message: '`tool_choice`: Thinking may not be enabled when tool_choice forces tool use.' },
    },
    L('tool_choice'),
  ),
  refused(
    'anthropic',
    400,
    { type: 'error', error: { message: 'temperature: Extra inputs are not permitted' } },
    L('temperature'),
  ),
  refused('anthropic', 400, { type: 'error', error: { message: 'max_tokens: Field required' } }, null),
  refused(
    'google',
    400,
    [{ error: { message: 'Tool use with function calling is unsupported', status: 'INVALID_ARGUMENT' } }],
    L('tools'),
  ),
  refused(
    'google',
    400,
    [
      {
        error: {
          message: 'Unknown name "toolConfig": Cannot find field.',
          details: [{ fieldViolations: [{ description: 'Unknown name "toolConfig": Cannot find field.' }] }],
        },
      },
    ],
    L('toolConfig'),
  ),
  refused(
    'google',
    400,
    [{ error: { message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } }],
    null,
  ),
  refused(
    'google',
    400,
    [{ error: { message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).' } }],
    null,
  ),
  refused('ollama', 400, { error: '"gemma:2b" does not support tools' }, L('tools')),
  refused(
    'ollama',
    400,
    { error: 'json: cannot unmarshal string into Go struct field ChatRequest.messages of type string' },
    null,
  ),
  refused('responses', 400, { error: { message: "Unknown parameter: 'store'.", param: 'store' } }, L('store')),
  refused('plain', 400, 'Bad Request', null),
  refused('plain', 400, '<html><body>400 Bad Request tools nginx</body></html>', null),
  refused('plain', 404, { error: { message: 'model "m" not found, try pulling it first' } }, null),
  refused(
    'plain',
    400,
    { error: { message: 'Your request was flagged: reasoning about tools for weapons is not allowed by policy' } },
    null,
  ),
  refused('plain', 400, { error: { message: 'Unable to parse tool call arguments: unexpected end of JSON' } }, null),
  refused('plain', 500, { error: { message: 'Failed to parse tool call from model output' } }, null),
  refused('plain', 400, { error: { message: "Tool 'get_time' is not found in request.tools" } }, null),
  refused('plain', 400, { error: { message: 'tool_choice: get_weather is not among the tools' } }, null),
  refused(
    'plain',
    400,
    { error: { message: 'This model supports tools only with parallel_tool_calls=false' } },
    L('parallel_tool_calls'),
  ),
  refused(
    'plain',
    400,
    { errors: [{ message: 'extraneous key [stream_options] is not permitted' }] },
    L('stream_options'),
  ),
  refused(
    'plain',
    400,
    {
      error: {
        message:
          "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted', 'input': {'include_usage': True}}]",
      },
    },
    L('stream_options'),
  ),
  refused(
    'plain',
    400,
    {
      error: {
        message:
          "1 validation error for ChatCompletionRequest\nstream_options\n  Extra inputs are not permitted [type=extra_forbidden, input_value={'include_usage': True}, input_type=dict]",
      },
    },
    L('stream_options'),
  ),
  refused(
    'plain',
    400,
    {
      error: {
        message:
          '2 validation errors for Request\ntools\n  Extra inputs are not permitted [type=extra_forbidden]\ntool_choice\n  Extra inputs are not permitted [type=extra_forbidden]',
      },
    },
    L('tools'),
  ),
  refused('plain', 400, 'data: {"error":{"message":"stream_options unsupported"}}\n\n', L('stream_options')),
  refused(
    'plain',
    400,
    { error: { message: '', param: 'stream_options', code: 'invalid_parameter' } },
    L('stream_options'),
  ),
  refused('plain', 400, { error: { message: 'Invalid request', param: 'tools' } }, L('tools')),
  refused(
    'plain',
    400,
    { error: { code: 'unsupported_tool_use', message: 'This model cannot use tools' } },
    L('tools'),
  ),
  refused(
    'plain',
    400,
    { error: { message: "Additional properties are not allowed ('tools' was unexpected)" } },
    L('tools'),
  ),
  refused(
    'plain',
    400,
    { error: { message: "Additional properties are not allowed ('stream_options', 'store' were unexpected)" } },
    L('store', 'stream_options'),
  ),
  refused(
    'plain',
    400,
    { error: { message: 'Tool calls are not available on the free plan of this model' } },
    L('tools'),
  ),
  refused(
    'plain',
    400,
    { title: 'Bad Request', detail: 'The request contains an unsupported property: streamOptions', status: 400 },
    L('stream_options'),
  ),
  refused('plain', 400, { error: { message: 'Invalid field `parallel_tool_calls`' } }, L('parallel_tool_calls')),
  refused('plain', 400, { error: { message: 'reasoning_effort: unrecognised' } }, L('reasoning_effort')),
  refused(
    'plain',
    400,
    { error: { message: "Der Parameter 'temperature' wird von diesem Modell nicht unterstützt." } },
    L('temperature'),
  ),
  refused('plain', 400, { error: { message: 'El modelo no admite el campo top_k' } }, L('top_k')),
  refused('plain', 400, { error: { message: 'ツール(tools)はサポートされていません' } }, L('tools')),
  refused('plain', 400, { message: '该模型暂不支持工具调用（tools）' }, L('tools')),
  refused('plain', 400, { error: { message: '请求参数错误：tools 字段不被支持' } }, L('tools')),
  refused('plain', 500, { error: { message: 'Jinja: tools are not supported by this template' } }, L('tools')),
  refused(
    'plain',
    400,
    { error: { message: 'custom format and tools at once: Cannot combine grammar with tools' } },
    L('tools'),
  ),
  refused(
    'plain',
    404,
    { error: { message: 'No allowed providers are available for the selected model with tool calling', code: 404 } },
    L('tools'),
  ),
  refused(
    'plain',
    404,
    { error: { message: 'No endpoints found that can handle the requested parameters: parallel_tool_calls, top_k' } },
    L('top_k', 'parallel_tool_calls'),
  ),
  refused('plain', 400, { error: { message: 'Got unexpected field name: stream_options' } }, L('stream_options')),
  refused(
    'plain',
    400,
    {
      object: 'error',
      message:
        "[{'type': 'extra_forbidden', 'loc': ('body', 'tools'), 'msg': 'Extra inputs are not permitted', 'input': [{'type': 'function', 'function': {'name': 'x'}}]}]",
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    L('tools'),
  ),
  refused(
    'plain',
    400,
    {
      error: {
        code: 'BadRequest',
        message: 'Unsupported parameter',
        innererror: { code: 'x', message: 'stream_options' },
      },
    },
    L('stream_options'),
  ),
  refused('plain', 424, { error: { message: 'upstream: unknown argument --tools' } }, L('tools')),
  refused(
    'plain',
    500,
    { error: { message: "TypeError: generate() got an unexpected keyword argument 'tools'" } },
    L('tools'),
  ),
  refused('plain', 500, { error: { message: "Exception: KeyError: 'tool_choice'" } }, L('tool_choice')),
  refused('plain', 500, { error: { message: 'CUDA out of memory while using tools' } }, null),
  refused('plain', 500, { error: { message: 'Internal error' } }, null),
  refused(
    'plain',
    400,
    { error: { message: 'Tool names must match ^[a-z]+$ : tools.0.function.name', param: 'tools.0.function.name' } },
    null,
  ),
  refused(
    'plain',
    400,
    { error: { message: "Invalid type for 'tools[0].function.parameters': expected an object" } },
    null,
  ),
  refused('plain', 400, { error: { message: 'tools: at most 64 functions are supported' } }, null),
  refused('plain', 400, { error: { message: 'JSON schema of function get_time is not supported: $ref' } }, null),
  refused('plain', 400, { error: { message: 'image input is not supported by this model' } }, null),
  refused('plain', 400, { error: { message: 'messages: at least one message is required' } }, null),
  refused(
    'plain',
    400,
    { error: { message: 'temperature: Input should be less than or equal to 1', type: 'invalid_request_error' } },
    null,
  ),
  refused('plain', 400, { error: { message: 'top_k should be -1 or at least 1' } }, null),
  refused('plain', 400, { error: { message: 'max_tokens should be a positive integer' } }, null),
  refused(
    'plain',
    400,
    { error: { message: 'The max_tokens parameter exceeds the limit for this model (maximum 8,192 output tokens).' } },
    { most: { max_tokens: 8192 } },
  ),
  refused('plain', 400, { message: 'max_tokens 超过最大值 8192' }, { most: { max_tokens: 8192 } }),
  refused(
    'plain',
    400,
    { error: { message: 'Output tokens limited to 4096; max_tokens=32000 given' } },
    { most: { max_tokens: 4096 } },
  ),
  refused(
    'plain',
    400,
    { error: { message: 'This request would exceed the context window: 8000 prompt + max_tokens 32000 > 32768' } },
    null,
  ),
  refused(
    'looped',
    400,
    { error: { message: 'content must be a string, but was null', param: 'messages[2].content' } },
    { emptyContent: true },
  ),
  refused('looped', 400, { error: { message: 'messages with null content are unsupported' } }, { emptyContent: true }),
  refused(
    'looped',
    500,
    { error: { message: "TypeError: object of type 'NoneType' has no len() while reading content" } },
    { emptyContent: true },
  ),
  refused(
    'looped',
    400,
    { error: { message: '消息内容不能为空', param: 'messages.2.content' } },
    { emptyContent: true },
  ),
  refused('looped', 400, { error: { message: '缺少 reasoning_content 字段' } }, { reasoningBack: 'demanded' }),
  refused(
    'looped',
    400,
    { error: { message: 'each assistant message with tool calls has to carry its reasoning_content' } },
    { reasoningBack: 'demanded' },
  ),
  refused(
    'reasoned',
    400,
    { error: { message: 'Input messages may not contain reasoning_content' } },
    { reasoningBack: 'refused' },
  ),
  refused(
    'reasoned',
    400,
    { error: { message: 'messages.2.reasoning_content: field not allowed' } },
    { reasoningBack: 'refused' },
  ),
  refused(
    'prefilled',
    400,
    { error: { message: 'Assistant message in last position is not supported by this model' } },
    { prefill: false },
  ),
  refused(
    'prefilled',
    422,
    { detail: [{ loc: ['body', 'messages', 2, 'role'], msg: "Input should be 'user' or 'tool'" }] },
    { prefill: false },
  ),
  refused(
    'prefilled',
    400,
    { error: { message: 'Please ensure that multiturn requests end with a user turn or a function response turn.' } },
    { prefill: false },
  ),
  refused(
    'anthropicPrefilled',
    400,
    { type: 'error', error: { message: 'messages: final assistant content cannot end with trailing whitespace' } },
    { prefill: false },
  ),
  refused(
    'anthropic',
    400,
    { type: 'error', error: { message: 'thinking: adaptive thinking is not supported on this model' } },
    L('thinking'),
  ),
  refused(
    'anthropic',
    400,
    { type: 'error', error: { message: 'This model requires `thinking.budget_tokens` of at least 1024' } },
    null,
  ),
  refused(
    'google',
    400,
    [{ error: { message: 'Budget 0 is invalid. This model only works in thinking mode.' } }],
    null,
  ),
  refused(
    'google',
    400,
    { error: { message: 'Tool use is not supported for this model', status: 'INVALID_ARGUMENT' } },
    L('tools'),
  ),
  refused(
    'google',
    400,
    { error: { message: '"generationConfig.temperature" is not supported' } },
    L('generationConfig.temperature'),
  ),
  refused('plain', 500, { error: { message: 'Internal error while reading stream_options' } }, null),
  refused('plain', 500, { error: { message: 'worker crashed (tools=1, stream_options=1)' } }, null),
]
