import type { Refusal } from './known'

/** Written or gathered apart from the rule and not looked at while it was built. */
export const UNSEEN_REFUSALS: readonly Refusal[] = [
  ['TGI, templates', 'plain', 422, { error: 'Template error: template not found', error_type: 'template_error' }, null],
  [
    'SGLang, tools',
    'plain',
    400,
    { object: 'error', message: 'Tools are not supported by the current chat template', type: 'BadRequest' },
    { leaveOut: ['tools'] },
  ],
  [
    'Azure AI, tools',
    'plain',
    400,
    {
      error: {
        code: 'no_tool_support',
        message: 'This endpoint cannot be used with "tools": the deployment was created without tool support.',
      },
    },
    { leaveOut: ['tools'] },
  ],
  ['TensorRT, 501', 'plain', 501, { message: 'Not implemented: function calling' }, { leaveOut: ['tools'] }],
  [
    'tools, deep in wrappers',
    'plain',
    502,
    {
      error: {
        message: 'Provider returned error',
        metadata: {
          raw: '{"errors":[{"detail":"{\\"error\\":{\\"message\\":\\"tool use is currently unavailable for this model\\"}}"}]}',
        },
      },
    },
    { leaveOut: ['tools'] },
  ],
  [
    'French gateway',
    'plain',
    400,
    { message: "Le champ 'tools' n'est pas pris en charge par ce modèle." },
    { leaveOut: ['tools'] },
  ],
  [
    'JSON schema checker',
    'plain',
    400,
    {
      message: 'must NOT have additional properties',
      keyword: 'additionalProperties',
      instancePath: '/stream_options',
    },
    { leaveOut: ['stream_options'] },
  ],
  [
    'additionalProperties in words',
    'plain',
    400,
    'request body has an error: doesn\'t match schema: Error at "/stream_options": property "stream_options" is unsupported',
    { leaveOut: ['stream_options'] },
  ],
  [
    'Java',
    'plain',
    400,
    {
      timestamp: '2026-01-01',
      status: 400,
      error: 'Bad Request',
      message:
        'JSON parse error: Unrecognized field "stream_options" (class com.acme.ChatRequest), not marked as ignorable (5 known properties: "model", "messages", "max_tokens", "temperature", "stream"])',
      path: '/v1/chat/completions',
    },
    { leaveOut: ['stream_options'] },
  ],
  [
    'Python server',
    'plain',
    500,
    { detail: "create_chat_completion() got an unexpected keyword argument 'reasoning_effort'" },
    { leaveOut: ['reasoning_effort'] },
  ],
  [
    'parallel calls, xAI',
    'plain',
    400,
    { code: 'Client specified an invalid argument', error: 'Model grok does not support parameter parallelToolCalls.' },
    { leaveOut: ['parallel_tool_calls'] },
  ],
  [
    'reasoning effort, xAI',
    'plain',
    400,
    { code: 'x', error: 'Model grok-4 does not support parameter reasoningEffort.' },
    { leaveOut: ['reasoning_effort'] },
  ],
  [
    'store, Mistral',
    'plain',
    422,
    {
      object: 'error',
      message: {
        detail: [
          { type: 'extra_forbidden', loc: ['body', 'store'], msg: 'Extra inputs are not permitted', input: false },
        ],
      },
      type: 'invalid_request_error',
    },
    { leaveOut: ['store'] },
  ],
  [
    'max tokens, in free words',
    'plain',
    400,
    { error: { message: 'For reasoning models please send max_completion_tokens in place of max_tokens.' } },
    { rename: { max_tokens: 'max_completion_tokens' } },
  ],
  [
    'max_completion_tokens, older server',
    'newer',
    400,
    { error: { message: 'Unrecognized request argument supplied: max_completion_tokens' } },
    { rename: { max_completion_tokens: 'max_tokens' } },
  ],
  [
    'temperature with thinking',
    'anthropic',
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: '`temperature` may only be set to 1 when thinking is enabled. Please consult our documentation.',
      },
    },
    { leaveOut: ['temperature'] },
  ],
  [
    'thinking, Claude 3',
    'anthropic',
    400,
    { type: 'error', error: { type: 'invalid_request_error', message: "'claude-3-haiku' does not support thinking." } },
    { leaveOut: ['thinking'] },
  ],
  [
    'null content, jsonschema',
    'looped',
    400,
    { error: { message: "None is not of type 'string' - 'messages.2.content'" } },
    { emptyContent: true },
  ],
  [
    'null content, Rust',
    'looped',
    422,
    'Failed to deserialize the JSON body into the target type: messages[2].content: invalid type: null, expected a string at line 1 column 300',
    { emptyContent: true },
  ],
  [
    'reasoning demanded, a relay',
    'looped',
    400,
    { error: { message: 'Param Incorrect', param: 'messages.2.reasoning_content is required when thinking is on' } },
    { reasoningBack: 'demanded' },
  ],
  [
    'reasoning refused, DeepSeek once',
    'reasoned',
    400,
    { error: { message: 'reasoning_content must not be included in input messages' } },
    { reasoningBack: 'refused' },
  ],
  [
    'prefill, Bedrock',
    'prefilled',
    400,
    { message: 'Conversation must not end with an assistant message.' },
    { prefill: false },
  ],
  [
    'prefill, templates',
    'prefilled',
    400,
    { error: { message: 'Cannot continue: the last message has role "assistant", only user or tool may be last' } },
    { prefill: false },
  ],
  [
    'limit of Groq',
    'plain',
    400,
    {
      error: {
        message:
          '`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model',
        type: 'invalid_request_error',
        param: 'max_tokens',
      },
    },
    { most: { max_tokens: 8192 } },
  ],
  [
    'limit of DashScope',
    'plain',
    400,
    { error: { message: '<400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 8192]' } },
    { most: { max_tokens: 8192 } },
  ],
  [
    'limit of Gemini',
    'google',
    400,
    [
      {
        error: {
          code: 400,
          status: 'INVALID_ARGUMENT',
          message:
            'Unable to submit request because it has a maxOutputTokens value of 32000 but the supported range is from 1 (inclusive) to 8193 (exclusive). Update the value and try again.',
        },
      },
    ],
    { most: { 'generationConfig.maxOutputTokens': 8192 } },
  ],
  [
    'prompt too long, Anthropic',
    'anthropic',
    400,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    },
    null,
  ],
  [
    'input and output too long',
    'anthropic',
    400,
    {
      type: 'error',
      error: {
        message:
          'input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000, decrease input length or `max_tokens` and try again',
      },
    },
    null,
  ],
  [
    'tool result out of place',
    'looped',
    400,
    { error: { message: "messages: Unexpected role 'tool' after role 'user'" } },
    null,
  ],
  [
    'Gemini’s schema',
    'google',
    400,
    [
      {
        error: {
          code: 400,
          message:
            '* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties: should be non-empty for OBJECT type',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
    null,
  ],
  [
    'a tool schema nobody takes',
    'anthropic',
    400,
    {
      type: 'error',
      error: {
        message: 'tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level',
      },
    },
    null,
  ],
  [
    'quota',
    'plain',
    400,
    {
      error: {
        message: 'You exceeded your current quota for tools, please check your plan',
        code: 'insufficient_quota',
      },
    },
    null,
  ],
  [
    'an image url',
    'plain',
    400,
    { error: { message: 'Invalid content type. image_url is only supported by certain models.' } },
    null,
  ],
  [
    'two names for one tool',
    'anthropic',
    400,
    { type: 'error', error: { message: 'tools: Tool names must be unique.' } },
    null,
  ],
  [
    'no memory',
    'ollama',
    500,
    { error: 'model requires more system memory (9.3 GiB) than is available (5.1 GiB)' },
    null,
  ],
  ['a runner that died', 'ollama', 500, { error: 'llama runner process has terminated: exit status 2' }, null],
  [
    'budget of thoughts',
    'anthropic',
    400,
    {
      type: 'error',
      error: {
        message: '`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation',
      },
    },
    null,
  ],
  // gathered from public fault reports after the rule was built
  [
    'OpenAI, a chat model',
    'plain',
    400,
    {
      error: {
        message:
          'tools is not supported in this model. For a list of supported models, refer to https://platform.openai.com/docs/guides/function-calling#models-supporting-function-calling.',
        type: 'invalid_request_error',
        param: null,
      },
    },
    { leaveOut: ['tools'] },
  ],
  [
    'DashScope, tools',
    'plain',
    400,
    {
      code: 'InvalidParameter',
      message: '<400> InternalError.Algo.InvalidParameter: The tool call is not supported.',
      request_id: '5',
    },
    { leaveOut: ['tools'] },
  ],
  [
    'Azure, functions',
    'plain',
    400,
    {
      error: {
        requestid: '7eaa7bfc',
        code: 400,
        message:
          'Functions are not supported for this API version or this model version. To learn how to user use function calling with Azure OpenAI Service. Please refer to this wiki  https://learn.microsoft.com/en-us/azure/ai-services/openai/how-to/function-calling?tabs=python',
      },
    },
    { leaveOut: ['tools'] },
  ],
  [
    'a relay, tools',
    'plain',
    400,
    {
      error: {
        message: 'Function call is not supported for this model. (request id: 2025030703215075180107320527002)',
      },
    },
    { leaveOut: ['tools'] },
  ],
  [
    'stream_options without stream',
    'plain',
    400,
    {
      error: {
        code: null,
        type: 'invalid_request_error',
        param: 'stream_options',
        message: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      },
    },
    { leaveOut: ['stream_options'] },
  ],
  [
    'stream_options through two relays',
    'plain',
    400,
    {
      error: {
        message:
          "Unknown parameter: 'stream_options'. (request id: 20240806214436917505976hvsFC5y2) (request id: 20240806214435144343103vXhjiHlZ)",
        type: 'invalid_request_error',
        param: 'stream_options',
        code: 'unknown_parameter',
      },
    },
    { leaveOut: ['stream_options'] },
  ],
  [
    'the sentence in param',
    'plain',
    400,
    {
      error: {
        message: 'Param Incorrect',
        type: 'upstream_error',
        param:
          'max_tokens is too large: 32000. This model supports at most 13107 completion tokens, whereas you provided 32000.',
        code: '400',
      },
    },
    { most: { max_tokens: 13_107 } },
  ],
  [
    'Doubao’s limit',
    'newer',
    400,
    {
      error: {
        code: 'InvalidParameter',
        message:
          'The parameter `max_completion_tokens` specified in the request are not valid: integer above maximum value, expected a value <= 12288, but got 32000 instead. Request id: 0217752964393142fa50',
        param: 'max_completion_tokens',
        type: 'BadRequest',
      },
    },
    { most: { max_completion_tokens: 12_288 } },
  ],
  [
    'Bedrock, empty content',
    'looped',
    400,
    {
      error: {
        message:
          'bedrock error: The content field in the Message object at messages.[position] is empty. Add a ContentBlock object to the content field and try again.',
        type: null,
        param: null,
      },
      provider: 'bedrock',
    },
    { emptyContent: true },
  ],
  [
    'reasoning demanded, LiteLLM',
    'looped',
    400,
    {
      error: {
        message:
          'litellm.BadRequestError: OpenAIException - messages[2]: assistant message with tool_calls must include reasoning_content. Received Model Group=deepseek-v4-pro',
      },
    },
    { reasoningBack: 'demanded' },
  ],
  [
    'reasoning demanded, wrapped',
    'looped',
    500,
    {
      error: 'Internal server error',
      details: '400 thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
    },
    { reasoningBack: 'demanded' },
  ],
  [
    'tools and effort together',
    'plain',
    400,
    {
      error: {
        message:
          "Function tools with reasoning_effort are not supported for gpt-5.6-luna in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
      },
    },
    { leaveOut: ['reasoning_effort'] },
  ],
  [
    'no streaming',
    'plain',
    400,
    {
      error: {
        message:
          "Unsupported value: 'stream' does not support true with this model. Only the default (false) value is supported.",
        type: 'invalid_request_error',
        param: 'stream',
        code: 'unsupported_value',
      },
    },
    null,
  ],
  [
    'a result without its call',
    'looped',
    500,
    { error: { message: 'Message has tool role, but there was no previous assistant message with a tool call!' } },
    null,
  ],
  ['some message is wrong', 'looped', 400, { error: { message: 'Invalid request: messages.2: Invalid input' } }, null],
  [
    'content of another kind',
    'plain',
    400,
    { error: { message: "Invalid type for 'messages[0].content': expected a string, but got an array instead" } },
    null,
  ],
]
