import { create } from 'zustand'
import type { MemoryProposal } from '../../../src-main/context/memory/contract'
import { call, on } from '../../api/client'
import { showError } from '../../ui/toast'

interface ProposalState {
  /** Nobody has decided these yet; newest first. */
  proposals: readonly MemoryProposal[]
  loaded: boolean
  /** Why reading failed, in words. */
  error: string
  /** Words changed but not yet accepted, by proposal id: they outlive the panel. */
  texts: Readonly<Record<string, string>>
  /** The message whose proposals are shown over the chat. */
  openFor: string | null
}

export const useProposals = create<ProposalState>(() => ({
  proposals: [],
  loaded: false,
  error: '',
  texts: {},
  openFor: null,
}))
const { setState: set, getState: get } = useProposals

let readings = 0

export async function loadProposals(): Promise<void> {
  const mine = ++readings
  try {
    const { proposals } = await call('memory.proposals', {})
    if (mine !== readings) return
    const texts = Object.fromEntries(proposals.flatMap(({ id }) => (id in get().texts ? [[id, get().texts[id]]] : [])))
    set({ proposals, texts: texts as Record<string, string>, loaded: true, error: '' })
  } catch (error) {
    if (mine === readings) set({ error: error instanceof Error ? error.message : String(error), loaded: true })
  }
}

export const proposalText = (proposal: MemoryProposal, texts: ProposalState['texts']): string =>
  texts[proposal.id] ?? proposal.text

export const changeProposalText = (id: string, text: string) => set({ texts: { ...get().texts, [id]: text } })

/** One after the other, so that a refused one leaves the later ones undecided. */
export async function acceptProposals(chosen: readonly MemoryProposal[]): Promise<void> {
  await decide(async () => {
    for (const proposal of chosen) {
      const text = proposalText(proposal, get().texts).trim()
      if (text === '') continue
      const reworded = text === proposal.text ? {} : { text }
      await call('memory.accept', { proposalId: proposal.id, ...reworded })
      leave([proposal.id])
    }
  })
}

export async function declineProposals(chosen: readonly MemoryProposal[]): Promise<void> {
  const proposalIds = chosen.map(({ id }) => id)
  if (proposalIds.length === 0) return
  await decide(async () => {
    await call('memory.decline', { proposalIds })
    leave(proposalIds)
  })
}

const leave = (ids: readonly string[]) =>
  set({ proposals: get().proposals.filter((proposal) => !ids.includes(proposal.id)) })

/** Shows why a decision was refused: another window may have decided first. Either way the list is read again. */
async function decide(run: () => Promise<void>): Promise<void> {
  await run().catch(showError)
  await loadProposals()
}

let planned: ReturnType<typeof setTimeout> | undefined
/** Events come in bursts; one reading serves them all. */
function loadSoon(): void {
  clearTimeout(planned)
  planned = setTimeout(() => void loadProposals(), 120)
}

/** Once: the transcript shows proposals too, so they are followed wherever the window is. */
export function wireProposals(): void {
  for (const name of ['memory.changed', 'resync'] as const) on(name, loadSoon)
  loadSoon()
}
