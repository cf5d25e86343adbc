import { framingFor } from '../assemble/templates'
import type { BlockSource } from '../block-source'
import { absentBlock } from '../collect-blocks'

/** The instruction that stands last: the session's, or the one in Settings where the session says nothing. */
export function createEnhancedPromptSource(): BlockSource {
  return {
    block: 'enhanced_prompt',
    async collect({ session, sessionId, settings, language }) {
      const general = settings.context.enhancedPrompt
      const text = session.enhancedPrompt ?? general
      if (text === '') return absentBlock('enhanced_prompt', general === '' ? 'not_set_up' : 'off')
      if (text.trim() === '') return absentBlock('enhanced_prompt', 'empty')
      const inherited = session.enhancedPrompt === null
      return {
        block: 'enhanced_prompt',
        items: [
          {
            id: inherited ? 'enhanced:settings' : `enhanced:${sessionId}`,
            label: text.trim().slice(0, 60),
            text,
            placement: { at: 'block' },
            cacheHint: 'stable',
            order: 0,
            why: { code: inherited ? 'settings' : 'session' },
          },
        ],
        rejected: [],
        ownText: true,
        framing: framingFor('enhanced_prompt', language, settings.context.templates),
      }
    },
  }
}
