import type { BlockTag, LayoutName } from './contract'

/** The tags of the leading system prompt in each layout, top to bottom, for showing; a test holds them to the slots. */
export const LEADING_TAGS = {
  documented: [
    'worldbook_before',
    'system_prompt',
    'topic_prompt',
    'worldbook_outlet',
    'time',
    'memory',
    'recent_conversation_memory',
    'user_profile_memory',
    'worldbook_after',
  ],
  'cache-first': [
    'worldbook_before',
    'system_prompt',
    'topic_prompt',
    'worldbook_outlet',
    'worldbook_after',
    'user_profile_memory',
    'recent_conversation_memory',
    'memory',
  ],
} as const satisfies Readonly<Record<LayoutName, readonly BlockTag[]>>
