import { describe, expect, it } from 'vitest'
import { SENT, type SentName } from '../../testing/refusals/bodies'
import { KNOWN_REFUSALS, type Refusal } from '../../testing/refusals/known'
import { MORE_REFUSALS } from '../../testing/refusals/more'
import { MORE_REAL_REFUSALS, REAL_REFUSALS } from '../../testing/refusals/real'
import { UNSEEN_REFUSALS } from '../../testing/refusals/unseen'
import type { ConnectionKind } from '../contract'
import { complaintsOf, serverText } from '../refusal-body'
import type { RequestFit } from '../request-fit'
import { readRefusal } from './read-refusal'

const KINDS: Partial<Record<SentName, ConnectionKind>> = {
  anthropic: 'anthropic',
  anthropicPrefilled: 'anthropic',
  google: 'google',
  ollama: 'ollama',
  responses: 'openai',
}

function learned([, sent, status, body]: Refusal, fit: RequestFit = {}): RequestFit | undefined {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const details = { status, serverText: serverText(text), complaints: complaintsOf(text) }
  return readRefusal(details, { body: JSON.stringify(SENT[sent]), kind: KINDS[sent] ?? 'openai-compatible', fit })
}

it('reads the complaint out of every wrapping, with the place it names', () => {
  const inner = JSON.stringify({ detail: [{ loc: ['body', 'tools', 0], msg: 'Wrong', type: 't' }] })
  const outer = JSON.stringify({ error: { message: 'Provider returned error', metadata: { raw: `400: ${inner}` } } })
  expect(complaintsOf(outer)).toEqual([
    { text: 'Provider returned error', kind: '' },
    { text: 'Wrong', kind: 't', place: ['tools', '0'] },
  ])
  expect(serverText(outer)).toBe('Wrong (tools.0)')
  expect(serverText('[{"error":{"code":400,"message":"Too old.","status":"INVALID_ARGUMENT"}}]')).toBe('Too old.')
  expect(serverText('{"detail":[{"loc":["body","a"],"msg":"Extra a"},{"loc":["body","b"],"msg":"Bad"}]}')).toBe(
    'Extra a; Bad (b)',
  )
  expect(serverText('not { json')).toBe('not { json')
  expect(serverText('{"odd":true}')).toBe('{"odd":true}')
  expect(complaintsOf('')).toEqual([])
})

it('a lesson in force is not learned again, and a name that was changed once is left out when it is refused', () => {
  const refusal = KNOWN_REFUSALS.find(([what]) => what === 'the other way round')
  if (!refusal) throw new Error('The refusal is missing.')
  expect(learned(refusal, { rename: { max_tokens: 'max_completion_tokens' } })).toEqual({
    leaveOut: ['max_completion_tokens'],
  })
})

describe('what a refusal teaches', () => {
  it.each(KNOWN_REFUSALS)('%s (%s, HTTP %s)', (...refusal) => {
    expect(learned(refusal) ?? null).toEqual(refusal[4])
  })

  it.each(MORE_REFUSALS)('%s (%s, HTTP %s)', (...refusal) => {
    expect(learned(refusal) ?? null).toEqual(refusal[4])
  })

  it.each([...REAL_REFUSALS, ...MORE_REAL_REFUSALS])('%s (%s, HTTP %s)', (...refusal) => {
    expect(learned(refusal) ?? null).toEqual(refusal[4])
  })

  it.each(UNSEEN_REFUSALS)('%s (%s, HTTP %s)', (...refusal) => {
    expect(learned(refusal) ?? null).toEqual(refusal[4])
  })
})
