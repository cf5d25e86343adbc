import { expect, it } from 'vitest'
import { fitBody, mergeFits, type RequestFit, withQuery } from './request-fit'

const body = {
  model: 'm',
  max_tokens: 9000,
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: null, tool_calls: [{}] },
    { role: 'tool', content: null },
  ],
  tools: [{}],
  tool_choice: 'auto',
  parallel_tool_calls: false,
  stream_options: { include_usage: true },
  generationConfig: { maxOutputTokens: 9000, thinkingConfig: { includeThoughts: true } },
}

it.each<[string, RequestFit, object]>([
  ['a field', { leaveOut: ['stream_options'] }, { ...body, stream_options: undefined }],
  [
    'the last field of an object with it',
    { leaveOut: ['stream_options.include_usage'] },
    { ...body, stream_options: undefined },
  ],
  [
    'a field inside',
    { leaveOut: ['generationConfig.thinkingConfig'] },
    { ...body, generationConfig: { maxOutputTokens: 9000 } },
  ],
  [
    'tools, and what steers them',
    { leaveOut: ['tools'] },
    { ...body, tools: undefined, tool_choice: undefined, parallel_tool_calls: undefined },
  ],
  [
    'a renamed field, lowered under its new name',
    { rename: { max_tokens: 'max_completion_tokens' }, most: { max_completion_tokens: 8192, model: 1 } },
    { ...body, max_tokens: undefined, max_completion_tokens: 8192 },
  ],
  [
    'a renamed field that is refused as well',
    { rename: { max_tokens: 'max_completion_tokens' }, leaveOut: ['max_completion_tokens'] },
    { ...body, max_tokens: undefined },
  ],
  ['a number below the limit', { most: { max_tokens: 10_000 } }, body],
  [
    'null beside calls',
    { emptyContent: true },
    {
      ...body,
      messages: body.messages.map((message) => (message.role === 'assistant' ? { ...message, content: '' } : message)),
    },
  ],
  ['a field that is not there', { leaveOut: ['nothing', 'model.name'] }, body],
])('fits %s', (_what, fit, expected) => {
  expect(JSON.parse(fitBody(JSON.stringify(body), fit))).toEqual(JSON.parse(JSON.stringify(expected)))
})

it('changes no byte without need, and keeps the order of fields', () => {
  const text = '{ "a": 1,  "max_tokens": 2, "b": 3 }'
  expect(fitBody(text, {})).toBe(text)
  expect(fitBody(text, undefined)).toBe(text)
  expect(fitBody(text, { rename: { max_tokens: 'most' } })).toBe('{"a":1,"most":2,"b":3}')
})

it('joins what was learned one after the other', () => {
  expect(
    mergeFits({ leaveOut: ['a'], most: { x: 2 } }, { leaveOut: ['b', 'a'], prefill: false }, { most: { x: 1 } }),
  ).toEqual({ leaveOut: ['a', 'b'], most: { x: 1 }, prefill: false })
})

it('adds a query to an address that may have its own', () => {
  expect(withQuery('https://a.example/chat?alt=sse', 'api-version=1&alt=json')).toBe(
    'https://a.example/chat?alt=sse&api-version=1',
  )
  expect(withQuery('https://a.example/chat', '')).toBe('https://a.example/chat')
})
