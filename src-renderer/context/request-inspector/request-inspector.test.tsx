// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TurnRecord } from '../../../src-main/turns/contract'
import { useNavigation } from '../../app/navigation'
import { useTranscript } from '../../chat/transcript-store'
import '../../i18n/i18n'
import { aMessage, aSession } from '../../testing/builders'
import { fakeStrata } from '../../testing/fake-strata'
import { aPreview, aSpan } from '../../testing/previews'
import { TipProvider } from '../../ui/tooltip'
import { usePreview } from '../context-bar/preview-store'
import { diffTexts } from './diff-lines'
import { firstDifference, groupSpans, requestText } from './group-spans'
import { useRecords, wireRecords } from './record-store'
import { SentTab } from './sent-tab'

const prompt = aSpan({
  id: 'm0.p0.s1',
  segment: 'system_prompt',
  sourceId: 'p1',
  role: 'system',
  text: 'Mind the tides.',
  label: 'Harbour editor',
  why: { code: 'selected' },
})
const frame = aSpan({
  id: 'm0.p0.s0',
  segment: 'system_prompt',
  sourceId: 'frame:system_prompt',
  role: 'system',
  text: '<system_prompt>\n',
})
const asked = aSpan({ id: 'm1.p0.s0', sourceId: 'u1', message: 1, text: 'When is low water?' })
const tool = aSpan({
  id: 't0',
  segment: 'tools',
  sourceId: 'built-in/get_time',
  message: -1,
  role: 'system',
  text: '{}',
})
const LEDGER = [tool, frame, prompt, asked]

const record = (fields: Partial<TurnRecord> = {}): TurnRecord => ({
  ...aPreview({
    ledger: LEDGER,
    wire: { method: 'POST', url: 'https://model.test/v1', headers: { authorization: '•••' }, body: '{"a":1}' },
  }),
  sentAt: '2026-11-30T12:01:00+00:00',
  connectionId: 'c',
  modelId: 'c/m',
  timings: { collect: 1, assemble: 1 },
  rounds: 1,
  round: 1,
  ...fields,
})

describe('spans', () => {
  it('are grouped by message and by neighbouring segment, the tool list last', () => {
    const groups = groupSpans(LEDGER)
    expect(groups.map(({ index, runs }) => [index, runs.map((run) => run.spans.length)])).toEqual([
      [0, [2]],
      [1, [1]],
      [-1, [1]],
    ])
    expect(requestText(LEDGER)).toContain('── system ──\n<system_prompt>\nMind the tides.')
  })

  it('name the block where two requests part', () => {
    expect(firstDifference(LEDGER, LEDGER)).toBeNull()
    expect(firstDifference(LEDGER, [tool, frame, { ...prompt, text: 'Mind the gap.' }, asked])).toBe('system_prompt')
    expect(firstDifference(LEDGER, [...LEDGER, aSpan({ segment: 'draft' })])).toBe('draft')
  })
})

it('folds far-off unchanged lines in a diff and counts the rest', async () => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`)
  const diff = await diffTexts(lines.join('\n'), lines.with(10, 'other').join('\n'))
  expect(diff).toMatchObject({ added: 1, removed: 1 })
  expect(diff?.rows.map((row) => row.kind)).toEqual([
    'fold',
    'same',
    'same',
    'removed',
    'added',
    'same',
    'same',
    'fold',
  ])
})

describe('the tab Sent', () => {
  let strata: ReturnType<typeof fakeStrata>
  beforeEach(() => {
    strata = fakeStrata({ 'turns.record': () => record() })
    useRecords.setState({ records: {}, errors: {}, previewed: {} })
    usePreview.setState({ preview: aPreview({ ledger: LEDGER }), sessionId: 's1', whatIf: null })
    useTranscript.setState({
      state: 'ready',
      current: {
        sessionId: 's1',
        session: aSession({ globalPromptId: 'p1' }),
        messages: [aMessage({ id: 'u1' }), aMessage({ id: 'a1', role: 'assistant', text: 'At 00:52.' })],
        hasMore: false,
        total: 2,
      },
    })
    useNavigation.setState({ place: 'chats', sessionId: 's1', sentMessageId: null })
    wireRecords()
  })
  afterEach(cleanup)
  const show = () =>
    render(
      <TipProvider>
        <SentTab sessionId="s1" />
      </TipProvider>,
    )

  it('explains a span: block, source, why, tokens, and the way to its editor', () => {
    const { container } = show()
    fireEvent.click(screen.getByText('Mind the tides.'))
    const detail = container.querySelector('.spd')
    expect(detail?.textContent).toContain('Global prompt')
    expect(detail?.textContent).toContain('Harbour editor')
    expect(detail?.textContent).toContain('Chosen in this session.')
    expect(detail?.textContent).toContain('≈15 tokens')
    fireEvent.click(screen.getByText('Open prompt'))
    expect(useNavigation.getState()).toMatchObject({ place: 'prompts', placeTarget: 'p1' })
  })

  it('moves between spans with the arrow keys and opens one with Enter', () => {
    const { container } = show()
    const spans = [...container.querySelectorAll<HTMLElement>('[data-span]')]
    spans[0]?.focus()
    fireEvent.keyDown(spans[0] as HTMLElement, { key: 'ArrowDown' })
    expect(document.activeElement).toBe(spans[1])
    fireEvent.keyDown(spans[1] as HTMLElement, { key: 'Enter' })
    expect(container.querySelector('.spd')).not.toBeNull()
  })

  it('shows the raw body of a record exactly', async () => {
    useNavigation.setState({ sentMessageId: 'a1' })
    const { container } = show()
    fireEvent.click(screen.getByText('Raw body'))
    await waitFor(() => expect(container.querySelector('.raw-body')?.textContent).toBe('{"a":1}'))
  })

  it('says when the bytes are those of the preview, and else what changed', async () => {
    act(() => strata.send('turn.started', { turnId: 't', sessionId: 's1', messageId: 'a1' }))
    useNavigation.setState({ sentMessageId: 'a1' })
    show()
    await screen.findByText('Byte for byte what the preview showed.')
    act(() =>
      useRecords.setState({
        previewed: { a1: { sha256: 'b'.repeat(64), ledger: [tool, frame, prompt, { ...asked, text: 'Hm' }] } },
      }),
    )
    await screen.findByText('Not the bytes of the last preview: the history changed')
  })
})
