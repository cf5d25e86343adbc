import { describe, expect, it } from 'vitest'
import { SENT, type SentName } from '../../testing/refusals/bodies'
import { KNOWN_REFUSALS, type Refusal } from '../../testing/refusals/known'
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

describe('what a refusal teaches', () => {
  it.each(KNOWN_REFUSALS)('%s (%s, HTTP %s)', (...refusal) => {
    expect(learned(refusal) ?? null).toEqual(refusal[4])
  })

  it.each(UNSEEN_REFUSALS)('%s (%s, HTTP %s)', (...refusal) => {
    expect(learned(refusal) ?? null).toEqual(refusal[4])
  })
})
