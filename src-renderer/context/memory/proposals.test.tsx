// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { MemoryProposal } from '../../../src-main/context/memory/contract'
import { settingsSchema } from '../../../src-main/settings/contract'
import { CallError } from '../../api/client'
import { useNavigation } from '../../app/navigation'
import '../../i18n/i18n'
import { useSessions } from '../../sessions/session-store'
import { useSettings } from '../../settings/settings-store'
import { aMessage, aSession } from '../../testing/builders'
import { fakeStrata } from '../../testing/fake-strata'
import { TipProvider } from '../../ui/tooltip'
import { aMemory } from './memory-test-data'
import { ProposalDialog, ProposalNote } from './proposal-note'
import { loadProposals, useProposals, wireProposals } from './proposal-store'
import { ProposalsPanel } from './proposals-panel'

const aProposal = (fields: Partial<MemoryProposal> = {}): MemoryProposal => ({
  id: 'p1',
  text: 'Rosa lives in Porto.',
  kind: 'fact',
  importance: 0.6,
  confidence: 0.9,
  entities: ['Rosa'],
  source: { kind: 'conversation', sessionId: 's1', messageId: 'u1', quote: 'my sister Rosa moved to Porto' },
  createdAt: '2026-11-30T12:00:00+00:00',
  ...fields,
})

let open: MemoryProposal[]
let strata: ReturnType<typeof fakeStrata>

beforeEach(() => {
  open = [
    aProposal(),
    aProposal({ id: 'p2', text: 'Is allergic to nuts.', source: { ...aProposal().source, messageId: 'u2' } }),
  ]
  useProposals.setState(useProposals.getInitialState(), true)
  useSessions.setState({ sessions: [aSession({ title: 'Family' })] })
  useSettings.setState({ settings: settingsSchema.parse({ memory: { extraction: 'ask' } }) })
  strata = fakeStrata({
    'memory.proposals': () => ({ proposals: open }),
    'memory.accept': ({ proposalId, text }: { proposalId: string; text?: string }) => {
      if (!open.some(({ id }) => id === proposalId)) throw new CallError('not_found', 'This proposal is gone.')
      open = open.filter(({ id }) => id !== proposalId)
      return aMemory({ text: text ?? '' })
    },
    'memory.decline': ({ proposalIds }: { proposalIds: string[] }) => {
      open = open.filter(({ id }) => !proposalIds.includes(id))
      return { declined: proposalIds }
    },
  })
})
afterEach(cleanup)

const rowOf = async (text: string) => {
  const field = await screen.findByDisplayValue(text)
  const row = field.closest('li')
  if (!row) throw new Error(`No row holds "${text}".`)
  return within(row)
}

it('shows the words, the sentence they come from and its chat, and keeps them as they were reworded', async () => {
  render(<ProposalsPanel />)
  const row = await rowOf('Rosa lives in Porto.')
  expect(row.getByText('“my sister Rosa moved to Porto”')).toBeTruthy()
  fireEvent.click(await row.findByRole('button', { name: 'Family' }))
  expect(useNavigation.getState().sessionId).toBe('s1')
  fireEvent.change(row.getByRole('textbox'), { target: { value: 'Sister Rosa lives in Porto.' } })
  fireEvent.click(row.getByRole('button', { name: 'Remember' }))
  await waitFor(() => expect(screen.getByText('1 proposal')).toBeTruthy())
  expect(strata.inputsOf('memory.accept')).toEqual([{ proposalId: 'p1', text: 'Sister Rosa lives in Porto.' }])
})

it('takes words that were not changed as proposed, and declines without keeping', async () => {
  render(<ProposalsPanel />)
  fireEvent.click((await rowOf('Rosa lives in Porto.')).getByRole('button', { name: 'Remember' }))
  await waitFor(() => expect(strata.inputsOf('memory.accept')).toEqual([{ proposalId: 'p1' }]))
  fireEvent.click((await rowOf('Is allergic to nuts.')).getByRole('button', { name: 'Decline' }))
  expect(await screen.findByText('Nothing to decide')).toBeTruthy()
  expect(strata.inputsOf('memory.decline')).toEqual([{ proposalIds: ['p2'] }])
})

it('decides all at once, and stops where one is gone', async () => {
  render(<ProposalsPanel />)
  await rowOf('Rosa lives in Porto.')
  open = open.filter(({ id }) => id !== 'p1') // decided in another window
  fireEvent.click(screen.getByRole('button', { name: 'Remember all' }))
  await waitFor(() => expect(screen.queryByDisplayValue('Rosa lives in Porto.')).toBeNull())
  expect(screen.getByDisplayValue('Is allergic to nuts.')).toBeTruthy()
  expect(strata.inputsOf('memory.accept')).toEqual([{ proposalId: 'p1' }])
})

it('declines all at once', async () => {
  render(<ProposalsPanel />)
  await rowOf('Rosa lives in Porto.')
  fireEvent.click(screen.getByRole('button', { name: 'Decline all' }))
  await waitFor(() => expect(strata.inputsOf('memory.decline')).toEqual([{ proposalIds: ['p1', 'p2'] }]))
})

it('says whether nothing was found or nothing is looked for', async () => {
  open = []
  render(<ProposalsPanel />)
  expect(await screen.findByText(/waits here for your decision/)).toBeTruthy()
  cleanup()
  useSettings.setState({ settings: settingsSchema.parse({ memory: { extraction: 'off' } }) })
  render(<ProposalsPanel />)
  expect(await screen.findByText(/switched off, so nothing is looked for/)).toBeTruthy()
})

it('puts a quiet line under the message it was found in, live, and decides over the chat', async () => {
  const [first] = open
  open = []
  wireProposals()
  await loadProposals()
  render(
    <TipProvider>
      <ProposalNote message={aMessage({ id: 'u1' })} />
      <ProposalNote message={aMessage({ id: 'u2' })} />
      <ProposalDialog />
    </TipProvider>,
  )
  expect(screen.queryByText(/to remember\?/)).toBeNull()
  open = first ? [first, { ...first, id: 'p3', text: 'Has a sister.' }] : []
  strata.send('memory.changed', { ids: [] })
  expect(await screen.findByText('2 things to remember?')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Look' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Things to remember' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Remember all' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(strata.inputsOf('memory.accept')).toEqual([{ proposalId: 'p1' }, { proposalId: 'p3' }])
  expect(screen.queryByText(/to remember\?/)).toBeNull()
})

it('keeps words that are being changed when something else is read again', async () => {
  render(<ProposalsPanel />)
  fireEvent.change((await rowOf('Rosa lives in Porto.')).getByRole('textbox'), { target: { value: 'Rosa, Porto' } })
  open = [aProposal({ id: 'p9', text: 'Cycles to work.' }), ...open]
  await loadProposals()
  expect(await screen.findByDisplayValue('Cycles to work.')).toBeTruthy()
  expect(screen.getByDisplayValue('Rosa, Porto')).toBeTruthy()
})
