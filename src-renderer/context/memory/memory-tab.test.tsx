// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AbsentBlock } from '../../../src-main/context/contract'
import type { Retrieval } from '../../../src-main/context/memory/retrieval-contract'
import type { Preview } from '../../../src-main/turns/contract'
import { useNavigation } from '../../app/navigation'
import { useTranscript } from '../../chat/transcript-store'
import '../../i18n/i18n'
import { fakeStrata } from '../../testing/fake-strata'
import { usePreview } from '../context-bar/preview-store'
import { useRecords } from '../request-inspector/record-store'
import { MemoryTab } from './memory-tab'
import { aCandidate, aMemory, aRetrieval } from './memory-test-data'

const memories = [
  aMemory({ id: 'm1', text: 'The Kestrel draws 1.8 m.' }),
  aMemory({ id: 'm2', text: 'She drew 2.1 m.' }),
]

beforeEach(() => {
  fakeStrata({
    'memory.get': ({ id }: { id: string }) => {
      const found = memories.find((memory) => memory.id === id)
      if (!found) throw new Error('gone')
      return found
    },
    'turns.record': () => preview(aRetrieval({ absent: 'empty_query' })),
  })
  useNavigation.setState({ sentMessageId: null })
  useTranscript.setState({ current: null })
  useRecords.setState({ records: {}, errors: {} })
})
afterEach(cleanup)

const preview = (memory: Retrieval | null, absent: AbsentBlock[] = []): Preview =>
  ({ memory, absent, ledger: [], rejected: [] }) as unknown as Preview
const show = (memory: Retrieval | null, absent: AbsentBlock[] = []) => {
  usePreview.setState({ preview: preview(memory, absent), sessionId: 's1', whatIf: null, error: '' })
  return render(<MemoryTab sessionId="s1" />)
}

it('shows each candidate with its score taken apart, and why it is in or out', async () => {
  show(
    aRetrieval({
      considered: 40,
      candidates: [
        aCandidate({
          memoryId: 'm1',
          score: 0.9,
          verdict: 'injected',
          matched: ['kestrel', 'draw', 'about:travel'],
          parts: { lexical: { value: 0.75, weight: 0.4 }, entity: { value: 1, weight: 0.1 } },
        }),
        aCandidate({ memoryId: 'm2', rank: 2, score: 0.5, verdict: 'superseded' }),
        aCandidate({ memoryId: 'm3', rank: 3, score: 0.2 }),
      ],
    }),
  )
  const first = screen.getByRole('article', { name: 'Candidate 1' })
  await waitFor(() => expect(first.textContent).toContain('The Kestrel draws 1.8 m.'))
  expect(first.textContent).toContain('lexical0.30')
  expect(first.textContent).toContain('entity0.10')
  expect(first.textContent).toContain('words: kestrel, draw · about travel')
  expect(within(first).getByText('Injected')).toBeTruthy()
  expect(screen.getByRole('article', { name: 'Candidate 2' }).textContent).toContain(
    'kept for questions about the past',
  )
  expect(screen.getByRole('article', { name: 'Candidate 3' }).textContent).toContain('This memory was deleted.')
  expect(screen.getByText('1 of 12 injected')).toBeTruthy()
  expect(screen.getByText(/0.4 lexical \+ 0.6 dense \+ 0.1 entity/).textContent).toContain('37 more candidates')
})

it('says in words that only words were searched', () => {
  show(aRetrieval({ degraded: { channel: 'dense', reason: 'The embedder did not answer within 300 ms.' } }))
  expect(screen.getByText(/Searched by words only/).textContent).toContain('did not answer within 300 ms')
})

it('gives the reason where memory was not asked at all', () => {
  show(null, [{ block: 'memory', reason: 'isolated' }])
  expect(screen.getByText('Memory was not asked')).toBeTruthy()
  expect(screen.getByText('isolated')).toBeTruthy()
})

it('reads the record of a past answer', async () => {
  useNavigation.setState({ sentMessageId: 'r1' })
  render(<MemoryTab sessionId="s1" />)
  expect(await screen.findByText('The message holds no word to look for.')).toBeTruthy()
})
