import type { RequestFit } from '../../models/request-fit'
import type { SentName } from './bodies'
import type { Refusal } from './known'

const L = (...leaveOut: string[]): RequestFit => ({ leaveOut })
const RENAMED: RequestFit = { rename: { max_tokens: 'max_completion_tokens' } }
const NO_PREFILL: RequestFit = { prefill: false }
const BACK: RequestFit = { reasoningBack: 'demanded' }
const NOT_BACK: RequestFit = { reasoningBack: 'refused' }

function said(sent: SentName, status: number, body: unknown, teaches: RequestFit | null): Refusal {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return [text.slice(0, 120), sent, status, body, teaches]
}
const openai = (message: string, more: object = {}) => ({
  error: { message, type: 'invalid_request_error', param: null, code: null, ...more },
})

/** As servers were seen to answer: their bodies, with what was sent put in its place. */
export const REAL_REFUSALS: readonly Refusal[] = [
  // vLLM
  said(
    'plain',
    400,
    {
      object: 'error',
      message:
        "[{'type': 'extra_forbidden', 'loc': ('body', 'tool_choice'), 'msg': 'Extra inputs are not permitted', 'input': 'auto'}, {'type': 'extra_forbidden', 'loc': ('body', 'tools'), 'msg': 'Extra inputs are not permitted', 'input': [{'type': 'function', 'function': {'name': 'get_time', 'parameters': {'type': 'object'}}}]}]",
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    L('tools'),
  ),
  said(
    'plain',
    400,
    {
      object: 'error',
      message:
        "[{'type': 'extra_forbidden', 'loc': ('body', 'store'), 'msg': 'Extra inputs are not permitted', 'input': False}]",
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    L('store'),
  ),
  said(
    'plain',
    400,
    {
      object: 'error',
      message:
        "[{'type': 'value_error', 'loc': ('body',), 'msg': 'Value error, Currently only named tools are supported.', 'input': {'model': 'm', 'stream': True, 'messages': [{'role': 'system', 'content': 'Be brief.'}], 'temperature': 0.7, 'tool_choice': 'auto'}}]",
      type: 'BadRequestError',
      code: 400,
    },
    null,
  ),
  said(
    'plain',
    400,
    {
      object: 'error',
      message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    L('tools'),
  ),
  said(
    'plain',
    400,
    {
      object: 'error',
      message:
        "This model's maximum context length is 8192 tokens. However, you requested 32021 tokens (21 in the messages, 32000 in the completion). Please reduce the length of the messages or completion.",
      type: 'BadRequestError',
      code: 400,
    },
    null,
  ),
  // llama.cpp
  said(
    'plain',
    500,
    { error: { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' } },
    L('tools'),
  ),
  said(
    'plain',
    500,
    {
      error: {
        code: 500,
        message:
          '\n------------\nWhile executing CallExpression at line 19, column 27 in source:\n...% 2 == 0) -%}↵        {{ raise_exception("Conversation roles must alternate user...\n                                           ^\nError: Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...',
        type: 'server_error',
      },
    },
    null,
  ),
  said(
    'prefilled',
    400,
    {
      error: {
        code: 400,
        message: 'Assistant response prefill is incompatible with enable_thinking.',
        type: 'invalid_request_error',
      },
    },
    NO_PREFILL,
  ),
  said(
    'plain',
    400,
    {
      error: {
        code: 400,
        message: 'request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 9000,
        n_ctx: 4096,
      },
    },
    null,
  ),
  // Ollama
  said('ollama', 400, { error: 'registry.ollama.ai/library/gemma:2b does not support tools' }, L('tools')),
  said('ollama', 500, { error: 'model requires more system memory (8.4 GiB) than is available (5.1 GiB)' }, null),
  said(
    'plain',
    400,
    { error: { message: 'think value "high" is not supported for this model', type: 'api_error' } },
    L('reasoning_effort'),
  ),
  // Groq
  said(
    'reasoned',
    400,
    openai(
      "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
    ),
    NOT_BACK,
  ),
  said(
    'plain',
    400,
    openai("property 'reasoning_effort' is unsupported, did you mean 'reasoning_format'?"),
    L('reasoning_effort'),
  ),
  said('plain', 400, openai('`tool calling` is not supported with this model'), L('tools')),
  said('plain', 400, openai('`reasoning_effort` must be one of `none` or `default`'), null),
  said(
    'plain',
    400,
    openai(
      '`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model',
      {
        param: 'max_tokens',
      },
    ),
    { most: { max_tokens: 8192 } },
  ),
  said(
    'plain',
    400,
    {
      error: {
        message: "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
        type: 'invalid_request_error',
        code: 'tool_use_failed',
        failed_generation: '<function=get_time>{}</function>',
      },
    },
    null,
  ),
  // Cerebras
  said(
    'plain',
    422,
    {
      message: "body.store: property 'body.store' is unsupported",
      type: 'invalid_request_error',
      param: 'validation_error',
      code: 'wrong_api_format',
    },
    L('store'),
  ),
  said(
    'reasoned',
    400,
    {
      message:
        "messages.2.assistant.reasoning_content: property 'messages.2.assistant.reasoning_content' is unsupported\nmessages.4.assistant.reasoning_content: property 'messages.4.assistant.reasoning_content' is unsupported",
      type: 'invalid_request_error',
      param: 'validation_error',
      code: 'wrong_api_format',
    },
    NOT_BACK,
  ),
  // xAI
  said(
    'plain',
    400,
    {
      code: 'Client specified an invalid argument',
      error: 'Model grok-4-latest does not support parameter reasoningEffort.',
    },
    L('reasoning_effort'),
  ),
  said(
    'plain',
    400,
    { code: 'Client specified an invalid argument', error: 'Argument not supported on this model: topK' },
    L('top_k'),
  ),
  // Google through its OpenAI-compatible address
  said(
    'plain',
    400,
    [
      {
        error: {
          code: 400,
          message: 'Invalid JSON payload received. Unknown name "parallel_tool_calls": Cannot find field.',
          status: 'INVALID_ARGUMENT',
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.BadRequest',
              fieldViolations: [
                {
                  description: 'Invalid JSON payload received. Unknown name "parallel_tool_calls": Cannot find field.',
                },
              ],
            },
          ],
        },
      },
    ],
    L('parallel_tool_calls'),
  ),
  said(
    'plain',
    400,
    [{ error: { code: 400, message: 'Parallel tool calls are not supported.', status: 'INVALID_ARGUMENT' } }],
    L('parallel_tool_calls'),
  ),
  said(
    'google',
    400,
    {
      error: {
        code: 400,
        message:
          'Invalid JSON payload received. Unknown name "additionalProperties" at \'tools[0].function_declarations[34].parameters.properties[6].value.items.any_of[0]\': Cannot find field.',
        status: 'INVALID_ARGUMENT',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: [
              {
                field: 'tools[0].function_declarations[34].parameters.properties[6].value.items.any_of[0]',
                description: 'Invalid JSON payload received. Unknown name "additionalProperties"',
              },
            ],
          },
        ],
      },
    },
    null,
  ),
  said(
    'google',
    400,
    {
      error: {
        code: 400,
        message: 'Function calling is not enabled for models/gemma-3-27b-it',
        status: 'INVALID_ARGUMENT',
      },
    },
    L('tools'),
  ),
  said(
    'google',
    400,
    {
      error: {
        code: 400,
        message:
          'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
        status: 'INVALID_ARGUMENT',
      },
    },
    null,
  ),
  said(
    'google',
    429,
    {
      error: {
        code: 429,
        message: 'You exceeded your current quota, please check your plan and billing details.',
        status: 'RESOURCE_EXHAUSTED',
      },
    },
    null,
  ),
  // Claude, directly, through Bedrock and through relays
  said(
    'anthropicPrefilled',
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message:
          'Your API request included an `assistant` message in the final position, which would pre-fill the `assistant` response. When using tools, pre-filling the `assistant` response is not supported.',
      },
    },
    NO_PREFILL,
  ),
  said(
    'prefilled',
    400,
    {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: {
          raw: '{"type":"error","error":{"type":"invalid_request_error","message":"This model does not support assistant message prefill. The conversation must end with a user message."},"request_id":"req_1"}',
          provider_name: 'Anthropic',
        },
      },
    },
    NO_PREFILL,
  ),
  said(
    'anthropic',
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message:
          'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
      },
    },
    null,
  ),
  said(
    'anthropic',
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: '`temperature` may only be set to 1 when thinking is enabled. Please consult our documentation.',
      },
    },
    L('temperature'),
  ),
  said(
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
  ),
  said(
    'anthropic',
    400,
    { type: 'error', error: { type: 'invalid_request_error', message: 'Output blocked by content filtering policy' } },
    null,
  ),
]

/** More of them. */
export const MORE_REAL_REFUSALS: readonly Refusal[] = [
  said(
    'plain',
    400,
    openai('`temperature` and `top_k` cannot both be specified for this model. Please use only one.'),
    L('top_k'),
  ),
  said(
    'plain',
    400,
    {
      object: 'error',
      message:
        "[{'type': 'value_error', 'loc': ('body',), 'msg': 'Value error, chat_template is not supported for Mistral tokenizers.', 'input': {'model': 'm', 'temperature': 0.7}, 'ctx': {'error': ValueError('chat_template is not supported for Mistral tokenizers.')}}]",
    },
    null,
  ),
  said(
    'plain',
    400,
    {
      error: {
        message:
          "litellm.UnsupportedParamsError: ollama_chat does not support parameters: ['parallel_tool_calls'], for model=llama3. To drop these, set `litellm.drop_params=True` or for proxy:\n\n`litellm_settings:\n drop_params: true`\n",
        type: 'None',
        param: null,
        code: '400',
      },
    },
    L('parallel_tool_calls'),
  ),
  said(
    'plain',
    400,
    {
      error: {
        message:
          'litellm.BadRequestError: XaiException - {"code":"Client specified an invalid argument","error":"Argument not supported on this model: reasoningEffort"}\nNo fallback model group found for original model_group=grok-4. Fallbacks=[{\'mf-1\': [\'deepseek-v3\']}]. Received Model Group=grok-4\nAvailable Model Group Fallbacks=None',
        type: null,
        param: null,
        code: '400',
      },
    },
    L('reasoning_effort'),
  ),
  said(
    'plain',
    400,
    { message: 'Validation: Unsupported parameter(s): reasoning_effort', type: 'Bad Request', code: 400 },
    L('reasoning_effort'),
  ),
  said(
    'plain',
    404,
    {
      error: {
        message:
          'No endpoints found that support tool use. Try disabling "question". To learn more about provider routing, visit: https://openrouter.ai/docs/guides/routing/provider-selection',
        code: 404,
      },
    },
    L('tools'),
  ),
  said(
    'plain',
    400,
    openai(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { param: 'max_tokens', code: 'unsupported_parameter' },
    ),
    RENAMED,
  ),
  said(
    'plain',
    400,
    openai(
      "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.",
      { param: 'temperature', code: 'unsupported_value' },
    ),
    L('temperature'),
  ),
  said('plain', 400, '{"detail":"Unsupported parameter: store"}', L('store')),
  said(
    'plain',
    400,
    {
      object: 'error',
      message: "Unexpected role 'user' after role 'tool'",
      type: 'invalid_request_message_order',
      param: null,
      code: '3230',
    },
    null,
  ),
  said(
    'prefilled',
    400,
    {
      object: 'error',
      message: 'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
      type: 'invalid_request_error',
      param: null,
      code: null,
    },
    NO_PREFILL,
  ),
  said(
    'plain',
    422,
    {
      object: 'error',
      message: {
        detail: [
          {
            type: 'extra_forbidden',
            loc: ['body', 'stream_options'],
            msg: 'Extra inputs are not permitted',
            input: { include_usage: true },
            url: 'https://errors.pydantic.dev/2.9/v/extra_forbidden',
          },
        ],
      },
      type: 'invalid_request_error',
      param: null,
      code: null,
    },
    L('stream_options'),
  ),
  said(
    'looped',
    400,
    {
      code: 20015,
      message: 'thinking is enabled but reasoning_content is missing in assistant tool call message at index 32',
      data: null,
    },
    BACK,
  ),
  said(
    'looped',
    400,
    {
      error: {
        code: '400',
        message: 'Param Incorrect',
        param: 'The reasoning_content in the thinking mode must be passed back to the API.',
        type: '',
      },
    },
    BACK,
  ),
  said(
    'looped',
    400,
    {
      message: 'If thinking mode and tool_calls, `reasoning_content` must be passed back to the API.',
      type: 'invalid_request_error',
      code: '400001',
    },
    BACK,
  ),
  said(
    'looped',
    400,
    {
      error: {
        type: '<nil>',
        message:
          'thinking is enabled but reasoning_content is missing in assistant tool call message at index 13 (request id: 2026042309)',
      },
      type: 'error',
    },
    BACK,
  ),
  said(
    'looped',
    400,
    {
      error: {
        message:
          '[{"error":{"message":"content is required for assistant messages: messages[2].content cannot be null","type":"invalid_request_error"}}]',
      },
    },
    { emptyContent: true },
  ),
  said('plain', 400, openai("tool_choice 'required' is incompatible with thinking enabled"), L('tool_choice')),
  said(
    'plain',
    400,
    { code: 20015, message: 'length of prompt_tokens (68957) must be less than max_seq_len (65536).', data: null },
    null,
  ),
  said('plain', 400, '"max_total_tokens (33802) must be less than or equal to max_seq_len (32768)"', null),
  said(
    'plain',
    400,
    {
      error: {
        code: 'invalid_parameter_error',
        param: null,
        message: '<400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 8192]',
        type: 'invalid_request_error',
      },
      request_id: 'f5',
    },
    { most: { max_tokens: 8192 } },
  ),
  said(
    'plain',
    400,
    {
      error: {
        code: 'data_inspection_failed',
        param: null,
        message: 'Input data may contain inappropriate content.',
        type: 'data_inspection_failed',
      },
    },
    null,
  ),
  said('plain', 400, { error: { code: '1210', message: 'API 调用参数有误，请检查文档。' } }, null),
  said(
    'plain',
    400,
    {
      error: {
        code: '1301',
        message: '系统检测到输入或生成内容可能包含不安全或敏感内容，请您避免输入易产生敏感内容的提示语。',
      },
    },
    null,
  ),
  said('plain', 400, { error: { code: '1113', message: '余额不足或无可用资源包,请充值。' } }, null),
  said('plain', 400, { code: 20012, message: 'Model does not exist. Please check it carefully.', data: null }, null),
  said(
    'plain',
    400,
    {
      error: {
        message: 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]',
        type: 'invalid_request_error',
        param: null,
        code: 'invalid_request_error',
      },
    },
    { most: { max_tokens: 8192 } },
  ),
  said(
    'plain',
    400,
    { base_resp: { status_code: 2013, status_msg: 'invalid params, json: unknown field "stream_options"' } },
    L('stream_options'),
  ),
  said(
    'plain',
    400,
    {
      type: 'error',
      error: {
        type: 'bad_request_error',
        message: "invalid params, tool result's tool id(c1) not found (2013)",
        http_code: '400',
      },
    },
    null,
  ),
  said(
    'plain',
    400,
    {
      errors: [
        {
          message:
            "AiError: Bad input: Error: oneOf at '/' not met, 0 matches: required properties at '/' are 'prompt', Type mismatch of '/messages/1/content', 'array' not in 'string'",
          code: 5006,
        },
      ],
      success: false,
      result: {},
      messages: [],
    },
    null,
  ),
  said(
    'plain',
    400,
    {
      message:
        "An error occurred (ValidationException) when calling the ConverseStream operation: This model doesn't support tool use in streaming mode.",
    },
    L('tools'),
  ),
  said(
    'plain',
    400,
    {
      message:
        'The model returned the following errors: Malformed input request: #: extraneous key [top_k] is not permitted, please reformat your input and try again.',
    },
    L('top_k'),
  ),
  said(
    'plain',
    400,
    {
      error: {
        message:
          "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
        type: null,
        param: 'prompt',
        code: 'content_filter',
        status: 400,
      },
    },
    null,
  ),
  said(
    'plain',
    400,
    { error: { code: 'unknown_model', message: 'Unknown model: m', details: 'Unknown model: m' } },
    null,
  ),
  said('plain', 422, { error: 'Template error: template not found', error_type: 'template_error' }, null),
  said(
    'plain',
    422,
    {
      error:
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 200 `inputs` tokens and 32000 `max_new_tokens`',
      error_type: 'validation',
    },
    null,
  ),
  said(
    'plain',
    400,
    {
      error: {
        object: 'error',
        type: 'invalid_request_error',
        message: "Extra inputs are not permitted, field: 'store', value: False",
      },
    },
    L('store'),
  ),
  said(
    'plain',
    400,
    {
      id: 'o',
      error: {
        message:
          'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 21 `inputs` tokens and 32000 `max_new_tokens`',
        type: 'invalid_request_error',
        param: 'max_tokens',
        code: null,
      },
    },
    null,
  ),
  said(
    'plain',
    400,
    {
      error: {
        message: 'Unrecognized request argument supplied: stream_options',
        type: 'invalid_request_error',
        param: null,
        code: null,
      },
    },
    L('stream_options'),
  ),
  said(
    'plain',
    403,
    {
      error: {
        message: 'The country, region, or territory you are accessing from is not supported.',
        type: 'request_forbidden',
      },
    },
    null,
  ),
  said(
    'plain',
    400,
    {
      error: {
        message:
          'Your organization must be verified to stream this model. Please go to: https://platform.openai.com/settings/organization/general',
        type: 'invalid_request_error',
        param: 'stream',
        code: 'unsupported_value',
      },
    },
    null,
  ),
]
