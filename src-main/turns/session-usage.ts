import { AppError } from '../ipc/app-error'
import type { TurnDeps } from './ports'

/** Tokens over all answers of a session, as their servers reported them. @throws not_found */
export function sessionUsage(
  deps: Pick<TurnDeps, 'store'>,
  sessionId: string,
): { inputTokens: number; outputTokens: number; messages: number } {
  if (!deps.store.getSession(sessionId)) throw new AppError('not_found', 'This chat is gone.')
  const rows = deps.store
    .databaseOf(sessionId)
    .prepare<[string], { outcome: string }>(
      'SELECT outcome FROM turn_record WHERE session_id = ? AND outcome IS NOT NULL',
    )
    .all(sessionId)
  let inputTokens = 0
  let outputTokens = 0
  for (const row of rows) {
    const { reported } = JSON.parse(row.outcome) as { reported?: { inputTokens: number; outputTokens: number } }
    inputTokens += reported?.inputTokens ?? 0
    outputTokens += reported?.outputTokens ?? 0
  }
  return { inputTokens, outputTokens, messages: deps.store.branchOf(sessionId).length }
}
