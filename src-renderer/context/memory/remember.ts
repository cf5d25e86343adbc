import type { Message } from '../../../src-main/sessions/contract'
import { i18n } from '../../i18n/i18n'
import type { MenuEntry } from '../../ui/menu'
import { openMemoryForm } from './memory-form-store'

const QUOTE_UP_TO = 4000

/** "Remember this" in a message's menu: the selected words, or all of it, become the start of a new memory. */
export function rememberEntry(message: Message): MenuEntry {
  return {
    id: 'remember',
    icon: 'memory',
    label: i18n.t('memory:remember'),
    onSelect: () => {
      const text = selectedIn(message) || message.text
      openMemoryForm({
        text: text.trim(),
        source: {
          kind: message.role === 'user' ? 'user statement' : 'assistant action',
          sessionId: message.sessionId,
          messageId: message.id,
          quote: text.trim().slice(0, QUOTE_UP_TO),
        },
      })
    },
  }
}

/** Only words selected inside this very message. */
function selectedIn(message: Message): string {
  const selection = window.getSelection()
  const anchor = selection?.anchorNode
  const element = anchor instanceof Element ? anchor : anchor?.parentElement
  if (element?.closest('[data-message]')?.getAttribute('data-message') !== message.id) return ''
  return selection?.toString().trim() ?? ''
}
