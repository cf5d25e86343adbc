import type { BlockSource } from '../block-source'
import { absentBlock } from '../collect-blocks'

/** The session's own prompt, on top of the global one. */
export function createTopicPromptSource(): BlockSource {
  return {
    block: 'topic_prompt',
    async collect({ session, sessionId }) {
      const text = session.topicPrompt
      if (text === '') return absentBlock('topic_prompt', 'not_set_up')
      if (text.trim() === '') return absentBlock('topic_prompt', 'empty')
      return {
        block: 'topic_prompt',
        items: [
          {
            id: `topic:${sessionId}`,
            label: text.trim().slice(0, 60),
            text,
            placement: { at: 'block' },
            cacheHint: 'stable',
            order: 0,
            why: { code: 'session' },
          },
        ],
        rejected: [],
        ownText: true,
      }
    },
  }
}
