import { expect, test } from 'vitest'
import type { RequestPart } from '../request-contract'
import { goOnEntries } from './go-on'

const piece = (text: string) => ({ segment: 'history' as const, sourceId: 'm', label: 'Answer', text })
const said = (text: string): RequestPart => ({ type: 'text', pieces: [piece(text)] })
const thought: RequestPart = { type: 'reasoning', pieces: [piece('And then?')], signature: { a: 's' } }
const after = (...parts: RequestPart[]) =>
  goOnEntries({ entries: [{ kind: 'message', role: 'assistant', messageId: 'm', parts }], rejected: [] }, 'en')

test('a cut-off answer is never the last word, whatever stands after its text', () => {
  for (const parts of [
    [said('Once upon a time')],
    [thought, said('Once upon a time')],
    [said('Once upon a time'), thought],
  ])
    expect(after(...parts)).toMatchObject([
      { source: 'continue', parts: [{ pieces: [{}, { text: 'upon a time' }, {}] }] },
    ])
})
