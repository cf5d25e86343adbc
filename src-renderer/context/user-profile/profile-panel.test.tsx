// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { UserProfile } from '../../../src-main/context/user-profile/contract'
import { settingsSchema } from '../../../src-main/settings/contract'
import '../../i18n/i18n'
import { useSettings } from '../../settings/settings-store'
import { fakeStrata } from '../../testing/fake-strata'
import { TipProvider } from '../../ui/tooltip'
import { ProfilePanel } from './profile-panel'

const FACT = {
  id: 'f1',
  category: 'work',
  statement: 'Writes fiction.',
  confidence: 0.8,
  evidenceCount: 3,
  firstSeen: '2026-11-20T10:00:00+00:00',
  lastSeen: '2026-11-29T10:00:00+00:00',
  sourceSessions: ['s1'],
}
const PROFILE: UserProfile = {
  overview: 'A novelist.',
  facts: [FACT],
  updatedAt: '2026-11-29T10:00:00+00:00',
  changes: [
    {
      id: 'c1',
      at: '2026-11-29T10:00:00+00:00',
      origin: 'model',
      before: { overview: 'A writer.', facts: [] },
      after: { overview: 'A novelist.', facts: [FACT] },
      reverted: false,
    },
  ],
}

let strata: ReturnType<typeof fakeStrata>
beforeEach(() => {
  useSettings.setState({ settings: settingsSchema.parse({}) })
  strata = fakeStrata({
    'user-profile.get': () => PROFILE,
    'user-profile.save': () => ({ ...PROFILE, lockedUntil: '2026-11-30T23:59:59+00:00' }),
    'user-profile.revert': () => ({ overview: 'A writer.', facts: [], changes: [] }),
    'user-profile.clear': () => ({ overview: '', facts: [], changes: [] }),
    'user-profile.generate': () => {
      throw new Error('There is no summary of a chat yet.')
    },
  })
})
afterEach(cleanup)

const show = () =>
  render(
    <TipProvider>
      <ProfilePanel />
    </TipProvider>,
  )

it('shows a change as what went and what came, and takes it back', async () => {
  show()
  const gone = await screen.findByText('A writer.')
  expect(gone.className).toBe('del')
  expect(screen.getByText('work: Writes fiction.').className).toBe('ins')
  fireEvent.click(screen.getByRole('button', { name: 'Revert' }))
  await waitFor(() => expect((screen.getByRole('textbox') as HTMLTextAreaElement).value).toBe('A writer.'))
  expect(strata.inputsOf('user-profile.revert')).toEqual([{ changeId: 'c1' }])
})

it('lets a manual edit win for the day', async () => {
  show()
  fireEvent.change(await screen.findByRole('textbox', { name: 'Overview' }), { target: { value: 'A poet.' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(/You edited it today/)).toBeTruthy()
  expect(strata.inputsOf('user-profile.save')).toEqual([{ overview: 'A poet.' }])
})

it('changes one fact and leaves the others as they are', async () => {
  show()
  fireEvent.click(await screen.findByRole('button', { name: 'Edit “Writes fiction.”' }))
  fireEvent.change(screen.getByRole('textbox', { name: 'Statement' }), { target: { value: 'Writes poems.' } })
  const form = screen.getByRole('textbox', { name: 'Statement' }).closest('form') as HTMLElement
  fireEvent.click(within(form).getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(strata.inputsOf('user-profile.save')).toEqual([
      { saveFacts: [{ id: 'f1', category: 'work', statement: 'Writes poems.', confidence: 0.8 }] },
    ]),
  )
})

it('keeps a fact that is being edited when it is removed elsewhere and when the page is left', async () => {
  show()
  fireEvent.click(await screen.findByRole('button', { name: 'Edit “Writes fiction.”' }))
  fireEvent.change(screen.getByRole('textbox', { name: 'Statement' }), { target: { value: 'Writes plays.' } })
  strata.answer('user-profile.get', () => ({ ...PROFILE, facts: [] }))
  strata.send('user-profile.changed', { ids: [] })
  await waitFor(() => expect(screen.queryByText('Nothing is known yet.')).toBeNull())
  expect(await screen.findByDisplayValue('Writes plays.')).toBeTruthy()
  cleanup()
  show()
  expect(await screen.findByDisplayValue('Writes plays.')).toBeTruthy()
})
