import { create } from 'zustand'

export interface RunningTurn {
  turnId: string
  sessionId: string
  messageId: string
}

/** Turns that are being answered now; at most one a chat. */
export const useRunning = create<{ bySession: Readonly<Record<string, RunningTurn>> }>(() => ({ bySession: {} }))

/** Counts what was told, so that a reading knows what happened while it was under way. */
let heard = 0
const began = new Map<string, number>()
const ended = new Map<string, number>()
/** Before a list of running turns is asked for. */
export const heardSoFar = (): number => heard

export function turnBegan(turn: RunningTurn): void {
  began.set(turn.turnId, ++heard)
  useRunning.setState(({ bySession }) => ({ bySession: { ...bySession, [turn.sessionId]: turn } }))
}

/** Returns the turn that ended, if it was known. */
export function turnEnded(turnId: string): RunningTurn | null {
  began.delete(turnId)
  ended.set(turnId, ++heard)
  const { bySession } = useRunning.getState()
  const turn = Object.values(bySession).find((each) => each.turnId === turnId)
  if (!turn) return null
  useRunning.setState({
    bySession: Object.fromEntries(Object.entries(bySession).filter(([, each]) => each.turnId !== turnId)),
  })
  return turn
}

/**
 * Takes over what main said runs. It was asked at `since`: what has begun or ended after that is known better here.
 * Returns the turns that run.
 */
export function keepRunning<Turn extends RunningTurn>(turns: readonly Turn[], since: number): Turn[] {
  const current = turns.filter(({ turnId }) => (ended.get(turnId) ?? 0) <= since)
  const younger = Object.values(useRunning.getState().bySession).filter(
    ({ turnId }) => (began.get(turnId) ?? 0) > since && !current.some((turn) => turn.turnId === turnId),
  )
  const bySession = Object.fromEntries([...current, ...younger].map((turn) => [turn.sessionId, turn]))
  useRunning.setState({ bySession })
  for (const [turnId, at] of ended) if (at <= since) ended.delete(turnId)
  return current
}
