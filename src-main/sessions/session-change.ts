import type { Session, SessionChange, SessionPatch } from './contract'

interface ListChange {
  add?: string[] | undefined
  remove?: string[] | undefined
}

function changedList(before: readonly string[], { add = [], remove = [] }: ListChange): string[] {
  const left = before.filter((id) => !remove.includes(id))
  return [...left, ...add.filter((id) => !left.includes(id))]
}

/** Changes of lists as the patch they are of what is stored now. */
export function patchOfChange(session: Session, change: SessionChange): SessionPatch {
  const choices = { ...session.toolChoices }
  for (const [toolId, choice] of Object.entries(change.toolChoices ?? {})) {
    if (choice === null) delete choices[toolId]
    else choices[toolId] = choice
  }
  return {
    ...(change.worldbookIds && { worldbookIds: changedList(session.worldbookIds, change.worldbookIds) }),
    ...(change.tagIds && { tagIds: changedList(session.tagIds, change.tagIds) }),
    ...(change.toolChoices && { toolChoices: choices }),
  }
}
