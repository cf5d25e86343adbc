import { textField } from './fields'
import type { ForeignChat, UnreadableChat } from './foreign-chat'
import { BrokenItem } from './list-items'

/** One chat of a list, or why it is none: a broken one does not keep the others out. `read` answers with a reason or a chat. */
export function chatOrNot(item: unknown, read: () => ForeignChat | string): ForeignChat | UnreadableChat {
  if (item instanceof BrokenItem) return unreadableChat('It is damaged in the file.', item.title)
  try {
    const chat = read()
    return typeof chat === 'string' ? unreadableChat(chat, titleOf(item)) : chat
  } catch (error) {
    // shapes nobody foresaw
    if (error instanceof TypeError || error instanceof RangeError) {
      return unreadableChat('Its shape is not known.', titleOf(item))
    }
    throw error
  }
}

const titleOf = (item: unknown): string => textField(item, 'title') || textField(item, 'name')

const unreadableChat = (unreadable: string, title: string): UnreadableChat => ({
  unreadable,
  ...(title === '' ? {} : { title }),
})
