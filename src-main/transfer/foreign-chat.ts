import type { Said } from '../ipc/said-contract'
import type { MessagePart } from '../sessions/contract'
import { titleFromText } from '../sessions/message-writes'
import { orderTree, repairWarnings, type TreeItem } from './clean-tree'

/** A file of a message: an entry of the archive it came in, or a text that stands in the export itself. */
export type ForeignAttachment = { name: string; entry: string } | { name: string; text: string }

/** A message of another app, as far as it means anything here. */
export interface ForeignMessage extends TreeItem {
  role: 'user' | 'assistant'
  text: string
  reasoning?: string
  /** In place of reasoning and text, where their order or calls of tools matter. */
  parts?: MessagePart[]
  files?: ForeignAttachment[]
  /** Stored form; undefined where the file has none. */
  createdAt: string | undefined
  modelId?: string
}

export interface ForeignChat {
  /** What the other app calls it: the same chat imported twice is one chat. */
  sourceId: string
  title: string
  createdAt: string | undefined
  updatedAt: string | undefined
  topicPrompt?: string
  archived?: boolean
  messages: ForeignMessage[]
  /** What was left out of this chat. */
  notes?: Said[]
  /** Files its messages name that are not in the export. */
  missing?: number
}

export interface UnreadableChat {
  unreadable: string
  title?: string
}

export interface ForeignFile {
  format: string
  chats: (ForeignChat | UnreadableChat)[]
  warnings: Said[]
}

/** A message in its final place: parents come before their children and are named by their place in the list. */
export interface PlacedMessage extends Omit<ForeignMessage, 'id' | 'parentId'> {
  /** −1: it begins the chat. */
  parent: number
}

/** A chat ready to be written: a tree, with times and a title. */
export interface PreparedChat {
  head: Omit<ForeignChat, 'messages' | 'notes' | 'missing'> & { messages: number; notes: Said[]; missing: number }
  messages: PlacedMessage[]
}

export function prepareChat({ messages, notes = [], missing = 0, ...chat }: ForeignChat): PreparedChat {
  const { order, parents, selected, repairs } = orderTree(messages)
  const placed = order.flatMap((at, place): PlacedMessage[] => {
    const message = messages[at]
    if (!message) return []
    const { id: _id, parentId: _parent, ...kept } = message
    return [{ ...kept, parent: parents[place] ?? -1, selected: selected[place] ?? false }]
  })
  const createdAt = chat.createdAt ?? placed.find((message) => message.createdAt)?.createdAt
  // a message without a time stands right after the one before it
  let last = createdAt
  for (const message of placed) {
    last = message.createdAt ?? last
    message.createdAt = last
  }
  return {
    head: {
      ...chat,
      title: chat.title || titleFromText(placed.find((message) => message.role === 'user')?.text ?? ''),
      createdAt,
      updatedAt: chat.updatedAt ?? last,
      messages: placed.length,
      notes: [...notes, ...repairWarnings(chat.title, repairs)],
      missing,
    },
    messages: placed,
  }
}
