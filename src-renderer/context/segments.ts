import type { Overrides, Segment } from '../../src-main/context/contract'
import type { Session } from '../../src-main/sessions/contract'
import { openPlace, openSession, openSessionSettings, openSettings } from '../app/navigation'
import { focusComposer } from '../composer/composer-focus'

/** Segments that reuse a colour and are told apart by their pattern. */
const PATTERNED: ReadonlySet<Segment> = new Set(['time', 'tools', 'enhanced_prompt', 'draft', 'app'])

export const isPatterned = (segment: Segment): boolean => PATTERNED.has(segment)

/** What a what-if switch can turn off. The app's own sentence has none. */
export type Switchable = NonNullable<Overrides['blocksOff']>[number]
export const isSwitchable = (segment: Segment): segment is Switchable => segment !== 'app'

type EditorTarget = Pick<Session, 'globalPromptId' | 'worldbookIds'> | null

type Open = (session: EditorTarget, sourceId: string | undefined) => void

const EDITORS: Record<Segment, Open> = {
  app: () => openSettings('context'),
  time: () => openSettings('context'),
  worldbook: (session, sourceId) =>
    openPlace('worldbooks', sourceId?.includes('/') ? sourceId : (session?.worldbookIds[0] ?? null)),
  system_prompt: (session) => openPlace('prompts', session?.globalPromptId ?? null),
  topic_prompt: () => openSessionSettings('topicPrompt'),
  memory: (_session, sourceId) => openPlace('memory', sourceId?.startsWith('frame:') ? null : (sourceId ?? null)),
  recent_conversation_memory: () => openPlace('memory', 'recent-conversations'),
  user_profile_memory: () => openPlace('memory', 'user-profile'),
  tools: () => openPlace('tools'),
  history: () => openSessionSettings('historyLimit'),
  enhanced_prompt: () => openSessionSettings('enhancedPrompt'),
  draft: focusComposer,
}

/** The way to where a block's text is written; `sourceId` narrows it to one item. */
export function openEditor(segment: Segment, session: EditorTarget, sourceId?: string): void {
  EDITORS[segment](session, sourceId)
}

/** Shows the message a span came from. */
export function openMessage(sessionId: string, messageId: string): void {
  openSession(sessionId, messageId)
}
