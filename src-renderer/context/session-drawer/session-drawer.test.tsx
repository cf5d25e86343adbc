// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Session, SessionChange, SessionPatch } from '../../../src-main/sessions/contract'
import { settingsSchema } from '../../../src-main/settings/contract'
import { useNavigation } from '../../app/navigation'
import { useTranscript } from '../../chat/transcript-store'
import '../../i18n/i18n'
import { useSettings } from '../../settings/settings-store'
import { aSession } from '../../testing/builders'
import { fakeStrata } from '../../testing/fake-strata'
import { aPreview } from '../../testing/previews'
import { TipProvider } from '../../ui/tooltip'
import { useBooks } from '../worldbook/book-store'
import { SessionDrawer } from './session-drawer'

const BOOK = {
  id: 'b1',
  name: '雾港志',
  description: '',
  entries: 26,
  enabledEntries: 24,
  tokens: { active: 1, total: 1 },
  boundSessions: 1,
  warnings: 0,
  version: 1,
  createdAt: '2026-11-30T12:00:00+00:00',
  updatedAt: '2026-11-30T12:00:00+00:00',
}

let session: Session
let strata: ReturnType<typeof fakeStrata>

beforeEach(() => {
  session = aSession({ topicPrompt: 'One night.' })
  strata = fakeStrata({
    'sessions.update': ({ patch, change }: { patch: SessionPatch; change?: SessionChange }) => {
      const bound = session.worldbookIds.filter((id) => !change?.worldbookIds?.remove?.includes(id))
      session = { ...session, worldbookIds: [...bound, ...(change?.worldbookIds?.add ?? [])], ...patch } as Session
      return session
    },
    'models.count-tokens': ({ text }: { text: string }) => ({ tokens: text.length, quality: 'estimated' }),
    'turns.preview': () => aPreview(),
  })
  useSettings.setState({
    settings: settingsSchema.parse({ context: { enhancedPrompt: 'Be brief.', historyLimit: 40 } }),
  })
  useBooks.setState({ books: [BOOK], loaded: true })
  useNavigation.setState({ sessionId: 's1', sessionSettings: { open: true, field: null } })
  useTranscript.setState({
    state: 'ready',
    current: { sessionId: 's1', session, messages: [], hasMore: false, total: 0 },
  })
  render(
    <TipProvider>
      <SessionDrawer />
    </TipProvider>,
  )
})
afterEach(cleanup)

const row = (label: string) => screen.getByText(label, { selector: '.l' }).closest<HTMLElement>('.srow') as HTMLElement
const patches = () => (strata.inputsOf('sessions.update') as { patch: SessionPatch }[]).map(({ patch }) => patch)

it('says of each row whether it is inherited or set here', () => {
  expect(within(row('Topic prompt')).getByText('set here')).toBeTruthy()
  expect(within(row('Enhanced prompt')).getByText('inherited')).toBeTruthy()
  expect(within(row('Enhanced prompt')).getByDisplayValue('Be brief.')).toBeTruthy()
  expect(within(row('History limit')).getByText('inherited')).toBeTruthy()
  expect(within(row('History limit')).getByDisplayValue('40')).toBeTruthy()
})

it('overrides by typing and goes back by Reset', async () => {
  const field = within(row('Enhanced prompt')).getByRole('textbox')
  fireEvent.change(field, { target: { value: 'Be long.' } })
  fireEvent.blur(field)
  await waitFor(() => expect(patches()).toEqual([{ enhancedPrompt: 'Be long.' }]))
  await within(row('Enhanced prompt')).findByText('set here')
  fireEvent.click(within(row('Enhanced prompt')).getByRole('button', { name: /Reset/ }))
  await waitFor(() => expect(patches().at(-1)).toEqual({ enhancedPrompt: null }))
  await within(row('Enhanced prompt')).findByText('inherited')
})

it('keeps a limit typed before the drawer is closed by key', async () => {
  fireEvent.change(within(row('History limit')).getByDisplayValue('40'), { target: { value: '12' } })
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
  await waitFor(() => expect(patches()).toEqual([{ historyLimit: 12 }]))
})

it('says that isolation does nothing without a book', async () => {
  expect(row('Isolation').textContent).toContain('Does nothing without a bound worldbook')
  const bound = { ...session, worldbookIds: ['b1'] }
  act(() =>
    useTranscript.setState({ current: { sessionId: 's1', session: bound, messages: [], hasMore: false, total: 0 } }),
  )
  await waitFor(() => expect(row('Worldbooks').textContent).toContain('雾港志'))
  expect(row('Isolation').textContent).toContain('Would be withheld')
})

it('says that a bound worldbook was deleted, and that the chat stays isolated', async () => {
  session = { ...session, worldbookIds: ['gone'], isolation: true }
  act(() =>
    useTranscript.setState({
      current: { sessionId: 's1', session, messages: [], hasMore: false, total: 0 },
    }),
  )
  expect(screen.getByText('deleted worldbook')).toBeTruthy()
  expect(screen.getByText(/stays isolated until you take it out/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Unbind deleted worldbook' }))
  await waitFor(() => expect(session.worldbookIds).toEqual([]))
})
