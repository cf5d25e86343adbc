import type { Block, Overrides, Segment } from '../../src-main/context/contract'
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

/** The way to where a block's text is written; `sourceId` narrows it to one item. */
export function openEditor(segment: Segment | Block, session: EditorTarget, sourceId?: string): void {
  switch (segment) {
    case 'app':
    case 'time':
      return openSettings('context')
    case 'worldbook':
      return openPlace('worldbooks', sourceId?.includes('/') ? sourceId : (session?.worldbookIds[0] ?? null))
    case 'system_prompt':
      return openPlace('prompts', session?.globalPromptId ?? null)
    case 'topic_prompt':
      return openSessionSettings('topicPrompt')
    case 'memory':
      return openPlace('memory', sourceId && !sourceId.startsWith('frame:') ? sourceId : null)
    case 'recent_conversation_memory':
      return openPlace('memory', 'recent-conversations')
    case 'user_profile_memory':
      return openPlace('memory', 'user-profile')
    case 'tools':
      return openPlace('tools')
    case 'history':
      return openSessionSettings('historyLimit')
    case 'enhanced_prompt':
      return openSessionSettings('enhancedPrompt')
    case 'draft':
      return focusComposer()
  }
}

/** Shows the message a span came from. */
export function openMessage(sessionId: string, messageId: string): void {
  openSession(sessionId, messageId)
}
