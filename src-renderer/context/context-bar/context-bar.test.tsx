// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ABSENT_CODES } from '../../../src-main/context/contract'
import type { Preview } from '../../../src-main/turns/contract'
import { useNavigation } from '../../app/navigation'
import { changeDraft, useDrafts } from '../../composer/draft-store'
import { en } from '../../i18n/resources'
import '../../i18n/i18n'
import { fakeStrata } from '../../testing/fake-strata'
import { aPreview, aUsage } from '../../testing/previews'
import { TipProvider } from '../../ui/tooltip'
import { ContextButton } from './context-button'
import { openUsage, refreshPreview, usePreview, wirePreview } from './preview-store'

type Asked = { draft?: string; overrides?: { blocksOff?: string[] } }

const answer = (input: Asked): Preview => {
  const off = input.overrides?.blocksOff ?? []
  return aPreview({
    usage: aUsage({ system_prompt: 1860, ...(off.includes('tools') ? {} : { tools: 4350 }), history: 49_790 }),
    absent: [{ block: 'memory', reason: 'timed_out', detail: 'No answer within 3 s.' }],
  })
}

let strata: ReturnType<typeof fakeStrata>
let wired = false

beforeEach(() => {
  strata = fakeStrata({
    'turns.preview': answer,
    'turns.session-usage': () => ({ inputTokens: 1_310_000, outputTokens: 88_200, messages: 47 }),
    'drafts.save': () => ({ saved: true }),
  })
  useNavigation.setState({ place: 'chats', sessionId: 's1', paneOpen: false })
  useDrafts.setState({ drafts: {} })
  usePreview.setState({
    preview: null,
    sessionId: undefined,
    error: '',
    popoverOpen: false,
    whatIf: null,
    off: new Set(),
  })
  if (!wired) wirePreview()
  wired = true
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

async function show() {
  render(
    <TipProvider>
      <ContextButton sessionId="s1" />
    </TipProvider>,
  )
  act(() => refreshPreview())
  return screen.findByRole('button', { name: /^Context: about/ })
}

describe('the bar in the composer', () => {
  it('says its value in its name, and hides the drawing from readers', async () => {
    const button = await show()
    expect(button.getAttribute('aria-label')).toBe('Context: about 50 percent used, 56 thousand of 112 thousand tokens')
    expect(button.textContent).toBe('50 %')
    const bar = button.querySelector('.bar')
    expect(bar?.getAttribute('aria-hidden')).toBe('true')
    const widths = [...(bar?.children ?? [])].map((part) => (part as HTMLElement).style.flexGrow)
    expect(widths).toEqual(['1860', '4350', '49790', '56000', '16000'])
  })

  it('says tokens and offers the setting while the window is unknown', async () => {
    const { window: _w, budget: _b, free: _f, percent: _p, ...unknown } = aUsage({ history: 12_400 })
    strata = fakeStrata({ 'turns.preview': () => aPreview({ usage: unknown }) })
    render(
      <TipProvider>
        <ContextButton sessionId="s1" />
      </TipProvider>,
    )
    act(() => refreshPreview())
    const button = await screen.findByRole('button', { name: /window not known/ })
    expect(button.textContent).toBe('≈12.4k tokens')
    fireEvent.click(screen.getByText('set window'))
    expect(useNavigation.getState().place).toBe('settings')
  })

  it('asks once for a burst of typing and keeps the old value until the new one is there', async () => {
    const button = await show()
    vi.useFakeTimers()
    const before = strata.inputsOf('turns.preview').length
    for (const text of ['t', 'ti', 'tide']) {
      act(() => changeDraft('s1', { text }))
      vi.advanceTimersByTime(100)
    }
    expect(strata.inputsOf('turns.preview')).toHaveLength(before)
    expect(button.textContent).toBe('50 %')
    await act(() => vi.advanceTimersByTimeAsync(60))
    const asked = strata.inputsOf('turns.preview').slice(before) as Asked[]
    expect(asked.map((input) => input.draft)).toEqual(['tide'])
  })
})

describe('the popover', () => {
  async function open() {
    const button = await show()
    fireEvent.click(button)
    return { button, dialog: await screen.findByRole('dialog', { name: 'Context usage' }) }
  }

  it('lists every block with tokens, share, contributors and a reason for the absent one', async () => {
    const { dialog } = await open()
    const row = within(dialog).getByRole('button', { name: 'Tools' }).closest('tr')
    expect(row?.textContent).toContain('≈4.35k')
    expect(row?.textContent).toContain('3.9 %')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Tools' }))
    expect(within(dialog).getByText('First of tools')).toBeTruthy()
    expect(dialog.textContent).toContain('took too long; the turn goes on without it')
    expect(dialog.textContent).toContain('No answer within 3 s.')
    expect(dialog.textContent).toContain('1.31M in, 88.2k out')
  })

  it('previews without a block that is switched off, and forgets it on closing', async () => {
    const { dialog, button } = await open()
    fireEvent.click(within(dialog).getByRole('switch', { name: 'Include Tools in this look' }))
    await waitFor(() => expect(dialog.textContent).toContain('what-if · was 50 %'))
    expect((strata.inputsOf('turns.preview').at(-1) as Asked).overrides).toEqual({ blocksOff: ['tools'] })
    expect(within(dialog).getByRole('button', { name: 'Tools' }).closest('tr')?.className).toBe('off')
    await waitFor(() => expect(button.textContent).toBe('46 %'))
    act(() => openUsage(false))
    expect(usePreview.getState().off.size).toBe(0)
    expect(button.textContent).toBe('50 %')
  })

  it('closes on Escape and gives the focus back', async () => {
    const button = await show()
    button.focus()
    fireEvent.click(button)
    const dialog = await screen.findByRole('dialog')
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
    fireEvent.keyDown(document.activeElement ?? dialog, { key: 'Escape' })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(button))
  })
})

it('has words for every reason a block can be absent', () => {
  for (const code of ABSENT_CODES) expect(en.context.absent[code], code).toMatch(/\w/)
})
