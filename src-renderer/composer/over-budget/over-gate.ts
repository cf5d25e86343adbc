import { create } from 'zustand'
import type { Preview } from '../../../src-main/turns/contract'
import { isClearlyOver } from '../../../src-main/turns/over-contract'
import { call } from '../../api/client'
import { useNavigation } from '../../app/navigation'
import { expectSend } from '../../context/request-inspector/record-store'
import { useDrafts } from '../draft-store'
import type { SendAttempt, SendGate, SendOverrides } from '../send-gate'
import { type ChoiceId, fits, type OverChoice, openChoices, tryChoice } from './over-choices'

interface OverState {
  /** The message that waits for a choice; null = none does. */
  attempt: SendAttempt | null
  preview: Preview | null
  choices: readonly OverChoice[]
  /** null until somebody, or the first way that fits, decides. */
  chosen: ChoiceId | null
}

const CLOSED: OverState = { attempt: null, preview: null, choices: [], chosen: null }
export const useOver = create<OverState>(() => CLOSED)

let answer: ((choice: OverChoice | null) => void) | null = null

/** Takes the choice, or keeps the message in the composer. */
export function settleOver(choice: OverChoice | null): void {
  useOver.setState(CLOSED)
  answer?.(choice)
  answer = null
}

const previewOf = ({ sessionId, text, attachments }: SendAttempt, overrides: SendOverrides) =>
  call('turns.preview', {
    sessionId,
    draft: text,
    attachments,
    ...(Object.keys(overrides).length ? { overrides } : {}),
  })

async function choose(attempt: SendAttempt, preview: Preview): Promise<OverChoice | null> {
  settleOver(null)
  const choices = openChoices(preview)
  useOver.setState({ attempt, preview, choices, chosen: null })
  for (const choice of choices) void fillIn(choice, attempt, preview)
  return new Promise((resolve) => {
    answer = resolve
  })
}

/** Puts the outcome of one way out into the panel; a way that cannot be tried leaves it. */
async function fillIn(choice: OverChoice, attempt: SendAttempt, preview: Preview): Promise<void> {
  const tried = await tryChoice(choice, preview, (overrides) => previewOf(attempt, overrides)).catch(() => null)
  const state = useOver.getState()
  // another chat, or words changed meanwhile: the panel is gone and its answer given
  if (state.attempt !== attempt) return
  const choices = state.choices.flatMap((each) => (each.id === choice.id ? (tried ?? []) : each))
  const open = choices.some((each) => each.result === undefined)
  const best = choices.find((each) => each.result === undefined || fits(each))
  const settled = best && fits(best) ? best.id : open ? null : (choices[0]?.id ?? null)
  useOver.setState({ choices, chosen: state.chosen ?? settled })
}

/** Looks at the exact request before it leaves; clearly over the budget, it asks what to do. Never decides itself. */
export const overGate: SendGate = async (attempt) => {
  const preview = await previewOf(attempt, {}).catch(() => null) // the send itself says what is wrong
  if (!preview || !isClearlyOver(preview.usage)) {
    if (preview) expectSend(attempt.sessionId, preview)
    return { go: true }
  }
  const choice = await choose(attempt, preview)
  if (!choice) return { go: false }
  expectSend(attempt.sessionId, choice.result ?? preview)
  return { go: true, overrides: choice.overrides }
}

/** A choice holds for the words it was offered for: leaving the chat or typing on takes it back. */
export function wireOver(): void {
  useDrafts.subscribe(({ drafts }, before) => {
    const { attempt } = useOver.getState()
    if (attempt && drafts[attempt.sessionId]?.text !== before.drafts[attempt.sessionId]?.text) settleOver(null)
  })
  useNavigation.subscribe(({ sessionId }) => {
    const { attempt } = useOver.getState()
    if (attempt && attempt.sessionId !== sessionId) settleOver(null)
  })
}
