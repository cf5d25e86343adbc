import type { BlockSource } from '../block-source'
import { absentBlock } from '../collect-blocks'
import type { SystemPrompt } from './contract'

/** The named global prompt the session points at, word for word. */
export function createSystemPromptSource(deps: {
  read: (id: string) => Omit<SystemPrompt, 'usedBySessions'> | undefined
}): BlockSource {
  return {
    block: 'system_prompt',
    async collect({ session }) {
      const prompt = session.globalPromptId === null ? undefined : deps.read(session.globalPromptId)
      if (!prompt) return absentBlock('system_prompt', 'none_selected')
      const { id, name, text } = prompt
      if (text.trim() === '') return absentBlock('system_prompt', 'empty', name)
      return {
        block: 'system_prompt',
        items: [
          {
            id,
            label: name,
            text,
            placement: { at: 'block' },
            cacheHint: 'stable',
            order: 0,
            why: { code: 'selected', detail: name },
          },
        ],
        rejected: [],
        ownText: true,
      }
    },
  }
}
