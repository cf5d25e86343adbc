import { type Sentence, said } from '../../ipc/said-contract'
import type { WireProfile } from '../../models/contract'
import type { RequestEntry, WireMessage } from '../request-contract'
import { type CacheHints, withMarks } from './cache-marks'
import { foldLeading, isLeading } from './fold-leading'
import { bubbleReminders, delayReminders } from './place-reminders'
import { mergeNeighbours, putUserFirst, tameAssistantReminders } from './shape-messages'
import { type Draft, downgradeMidSystems, draftsOf } from './wire-drafts'

/**
 * Entries → messages a server of this profile accepts: reminders placed, mid systems checked against the placement rule,
 * leading systems folded, roles merged, cache marks set (four at most). Nothing is hoisted, nothing lost. Pure: the
 * input is never changed. `trace` says in order what was done.
 */
export function project(
  entries: readonly RequestEntry[],
  profile: WireProfile,
  options: { appPrefix: string; cache?: CacheHints },
): { messages: readonly WireMessage[]; trace: Sentence[] } {
  const trace: Sentence[] = []
  const spoken = entries.filter((entry) => !isLeading(entry))
  const leading = entries.filter(isLeading)
  const placed = profile.midSystem === 'none' ? bubbleReminders(spoken) : delayReminders(spoken)
  for (const source of placed.moved) trace.push(said`moved the reminder ${source} to where it may stand`)
  const hasLeading = leading.some((entry) => entry.parts.some((part) => part.pieces.some((piece) => piece.text !== '')))
  let drafts: readonly Draft[] = draftsOf(placed.entries, profile, trace)
  drafts = downgradeMidSystems(drafts, profile, hasLeading, trace)
  drafts = tameAssistantReminders(drafts, profile, trace)
  if (profile.leadingSystems !== 'inUser') drafts = putUserFirst(drafts, profile, trace)
  drafts = foldLeading(leading, options.appPrefix, drafts, profile, trace)
  drafts = mergeNeighbours(putUserFirst(drafts, profile, trace), profile, trace)
  return { messages: withMarks(drafts, profile, options.cache), trace }
}
