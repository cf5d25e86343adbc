import { create } from 'zustand'

export interface RunningTurn {
  turnId: string
  sessionId: string
  messageId: string
}

/** Turns that are being answered now; at most one a chat. */
export const useRunning = create<{ bySession: Readonly<Record<string, RunningTurn>> }>(() => ({ bySession: {} }))

export function turnBegan(turn: RunningTurn): void {
  useRunning.setState(({ bySession }) => ({ bySession: { ...bySession, [turn.sessionId]: turn } }))
}

const stopped = new Set<string>()

/** The user stopped it: what waits behind it must not go out by itself. */
export const markStopped = (turnId: string) => void stopped.add(turnId)
/** Says once whether a turn was stopped by the user. */
export const wasStopped = (turnId: string) => stopped.delete(turnId)

/** Returns the turn that ended, if it was known. */
export function turnEnded(turnId: string): RunningTurn | null {
  const { bySession } = useRunning.getState()
  const turn = Object.values(bySession).find((each) => each.turnId === turnId)
  if (!turn) return null
  useRunning.setState({
    bySession: Object.fromEntries(Object.entries(bySession).filter(([, each]) => each.turnId !== turnId)),
  })
  return turn
}
