import type { ProfileContent } from './repository'

/** Known only from chats that are isolated now. What a person wrote themselves names no chat, and is theirs to tell. */
export const isWithheld = (
  sessions: readonly string[] | undefined,
  isIsolated: (sessionId: string) => boolean,
): boolean => sessions !== undefined && sessions.length > 0 && sessions.every(isIsolated)

/** The profile as other chats and the model that keeps it may read it. */
export function tellable(content: ProfileContent, isIsolated: (sessionId: string) => boolean): ProfileContent {
  const { overview, overviewSessions, facts } = content
  return {
    ...content,
    overview: isWithheld(overviewSessions, isIsolated) ? '' : overview,
    facts: facts.filter((fact) => !isWithheld(fact.sourceSessions, isIsolated)),
  }
}
