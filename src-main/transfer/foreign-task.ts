import { AppError } from '../ipc/app-error'
import type { ErrorCode } from '../ipc/contract'
import type { Said, Words } from '../ipc/said-contract'
import type { ForeignChat, ForeignFile, ForeignMessage } from './foreign-chat'
import { type GivenFile, readForeign } from './read-foreign'

export type ForeignTask =
  | { do: 'open'; file: GivenFile }
  | { do: 'messages'; chat: number; from: number; count: number }

/** A chat without its messages, which are fetched some at a time. */
export type ForeignHead =
  | (Omit<ForeignChat, 'messages'> & { messages: number })
  | Exclude<ForeignFile['chats'][number], ForeignChat>

export type ForeignAnswer =
  | { kind: 'opened'; format: string; warnings: Said[]; chats: ForeignHead[] }
  | { kind: 'messages'; messages: ForeignMessage[] }
  /** An error's class does not cross to another thread, its words do. */
  | { kind: 'refused'; code: ErrorCode; text: string; words?: Words }

/** Holds the file opened last and answers for it. */
export function foreignReader(): (task: ForeignTask) => ForeignAnswer {
  let opened: ForeignFile | undefined
  return (task) => {
    if (task.do === 'messages') {
      const chat = opened?.chats[task.chat]
      const messages = chat && 'messages' in chat ? chat.messages : []
      return { kind: 'messages', messages: messages.slice(task.from, task.from + task.count) }
    }
    try {
      opened = readForeign(task.file)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const { code, message, words } = error
      return { kind: 'refused', code, text: message, ...(words === undefined ? {} : { words }) }
    }
    const chats = opened.chats.map((chat) => ('messages' in chat ? { ...chat, messages: chat.messages.length } : chat))
    return { kind: 'opened', format: opened.format, warnings: opened.warnings, chats }
  }
}
