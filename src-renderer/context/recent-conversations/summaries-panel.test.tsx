// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ConversationSummary } from '../../../src-main/context/recent-conversations/contract'
import { settingsSchema } from '../../../src-main/settings/contract'
import '../../i18n/i18n'
import { useJobs } from '../../jobs/job-store'
import { useSettings } from '../../settings/settings-store'
import { fakeStrata } from '../../testing/fake-strata'
import { TipProvider } from '../../ui/tooltip'
import { SummariesPanel } from './summaries-panel'

const aSummary = (fields: Partial<ConversationSummary> = {}): ConversationSummary => ({
  sessionId: 's1',
  sessionTitle: 'Third act',
  text: 'Where the ferry grounds.',
  source: 'model',
  userTurns: 6,
  createdAt: '2026-11-30T10:00:00+00:00',
  updatedAt: '2026-11-30T10:00:00+00:00',
  ...fields,
})

let summaries: ConversationSummary[]
let strata: ReturnType<typeof fakeStrata>
beforeEach(() => {
  summaries = [aSummary()]
  useJobs.setState({ jobs: [] })
  useSettings.setState({ settings: settingsSchema.parse({ recentConversations: { inject: 1 } }) })
  strata = fakeStrata({
    'recent-conversations.list': () => summaries,
    'recent-conversations.save': ({ text }: { text: string }) => aSummary({ text, source: 'user' }),
    'recent-conversations.generate': () => ({ jobId: 'j1' }),
    'recent-conversations.remove': () => ({ removed: 1 }),
    'settings.update': () => settingsSchema.parse({ recentConversations: { enabled: false } }),
  })
})
afterEach(cleanup)

const show = () =>
  render(
    <TipProvider>
      <SummariesPanel />
    </TipProvider>,
  )

it('shows the newest first, which of them are sent, and a failed try with its reason', async () => {
  summaries = [
    aSummary({ lastError: 'The server refused.' }),
    aSummary({ sessionId: 's2', sessionTitle: 'Later', updatedAt: '2026-11-30T11:00:00+00:00' }),
  ]
  show()
  const [first, second] = await screen.findAllByRole('article')
  expect(first?.getAttribute('aria-label')).toBe('Later')
  expect(first?.textContent).toContain('sent along')
  expect(second?.textContent).not.toContain('sent along')
  expect(second?.textContent).toContain('the old text stays: The server refused.')
})

it('a first try that failed is no summary: nothing of it is sent, and it says why', async () => {
  summaries = [
    aSummary({
      sessionId: 's2',
      sessionTitle: 'Later',
      text: '',
      lastError: 'No model.',
      updatedAt: '2026-11-30T11:00:00Z',
    }),
    aSummary(),
  ]
  show()
  const [failed, written] = await screen.findAllByRole('article')
  expect(failed?.textContent).toContain('It could not be written: No model.')
  expect(failed?.textContent).not.toContain('sent along')
  expect(written?.textContent).toContain('sent along')
  expect(screen.getByText('1 summary')).toBeTruthy()
})

it('is edited by hand, written anew, deleted', async () => {
  show()
  const article = await screen.findByRole('article', { name: 'Third act' })
  fireEvent.click(within(article).getByRole('button', { name: 'Edit' }))
  fireEvent.change(within(article).getByRole('textbox'), { target: { value: 'By hand.' } })
  fireEvent.click(within(article).getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(strata.inputsOf('recent-conversations.save')).toEqual([{ sessionId: 's1', text: 'By hand.' }]),
  )
  fireEvent.click(await within(article).findByRole('button', { name: 'Write anew' }))
  await waitFor(() => expect(strata.inputsOf('recent-conversations.generate')).toEqual([{ sessionId: 's1' }]))
  fireEvent.click(within(article).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(strata.inputsOf('recent-conversations.remove')).toEqual([{ sessionId: 's1' }]))
})

it('keeps what is typed while a save is on its way', async () => {
  let answer: (summary: ConversationSummary) => void = () => undefined
  strata.answer('recent-conversations.save', () => new Promise((resolve) => (answer = resolve)))
  show()
  const article = await screen.findByRole('article', { name: 'Third act' })
  fireEvent.click(within(article).getByRole('button', { name: 'Edit' }))
  fireEvent.change(within(article).getByRole('textbox'), { target: { value: 'By hand.' } })
  fireEvent.click(within(article).getByRole('button', { name: 'Save' }))
  fireEvent.change(within(article).getByRole('textbox'), { target: { value: 'By hand. And on.' } })
  answer(aSummary({ text: 'By hand.' }))
  await new Promise((resolve) => setTimeout(resolve))
  expect(within(article).getByDisplayValue('By hand. And on.')).toBeTruthy()
  fireEvent.click(within(article).getByRole('button', { name: 'Cancel' }))
})

it('says when the first one will come, and that it is off', async () => {
  summaries = []
  show()
  expect(await screen.findByText(/After 6 messages of yours/)).toBeTruthy()
  fireEvent.click(screen.getByRole('switch', { name: 'Use summaries' }))
  expect(await screen.findByText('Switched off: none is sent and none is written.')).toBeTruthy()
})
