import { timeText } from '../assemble/time-text'
import type { BlockSource } from '../block-source'
import { absentBlock } from '../collect-blocks'

/** The moment the turn was frozen, in the user's zone and the prompt language. */
export function createTimeSource(): BlockSource {
  return {
    block: 'time',
    async collect({ settings, now, language }) {
      const { sendTime, templates } = settings.context
      if (!sendTime) return absentBlock('time', 'off')
      const text = timeText(now.epochMs, { zone: now.timeZone, language, templates })
      if (text === '') return absentBlock('time', 'empty')
      return {
        block: 'time',
        items: [
          {
            id: 'time',
            label: text,
            text,
            placement: { at: 'block' },
            cacheHint: 'dynamic',
            order: 0,
            why: { code: 'always' },
          },
        ],
        rejected: [],
        ownText: false,
      }
    },
  }
}
