// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Preview } from '../../../src-main/turns/contract'
import { useNavigation } from '../../app/navigation'
import '../../i18n/i18n'
import { isClearlyOver } from '../../../src-main/turns/over-contract'
import { fakeStrata } from '../../testing/fake-strata'
import { aPreview, aSpan, aUsage } from '../../testing/previews'
import { changeDraft } from '../draft-store'
import type { SendOverrides } from '../send-gate'
import { openChoices, tryChoice } from './over-choices'
import { overGate, useOver, wireOver } from './over-gate'
import { OverPanel } from './over-panel'

/** Ten messages of 11,000 tokens, the last one being typed: 120k of 112k with memory and prompt. */
function overPreview(overrides: SendOverrides = {}): Preview {
  const sent = Math.min(10, overrides.historyLimit ?? 10)
  const memory = overrides.blocksOff?.includes('memory') ? 0 : 500
  const reserved = overrides.reservedOutput ?? 16_000
  return aPreview({
    usage: aUsage(
      { system_prompt: 9500, ...(memory ? { memory } : {}), history: (sent - 1) * 11_000, draft: 11_000 },
      { reserved },
    ),
    ledger: Array.from({ length: sent }, (_, at) =>
      aSpan({ sourceId: `m${at}`, segment: at === sent - 1 ? 'draft' : 'history', tokens: 11_000 }),
    ),
    windowStart: sent < 10 ? { messageId: 'm', dropped: 10 - sent, limit: sent } : null,
  })
}

it('takes the doubt of an estimate into account before it asks', () => {
  const base = aUsage({ history: 115_000 })
  expect(isClearlyOver({ ...base, quality: 'estimated' })).toBe(false)
  expect(isClearlyOver({ ...base, quality: 'calibrated' })).toBe(true)
  expect(isClearlyOver({ ...aUsage({ history: 120_000 }), quality: 'estimated' })).toBe(true)
})

it('tries every way out and says what each would do', async () => {
  const preview = overPreview()
  const tried = await Promise.all(
    openChoices(preview).map((choice) => tryChoice(choice, preview, async (overrides) => overPreview(overrides))),
  )
  const choices = tried.filter((choice) => choice !== null)
  expect(
    choices.map(({ id, overrides, count, result }) => ({ id, overrides, count, over: result?.usage.over })),
  ).toEqual([
    { id: 'trim', overrides: { historyLimit: 9 }, count: 1, over: 0 },
    { id: 'memory', overrides: { blocksOff: ['memory'] }, count: undefined, over: 7500 },
    { id: 'smaller', overrides: { reservedOutput: 8000 }, count: undefined, over: 0 },
    { id: 'anyway', overrides: {}, count: undefined, over: undefined },
  ])
})

describe('the choice', () => {
  let strata: ReturnType<typeof fakeStrata>
  beforeEach(() => {
    strata = fakeStrata({
      'turns.preview': ({ overrides }: { overrides?: SendOverrides }) => overPreview(overrides),
      'drafts.save': () => ({ saved: true }),
    })
    useNavigation.setState({ sessionId: 's1' })
    wireOver()
    render(<OverPanel sessionId="s1" />)
  })
  afterEach(cleanup)
  const attempt = { sessionId: 's1', text: 'All of it.', attachments: [] }

  it('stands before sending, each way with its result, the first that fits chosen', async () => {
    const answer = overGate(attempt)
    await screen.findByText('Over by 8.0k tokens')
    await screen.findByText('fits, 97 %')
    expect(screen.getByText('still over by 7.50k')).toBeTruthy()
    expect(screen.getByText('the server may refuse it')).toBeTruthy()
    fireEvent.click(await screen.findByRole('button', { name: 'Trim 1 and send' }))
    expect(await answer).toEqual({ go: true, overrides: { historyLimit: 9 } })
    expect(screen.queryByText('Over by 8.0k tokens')).toBeNull()
  })

  it('keeps the message on Escape, and sends nothing', async () => {
    const answer = overGate(attempt)
    fireEvent.keyDown(await screen.findByText('Over by 8.0k tokens'), { key: 'Escape' })
    expect(await answer).toEqual({ go: false })
    expect(strata.inputsOf('turns.send')).toEqual([])
  })

  it('is taken back when the words change', async () => {
    const answer = overGate(attempt)
    await screen.findByText('Over by 8.0k tokens')
    act(() => changeDraft('s1', { text: 'Less of it.' }))
    expect(await answer).toEqual({ go: false })
    await waitFor(() => expect(useOver.getState().attempt).toBeNull())
  })
})
